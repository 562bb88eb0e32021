// Written by `npm run gen` (scripts/generate.ts) from the zod schemas in src/events/records. Do not edit.
import type {
  ArtifactDeltaEvent,
  DataWriteEvent,
  DatasetWriteEvent,
  FileWriteEvent,
} from './artifact.ts'
import type {
  AuthCompletedEvent,
  AuthFailedEvent,
  AuthRequiredEvent,
} from './auth.ts'
import type {
  ContentCompleteEvent,
  ContentDeltaEvent,
  ContentReplaceEvent,
  IterationResetEvent,
} from './content.ts'
import type {
  AnyCustomEvent,
  CustomEvent,
} from './custom.ts'
import type {
  TaskErrorEvent,
} from './error.ts'
import type {
  InputCanceledEvent,
  InputReceivedEvent,
  InputRequiredEvent,
} from './input.ts'
import type {
  InternalCheckpointEvent,
  InternalLlmCallEvent,
  InternalThoughtProcessEvent,
  InternalToolCompleteEvent,
  InternalToolStartEvent,
} from './internal.ts'
import type {
  SubtaskCreatedEvent,
} from './subtask.ts'
import type {
  TaskCompleteEvent,
  TaskCreatedEvent,
  TaskStatusEvent,
} from './task.ts'
import type {
  ThoughtDeltaEvent,
  ThoughtStreamEvent,
} from './thought.ts'
import type {
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolProgressEvent,
  ToolStartEvent,
} from './tool.ts'

export type {
  AnyCustomEvent,
  ArtifactDeltaEvent,
  AuthCompletedEvent,
  AuthFailedEvent,
  AuthRequiredEvent,
  ContentCompleteEvent,
  ContentDeltaEvent,
  ContentReplaceEvent,
  CustomEvent,
  DataWriteEvent,
  DatasetWriteEvent,
  FileWriteEvent,
  InputCanceledEvent,
  InputReceivedEvent,
  InputRequiredEvent,
  InternalCheckpointEvent,
  InternalLlmCallEvent,
  InternalThoughtProcessEvent,
  InternalToolCompleteEvent,
  InternalToolStartEvent,
  IterationResetEvent,
  SubtaskCreatedEvent,
  TaskCompleteEvent,
  TaskCreatedEvent,
  TaskErrorEvent,
  TaskStatusEvent,
  ThoughtDeltaEvent,
  ThoughtStreamEvent,
  ToolArgumentsDeltaEvent,
  ToolCompleteEvent,
  ToolProgressEvent,
  ToolStartEvent,
}

/** Any event for clients, without context. */
export type ExternalEvent =
  | TaskCreatedEvent
  | TaskStatusEvent
  | TaskCompleteEvent
  | ContentDeltaEvent
  | ContentReplaceEvent
  | ContentCompleteEvent
  | IterationResetEvent
  | ToolStartEvent
  | ToolArgumentsDeltaEvent
  | ToolProgressEvent
  | ToolCompleteEvent
  | InputRequiredEvent
  | InputReceivedEvent
  | InputCanceledEvent
  | AuthRequiredEvent
  | AuthCompletedEvent
  | AuthFailedEvent
  | FileWriteEvent
  | DataWriteEvent
  | DatasetWriteEvent
  | ArtifactDeltaEvent
  | SubtaskCreatedEvent
  | ThoughtDeltaEvent
  | ThoughtStreamEvent
  | TaskErrorEvent
  | AnyCustomEvent

/** Any event for operators, without context. */
export type InternalEvent =
  | InternalThoughtProcessEvent
  | InternalLlmCallEvent
  | InternalCheckpointEvent
  | InternalToolStartEvent
  | InternalToolCompleteEvent
