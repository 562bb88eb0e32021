/** The vocabulary as one type: the union of all events, without and with their context. */
import type { ArtifactDeltaEvent, DatasetWriteEvent, DataWriteEvent, FileWriteEvent } from './artifact.ts'
import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from './auth.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from './content.ts'
import type { TaskErrorEvent } from './error.ts'
import type { InputCanceledEvent, InputReceivedEvent, InputRequiredEvent } from './input.ts'
import type {
  InternalCheckpointEvent,
  InternalLlmCallEvent,
  InternalThoughtProcessEvent,
  InternalToolCompleteEvent,
  InternalToolStartEvent,
} from './internal.ts'
import type { SubtaskCreatedEvent } from './subtask.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from './task.ts'
import type { ThoughtDeltaEvent, ThoughtStreamEvent } from './thought.ts'
import type { ToolArgumentsDeltaEvent, ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from './tool.ts'

/**
 * Any event, without its context: as model providers and tools emit it, before the agent loop
 * stamps it. Narrow it by `kind`.
 *
 * @see docs/spec/internal-event-protocol.md#context-stamping
 */
export type AnyEvent = ExternalEvent | InternalEvent

/** The events meant for clients. */
export type ExternalEvent =
  // Task
  | TaskCreatedEvent
  | TaskStatusEvent
  | TaskCompleteEvent
  // Content
  | ContentDeltaEvent
  | ContentCompleteEvent
  // Tool
  | ToolStartEvent
  | ToolArgumentsDeltaEvent
  | ToolProgressEvent
  | ToolCompleteEvent
  // Input and authentication
  | InputRequiredEvent
  | InputReceivedEvent
  | InputCanceledEvent
  | AuthRequiredEvent
  | AuthCompletedEvent
  | AuthFailedEvent
  // Artifact
  | FileWriteEvent
  | DataWriteEvent
  | DatasetWriteEvent
  | ArtifactDeltaEvent
  // Subtask
  | SubtaskCreatedEvent
  // Thought
  | ThoughtDeltaEvent
  | ThoughtStreamEvent
  // Error
  | TaskErrorEvent

/** The events meant for operators. */
export type InternalEvent =
  | InternalThoughtProcessEvent
  | InternalLlmCallEvent
  | InternalCheckpointEvent
  | InternalToolStartEvent
  | InternalToolCompleteEvent

/** The discriminant of the union. */
export type EventKind = AnyEvent['kind']

/** The contextless event of a kind. */
export type EventOf<K extends EventKind> = Extract<AnyEvent, { kind: K }>

/** Where an event belongs: what stamping adds. */
export interface EventContext {
  /** The conversation or session. Not empty. */
  contextId: string
  /** The task within the context. Not empty. */
  taskId: string
  /** The task that spawned this one. Absent: a task without a parent, or its parent is not told. */
  parentTaskId?: string
  /** Who spawned whom, root first, as names for people. Absent: a task without a parent, or not told. */
  path?: string[]
}

/** An event of type `T` with its context: as it travels. */
export type ContextEvent<T> = T & EventContext

/** Any event with its context. Narrow it by `kind`. */
export type ContextAnyEvent = ContextEvent<AnyEvent>
