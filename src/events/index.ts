/** The vocabulary: every event kind, its types, its schemas, and how values are decoded. */

export type {
  ArtifactDeltaEvent,
  DatasetWriteEvent,
  DatasetWriteMetadata,
  DataWriteEvent,
  DataWriteMetadata,
  FileWriteEvent,
  FileWriteMetadata,
} from './artifact.ts'
export type {
  ArtifactChange,
  JsonPatchChange,
  JsonPatchOperation,
  MergePatchChange,
  RowsAppendChange,
  TextAppendChange,
} from './artifact-change.ts'
export type {
  AuthCompletedEvent,
  AuthCompletedMetadata,
  AuthFailedEvent,
  AuthRequiredEvent,
  AuthRequiredMetadata,
  AuthType,
} from './auth.ts'
export type { ContentCompleteEvent, ContentDeltaEvent } from './content.ts'
export { decodeAnyEvent, decodeEvent, ProtocolError, parseEvent } from './decode.ts'
export {
  type ErrorCode,
  type ErrorInfo,
  errorCodes,
  type RetryClass,
  type TaskErrorEvent,
} from './error.ts'
export type {
  AnyEvent,
  ContextAnyEvent,
  ContextEvent,
  EventContext,
  EventKind,
  EventOf,
  ExternalEvent,
  InternalEvent,
} from './event.ts'
export type { JsonSchema, Metadata } from './fields.ts'
export { isExternal, isInternal, isKind } from './guards.ts'
export type {
  InputCanceledEvent,
  InputReceivedEvent,
  InputReceivedMetadata,
  InputRequiredEvent,
  InputRequiredMetadata,
  InputType,
  ToolCall,
  ToolCallFunction,
} from './input.ts'
export type {
  InternalCheckpointEvent,
  InternalLlmCallEvent,
  InternalThoughtProcessEvent,
  InternalToolCompleteEvent,
  InternalToolStartEvent,
} from './internal.ts'
export { eventKinds, externalKinds, internalKinds } from './kinds.ts'
export { anyEventSchema, contextAnyEventSchema, contextEventSchemas, eventSchemas } from './schemas.ts'
export type { SubtaskCreatedEvent } from './subtask.ts'
export type {
  TaskCompleteEvent,
  TaskCompleteMetadata,
  TaskCreatedEvent,
  TaskCreatedMetadata,
  TaskInitiator,
  TaskStatus,
  TaskStatusEvent,
  TaskStatusMetadata,
} from './task.ts'
export type {
  ThoughtDeltaEvent,
  ThoughtStreamEvent,
  ThoughtStreamMetadata,
  ThoughtType,
  ThoughtVerbosity,
} from './thought.ts'
export type {
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolCompleteMetadata,
  ToolProgressEvent,
  ToolProgressMetadata,
  ToolStartEvent,
  ToolStartMetadata,
} from './tool.ts'
export { negotiateVersion, PROTOCOL_VERSION } from './version.ts'
