/**
 * The view: the current state of all tasks and artifacts, for user interfaces and late joiners.
 *
 *     View ─ tasks ─ TaskView ─ parts ─ texts, thoughts, tool calls, requests, …
 *          └ artifacts ─ ArtifactView
 *
 * Plain JSON. Lists that grow with the stream are persistent collections, so that the cost of an event does
 * not grow with them; the functions below read them.
 */

import type { JsonValue } from '../../core/json-value.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { Metadata } from '../../events/metadata.ts'
import type { TaskCompleteMetadata, TaskCreatedMetadata, TaskInitiator } from '../../events/task.ts'
import { isTerminalStatus, type TaskStatus } from '../../events/task-status.ts'
import { emptyKeyed, type KeyedList, keyedGet } from '../collections/keyed-list.ts'
import { emptyVector, type Vector, vectorItems } from '../collections/vector.ts'
import type { ArtifactView } from './artifact.ts'
import type { PartView } from './parts.ts'

/** The current state of a stream. Start with {@link emptyView}; {@link foldEvent} updates it. */
export interface View {
  /** The context of the first event. `null` before it. */
  readonly contextId: string | null
  /** All tasks. Read them with {@link tasksOf} and {@link taskOf}. */
  readonly tasks: KeyedList<TaskView>
  /** All artifacts. Read them with {@link artifactsOf} and {@link artifactOf}. */
  readonly artifacts: KeyedList<ArtifactView>
  /** What was wrong with events. The latest 64. */
  readonly diagnostics: readonly ViewDiagnostic[]
  /** The number of all diagnostics, including those no longer in the list. */
  readonly diagnosticCount: number
}

/** One task. */
export interface TaskView {
  /** The context it belongs to. */
  readonly contextId: string
  /** The id of the task, unique in the context. */
  readonly taskId: string
  /** The task that spawned it. `null` if there is none, or it is not known yet. */
  readonly parentTaskId: string | null
  /** Ids of the tasks it spawned, in order. */
  readonly subtasks: Vector<string>
  /** Its latest status. `null` before the first. */
  readonly status: TaskStatus | null
  /** Who created it, when, and with what instructions. */
  readonly creation: TaskCreation
  /** The message, error and result of its latest status. */
  readonly outcome: TaskOutcome
  /** Its parts. Read them with {@link partsOf}. */
  readonly parts: KeyedList<PartView>
  /** Its unfinished items. Empty once the task has ended, unless events follow against the rules. */
  readonly open: OpenItems
  /** The timestamp of its latest event. `null` if only events of other tasks have named it. */
  readonly updatedAt: string | null
}

/** How a task was created. */
export interface TaskCreation {
  /** The timestamp of its `task-created`. Omitted before it. */
  readonly createdAt?: string
  /** Who started it. Omitted if unknown. */
  readonly initiator?: TaskInitiator
  /** What the task is to do: the user's message or a structured request. Omitted if unknown. */
  readonly input?: JsonValue
  /** The metadata of its `task-created`. Omitted if there is none. */
  readonly metadata?: TaskCreatedMetadata
  /** The agents from the root to this task. Omitted if unknown. */
  readonly path?: readonly string[]
  /** What the parent's `subtask-created` announced. Omitted if there was none. */
  readonly announced?: {
    /** The instructions for the subtask. */
    readonly prompt: string
    /** The agent that does it. Omitted if unknown. */
    readonly agentId?: string
  }
}

/** The details of the latest status of a task, and its result. */
export interface TaskOutcome {
  /** The message of the latest status, for people. Omitted if there is none. */
  readonly message?: string
  /** The metadata of the latest status. Omitted if there is none. */
  readonly metadata?: Metadata
  /** Why the task failed. Omitted unless it did. */
  readonly error?: ErrorInfo
  /** The result. Omitted before the `task-complete`. */
  readonly result?: {
    /** The final text. Omitted if there is none, or it was streamed before. */
    readonly content?: string
    /** Ids of the resulting artifacts. Omitted if there are none. */
    readonly artifacts?: readonly string[]
    /** Duration, usage and other figures. Omitted if unknown. */
    readonly metadata?: TaskCompleteMetadata
  }
}

/** The unfinished items of a task. */
export interface OpenItems {
  /** The texts that are being streamed, in the order in which they began. */
  readonly texts: readonly OpenText[]
  /** Ids of the thoughts that are being streamed. */
  readonly thoughts: readonly string[]
  /** Ids of the tool calls that have not ended, including those that have not started. */
  readonly tools: readonly string[]
  /** Ids of the input requests without an answer. */
  readonly inputs: readonly string[]
  /** Ids of the authentication requests without an answer. */
  readonly auths: readonly string[]
  /** Ids of the artifacts that are being written. */
  readonly writes: readonly string[]
  /** The index of the next thought. */
  readonly nextThought: number
}

/** A text that is being streamed. */
export interface OpenText {
  /** Its id. Omitted for the text without one. */
  readonly contentId?: string
  /** Its position among the parts. */
  readonly position: number
}

/** A fault of an event. The faulty part of the event has no effect on the view. */
export interface ViewDiagnostic {
  /** What is wrong, for programs. */
  readonly code: ViewDiagnosticCode
  /** What is wrong, for people, in English. May change in any release. */
  readonly message: string
  /** The kind of the event. */
  readonly kind: string
  /** The task of the event. */
  readonly taskId: string
  /** The thought, tool call, request, subtask or artifact concerned. Omitted if there is none. */
  readonly id?: string
  /** The expected value. Omitted if more than one value would be right. */
  readonly expected?: unknown
  /** The value found. Omitted if there is none. */
  readonly actual?: unknown
}

/**
 * What can be wrong with an event:
 *
 * - `gap`: deltas or chunks are missing; the text has a gap, the artifact cannot be completed
 * - `repeated`: a delta, chunk, version or event that came before; ignored
 * - `content-mismatch`: the whole text differs from its deltas; it replaces them
 * - `version-conflict`: a change of a version that is not the current one; ignored
 * - `unknown-artifact`: a change of an artifact without a complete version; ignored
 * - `wrong-type`: a change that does not fit the type of the artifact; ignored
 * - `patch-failed`: a patch that cannot be applied; ignored as a whole
 * - `bad-base64`: a chunk that is not Base64; the file cannot be completed
 * - `digest-mismatch`: a file whose digest differs; ignored, the current version stays
 * - `incomplete-write`: the last chunk of a write with a fault; ignored, the current version stays
 * - `abandoned-write`: a write that was restarted, or whose task ended; discarded
 * - `after-end`: a status or result after the end of the task; ignored
 */
export type ViewDiagnosticCode =
  | 'gap'
  | 'repeated'
  | 'content-mismatch'
  | 'version-conflict'
  | 'unknown-artifact'
  | 'wrong-type'
  | 'patch-failed'
  | 'bad-base64'
  | 'digest-mismatch'
  | 'incomplete-write'
  | 'abandoned-write'
  | 'after-end'

/** The view before the first event. */
export const emptyView: View = {
  contextId: null,
  tasks: emptyKeyed,
  artifacts: emptyKeyed,
  diagnostics: [],
  diagnosticCount: 0,
}

/** A task before its first event. */
export const initialTaskView: Omit<TaskView, 'contextId' | 'taskId'> = {
  parentTaskId: null,
  subtasks: emptyVector,
  status: null,
  updatedAt: null,
  creation: {},
  outcome: {},
  parts: emptyKeyed,
  open: { texts: [], thoughts: [], tools: [], inputs: [], auths: [], writes: [], nextThought: 0 },
}

/**
 * A task by its id.
 *
 * @param contextId - Defaults to the view's context.
 * @returns `undefined` if no event has named the task.
 */
export function taskOf(view: View, taskId: string, contextId?: string): TaskView | undefined {
  return keyedGet(view.tasks, viewKey(view, contextId, taskId))
}

/** All tasks, in the order in which events first named them. */
export function tasksOf(view: View): TaskView[] {
  return vectorItems(view.tasks.items)
}

/** The parts of a task, in order of appearance. */
export function partsOf(task: TaskView): PartView[] {
  return vectorItems(task.parts.items)
}

/**
 * An artifact by its id.
 *
 * @param contextId - Defaults to the view's context.
 * @returns `undefined` if no event has written to the artifact.
 */
export function artifactOf(view: View, artifactId: string, contextId?: string): ArtifactView | undefined {
  return keyedGet(view.artifacts, viewKey(view, contextId, artifactId))
}

/** All artifacts, in the order in which events first wrote to them. */
export function artifactsOf(view: View): ArtifactView[] {
  return vectorItems(view.artifacts.items)
}

/** Whether a task has ended. */
export function hasEnded({ status }: TaskView): boolean {
  return isTerminalStatus(status)
}

/**
 * The key of an id in the view's lists. Ids are unique only within their context; as a view nearly always
 * has only one, ids of the view's own context are their own keys.
 */
export function viewKey(view: View, contextId: string | undefined, id: string): string {
  const context = contextId ?? view.contextId ?? ''
  return context === view.contextId && !id.startsWith('\0') ? id : `\0${context.length}:${context}${id}`
}
