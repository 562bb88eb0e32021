/** Who may see which event, and which fields of it. */

export { type Audience, audienceOf, respondersOf } from './audience.ts'
export type { EventFilter } from './filter.ts'
export { project } from './project.ts'
export { type Redaction, redactions } from './redactions.ts'
export { createTaskTree, type TaskTreeState } from './task-tree.ts'
export type { Viewer } from './viewer.ts'
