/** Creates events: an emitter numbers a draft, adds context and timestamp, and returns an event. */

export type { CustomSchemas } from './custom-data.ts'
export { createEmitter, type Emitter, type EmitterOptions } from './emitter.ts'
export type { EventDraft } from './event-draft.ts'
export { stamp, unstamp } from './stamp.ts'
export { type TaskEventsOptions, taskEvents } from './task-events.ts'
