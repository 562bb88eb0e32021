/**
 * Streams: one stream of events over time. Where a reader stands, what is kept for it, whether what
 * comes is in order, who may see what, and who gets what.
 *
 * @packageDocumentation
 */

export * from '../json/index.ts'
export * from './access/index.ts'
export * from './compact/index.ts'
export * from './log/index.ts'
export * from './routing/index.ts'
export * from './verify/index.ts'
export * from './view/index.ts'
