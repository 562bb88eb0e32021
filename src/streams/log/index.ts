/** The event log: append, read, resume, receive, backpressure. */

export {
  applyBackpressure,
  type BackpressurePolicy,
  decideBackpressure,
} from './backpressure.ts'
export type { Batch, Reset } from './batch.ts'
export { batchDecoder } from './batch-decoder.ts'
export { type Cursor, formatEventId, type Position, parseEventId } from './cursor.ts'
export { encodeBatch } from './encode-batch.ts'
export type { EventLog, Snapshot } from './event-log.ts'
export { type EventLogLawOptions, eventLogLaw } from './event-log-law.ts'
export { follow } from './follow.ts'
export type { LogLimits } from './log-state.ts'
export { createMemoryLog, type MemoryEventLog } from './memory-log.ts'
export { type LogExtent, makeBatch, resolveCursor } from './read.ts'
export { type ReadFilter, readFilter } from './read-filter.ts'
export type { EventLogReadOptions } from './read-options.ts'
export { type Received, receiver } from './receiver.ts'
