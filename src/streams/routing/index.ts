/** Patterns over task paths, and delivery to subscribers. */

export { escapePatternSegment, type Pattern, parsePattern } from './pattern.ts'
export { createRouter, type Router } from './router.ts'
