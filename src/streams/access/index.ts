/** Who may see which event, and which fields of it. */

export { type Audience, audienceOf, respondersOf } from './audience.ts'
export type { EventFilter, ThoughtPolicy } from './filter.ts'
export type { KindPattern } from './kind-pattern.ts'
export { project } from './project.ts'
export { type Redaction, redactions } from './redactions.ts'
export { createTaskTree, type TaskLink, type TaskTree, type TaskTreeState } from './task-tree.ts'
export type { Viewer } from './viewer.ts'
