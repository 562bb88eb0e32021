/** The vocabulary: event kinds, types and decoders. */

export type {
  ArtifactDeltaEvent,
  DatasetWriteEvent,
  DataWriteEvent,
  FileWriteEvent,
} from './artifact.ts'
export type {
  ArtifactChange,
  JsonPatchOperation,
} from './artifact-change.ts'
export type {
  AuthCompletedEvent,
  AuthFailedEvent,
  AuthRequiredEvent,
  AuthType,
} from './auth.ts'
export type { ContentCompleteEvent, ContentDeltaEvent } from './content.ts'
export { decodeAnyEvent, decodeEvent, ProtocolError, parseEvent } from './decode.ts'
export type { ErrorInfo, RetryClass, TaskErrorEvent } from './error.ts'
export { type ErrorCode, errorCodes } from './error-codes.ts'
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
  InputRequiredEvent,
  InputType,
  ToolCall,
} from './input.ts'
export type {
  InternalCheckpointEvent,
  InternalLlmCallEvent,
  InternalThoughtProcessEvent,
  InternalToolCompleteEvent,
  InternalToolStartEvent,
} from './internal.ts'
export { eventKinds, externalKinds, internalKinds } from './kinds.ts'
export type { CitedSource } from './source.ts'
export type { SubtaskCreatedEvent } from './subtask.ts'
export type { TaskCompleteEvent, TaskCreatedEvent, TaskInitiator, TaskStatusEvent } from './task.ts'
export { isTerminalStatus, type TaskStatus } from './task-status.ts'
export type {
  ThoughtDeltaEvent,
  ThoughtStreamEvent,
  ThoughtType,
  ThoughtVerbosity,
} from './thought.ts'
export type {
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolProgressEvent,
  ToolStartEvent,
} from './tool.ts'
export type { Usage } from './usage.ts'
export { negotiateVersion, PROTOCOL_VERSION } from './version.ts'
