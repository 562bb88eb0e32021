/** Creates events: an emitter numbers a draft, adds context and timestamp, and returns an event. */

export { createEmitter, type Emitter } from './emitter.ts'
export type { EventDraft } from './event-draft.ts'
export { stamp, unstamp } from './stamp.ts'
export { taskEvents } from './task-events.ts'
