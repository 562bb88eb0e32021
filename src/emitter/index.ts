/** Producing events: a draft is numbered, stamped and returned as an event. */

export { createEmitter, type Emitter, type EmitterOptions } from './emitter.ts'
export type { EventDraft } from './event-draft.ts'
export { stamp, unstamp } from './stamp.ts'
