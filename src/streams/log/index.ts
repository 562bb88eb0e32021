/** The event log: keep, read, resume, receive, and what to do for slow readers. */

export {
  applyBackpressure,
  decideBackpressure,
  type FlowDecision,
  type FlowPolicy,
  type FlowRule,
  flowRuleOf,
  flowRules,
} from './backpressure.ts'
export {
  type Batch,
  cursorAfter,
  type Loss,
  type Reset,
  type ResetReason,
  resetReasons,
  type StreamEvent,
} from './batch.ts'
export { type BatchDecoderOptions, type BatchDecoderState, batchDecoder } from './batch-decoder.ts'
export { type Cursor, comparePositions, formatEventId, type Position, parseEventId } from './cursor.ts'
export { type EncodeBatchOptions, encodeBatch, streamMessageNames } from './encode-batch.ts'
export {
  createMemoryLog,
  type EventLog,
  type EventLogReadOptions,
  type FollowOptions,
  follow,
  type MemoryEventLog,
  type MemoryEventLogOptions,
} from './event-log.ts'
export {
  append,
  close,
  evict,
  headOf,
  type Log,
  type LogEntry,
  type LogLimits,
  type LogOptions,
  openLog,
  read,
} from './log.ts'
export { type LogExtent, makeBatch, resolveCursor } from './read.ts'
export { type ReadFilter, readFilter } from './read-filter.ts'
export {
  type Received,
  type ReceivedClosed,
  type ReceivedDuplicate,
  type ReceivedEvents,
  type ReceivedGap,
  type ReceivedReset,
  type ReceiverOptions,
  type ReceiverState,
  receiver,
} from './receiver.ts'
