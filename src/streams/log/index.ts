/** The event log: append, read, resume, receive, backpressure. */

export type { TaskName } from '../../events/event.ts'
export type { Forgotten, ForgottenTask } from '../forgotten.ts'
export { type EventLogAppendOptions, requireAppendOptions } from './append-options.ts'
export {
  applyBackpressure,
  type BackpressurePolicy,
  decideBackpressure,
} from './backpressure.ts'
export { type Batch, cursorAfter, type Reset } from './batch.ts'
export { type Cursor, formatEventId, type Position, parseEventId } from './cursor.ts'
export { escapeName, unescapeName } from './escape-name.ts'
export type { EventLog, Snapshot, StateLog, StateVersion, StoredState } from './event-log.ts'
export type { LogExtent } from './extent.ts'
export type { ExpiredLease, LeaseLog } from './lease-log.ts'
export { makeBatch, resolveCursor } from './read.ts'
export { type ReadFilter, readFilter } from './read-filter.ts'
export { type EventLogReadOptions, type RequiredReadOptions, requireReadOptions } from './read-options.ts'
export { type Received, receiver } from './receiver.ts'
export { requireEvent } from './require-event.ts'
export { requireSnapshotOptions, type SnapshotOptions } from './snapshot-options.ts'
