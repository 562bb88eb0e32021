/**
 * agentwire: the wire format of AI agent event streams, with nothing attached.
 *
 * @packageDocumentation
 */

// Decoding
export type { Decoded, Issue, IssueCode, UnknownEvent } from './decoded.ts'
export type {
  ArtifactDeltaEvent,
  DatasetWriteEvent,
  DatasetWriteMetadata,
  DataWriteEvent,
  DataWriteMetadata,
  FileWriteEvent,
  FileWriteMetadata,
} from './events/artifact.ts'
export type {
  ArtifactChange,
  JsonPatchChange,
  JsonPatchOperation,
  MergePatchChange,
  RowsAppendChange,
  TextAppendChange,
} from './events/artifact-change.ts'
export type {
  AuthCompletedEvent,
  AuthCompletedMetadata,
  AuthFailedEvent,
  AuthRequiredEvent,
  AuthRequiredMetadata,
  AuthType,
} from './events/auth.ts'
export type { ContentCompleteEvent, ContentDeltaEvent } from './events/content.ts'
export { decodeAnyEvent, decodeEvent, ProtocolError, parseEvent } from './events/decode.ts'
export type { EventDraft } from './events/draft.ts'
export { createEmitter, type Emitter, type EmitterOptions } from './events/emitter.ts'
export {
  type ErrorCode,
  type ErrorInfo,
  errorCodes,
  type RetryClass,
  type TaskErrorEvent,
} from './events/error.ts'
// The vocabulary
export type {
  AnyEvent,
  ContextAnyEvent,
  ContextEvent,
  EventContext,
  EventKind,
  EventOf,
  ExternalEvent,
  InternalEvent,
} from './events/event.ts'
export type { JsonSchema, Metadata } from './events/fields.ts'
export { isExternal, isInternal, isKind } from './events/guards.ts'
export type {
  InputCanceledEvent,
  InputReceivedEvent,
  InputReceivedMetadata,
  InputRequiredEvent,
  InputRequiredMetadata,
  InputType,
  ToolCall,
  ToolCallFunction,
} from './events/input.ts'
export type {
  InternalCheckpointEvent,
  InternalLlmCallEvent,
  InternalThoughtProcessEvent,
  InternalToolCompleteEvent,
  InternalToolStartEvent,
} from './events/internal.ts'
export { eventKinds, externalKinds, internalKinds } from './events/kinds.ts'
export { anyEventSchema, contextAnyEventSchema, contextEventSchemas, eventSchemas } from './events/schemas.ts'
// Making events
export { stamp, unstamp } from './events/stamp.ts'
export type { SubtaskCreatedEvent } from './events/subtask.ts'
export type {
  TaskCompleteEvent,
  TaskCompleteMetadata,
  TaskCreatedEvent,
  TaskCreatedMetadata,
  TaskInitiator,
  TaskStatus,
  TaskStatusEvent,
  TaskStatusMetadata,
} from './events/task.ts'
export type {
  ThoughtDeltaEvent,
  ThoughtStreamEvent,
  ThoughtStreamMetadata,
  ThoughtType,
  ThoughtVerbosity,
} from './events/thought.ts'
export type {
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolCompleteMetadata,
  ToolProgressEvent,
  ToolProgressMetadata,
  ToolStartEvent,
  ToolStartMetadata,
} from './events/tool.ts'
// Machines
export {
  type IterateOptions,
  iterate,
  iterateBatches,
  type Machine,
  type Note,
  pipe,
  type Run,
  type RunOptions,
  run,
  type Source,
  type Step,
  type TransformOptions,
  transform,
} from './machine.ts'
// Validators
export type { JsonValue, Schema } from './schema.ts'
// Reading events from the wire; the wire itself is in agentwire/sse
export { type DecodedMessage, type EventDecoderOptions, eventDecoder } from './sse/event-decoder.ts'
export { type ReadEventsOptions, readEvents } from './sse/read-events.ts'
export type { SseOptions, SseState } from './sse/sse-state.ts'
// Versions
export { negotiateVersion, PROTOCOL_VERSION } from './version.ts'
