/**
 * Streams: one stream of events over time. Where a reader stands, what is kept for it, whether what
 * comes is in order, who may see what, and who gets what.
 *
 * @packageDocumentation
 */

// Who is meant by an event
export {
  type Audience,
  type AudienceOptions,
  audienceOf,
  audiences,
  emptyTree,
  growTree,
  type RoutedEvent,
  respondersOf,
  type TaskTree,
} from './audience.ts'
// Fewer events
export { compact } from './compact.ts'
// Where a reader stands
export { type Cursor, comparePositions, formatEventId, type Position, parseEventId } from './cursor.ts'
// What is done for a slow reader
export {
  decide,
  type FlowDecision,
  type FlowPolicy,
  type FlowRule,
  flowRuleOf,
  flowRules,
  pace,
} from './flow.ts'
// What a stream amounts to
export { foldEvent } from './fold.ts'
// Patches
export { applyJsonPatch, applyMergePatch, type Patched, type PatchFailure } from './json-patch.ts'
// What is kept
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
export {
  type Batch,
  cursorAfter,
  type Loss,
  type Reset,
  type ResetReason,
  resetReasons,
  type StreamEvent,
} from './log-batch.ts'
export {
  type EmbeddedLog,
  type EmbeddedLogOptions,
  type EventLog,
  type EventLogReadOptions,
  embeddedLog,
  type FollowOptions,
  follow,
} from './log-engine.ts'
export type { Queue } from './log-queue.ts'
export { batchOf, type LogExtent, startOf } from './log-read.ts'
export { type EncodeBatchOptions, encodeBatch, streamMessageNames } from './log-sse.ts'
export { type LogView, viewFor } from './log-view.ts'
// Which tasks a subscriber means
export { matchesPattern, type Pattern, parsePattern, patternSegment } from './pattern.ts'
// Who may see what
export { project, type Viewer } from './project.ts'
export type { EventFilter, ThoughtPolicy } from './project-filter.ts'
export { type Disclosure, defaultThoughts, disclosures } from './project-rules.ts'
// Whether what comes is in order
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
export { type BatchDecoderOptions, type BatchDecoderState, batchDecoder } from './receiver-sse.ts'
// Ending what was cut off
export { type CloseOptions, closeOpen } from './repair.ts'
// Who gets what
export {
  createRouter,
  type DeliveryFailure,
  type RouteResult,
  type Router,
  type RouterOptions,
  type SubscriptionFilter,
} from './router.ts'
// Whether a stream is legal
export { type EventRule, type EventRuleName, eventRules, type VerifyMode, type Violation } from './rule.ts'
export type { RuleFacts, RuleSeverity } from './rule-facts.ts'
export { verifier } from './verifier.ts'
export type { VerifierOptions } from './verify-scope.ts'
export type { VerifierState } from './verify-state.ts'
export {
  artifactOf,
  artifactsOf,
  emptyView,
  partsOf,
  type TaskOpen,
  type TaskOrigin,
  type TaskReport,
  type TaskView,
  taskOf,
  tasksOf,
  type View,
  type ViewProblem,
  type ViewProblemCode,
} from './view.ts'
export {
  type ArtifactAbout,
  type ArtifactContent,
  type ArtifactVersion,
  type ArtifactView,
  type ArtifactWriting,
  type DataRecord,
  type DatasetRows,
  type FileBytes,
  type FileText,
  rowsOf,
} from './view-artifact.ts'
export { type List, listItems } from './view-list.ts'
export type {
  ArtifactPart,
  AuthPart,
  ErrorPart,
  InputPart,
  PartView,
  Streamed,
  SubtaskPart,
  TextPart,
  ThoughtPart,
  ToolPart,
  ToolProgressView,
} from './view-parts.ts'
export type { Table } from './view-table.ts'
export type { Trie, TrieBranch, TrieLeaf } from './view-trie.ts'
