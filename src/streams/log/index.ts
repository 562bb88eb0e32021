/** The event log: keep, read, resume, receive, and what to do for slow readers. */

export {
  decide,
  type FlowDecision,
  type FlowPolicy,
  type FlowRule,
  flowRuleOf,
  flowRules,
  pace,
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
  type EmbeddedLog,
  type EmbeddedLogOptions,
  type EventLog,
  type EventLogReadOptions,
  embeddedLog,
  type FollowOptions,
  follow,
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
export { batchOf, type LogExtent, startOf } from './read.ts'
export { type LogView, viewFor } from './reader-view.ts'
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
