/**
 * The view: the current state of all tasks and artifacts, for user interfaces and late joiners.
 *
 *     View ─ tasks ─ TaskView ─ parts ─ texts, thoughts, tool calls, requests, …
 *          └ artifacts ─ ArtifactView
 *
 * Plain JSON: objects and arrays, which are never changed. What an event does not change is shared by the views before
 * and after it, so that `===` identifies what to render again.
 */

import type { JsonValue } from '../../core/json-value.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type {
  TaskCompleteMetadata,
  TaskCreatedMetadata,
  TaskInitiator,
  TaskStatusMetadata,
} from '../../events/task.ts'
import type { TaskStatus } from '../../events/task-status.ts'
import type { Usage } from '../../events/usage.ts'
import type { Forgotten } from '../forgotten.ts'
import type { ArtifactView } from './artifact.ts'
import type { PartView } from './parts.ts'
import { requireView } from './require-view.ts'

/** The current state of a stream. Start with {@link emptyView}; {@link foldEvent} updates it. */
export interface View {
  /** The context of the first event. `null` before it. */
  readonly contextId: string | null
  /** All tasks with events or a `subtask-created`, in the order of the first of these. */
  readonly tasks: readonly TaskView[]
  /** All artifacts, in the order of their first writes. */
  readonly artifacts: readonly ArtifactView[]
  /** What was wrong with events. The latest 64. */
  readonly diagnostics: readonly ViewDiagnostic[]
  /** The root task before which the server has older ones; see {@link Reset.older}. Omitted: none, or it is not known. */
  readonly older?: string | undefined
  /** The tasks that the server no longer has; see {@link Reset.forgotten}. Omitted: none, or it is not known. */
  readonly forgotten?: Forgotten | undefined
}

/** One task. */
export interface TaskView {
  /** The id of the task, unique in the context. */
  readonly taskId: string
  /** The context it belongs to. */
  readonly contextId: string
  /** The task that spawned it. `null` if there is none, or it is not known yet. */
  readonly parentTaskId: string | null
  /** Its latest status. `null` before the first. */
  readonly status: TaskStatus | null
  /** Who started it. Omitted before its `task-created`. */
  readonly initiator?: TaskInitiator
  /** What the task is to do: the user's message or a structured request. Omitted if unknown. */
  readonly input?: JsonValue
  /** The agent that does it, as its parent's `subtask-created` states. Omitted if unknown. */
  readonly agentId?: string
  /** The instructions in its parent's `subtask-created`. Omitted before it. */
  readonly prompt?: string
  /** The agents from the root to this task. Omitted if unknown. */
  readonly path?: readonly string[]
  /** The metadata of its `task-created`, without `input`. Omitted if there is none. */
  readonly metadata?: TaskCreatedMetadata
  /** Its parts, in the order of their first events. */
  readonly parts: readonly PartView[]
  /** The message of the latest status, for people. Omitted if there is none. */
  readonly message?: string
  /** Why the task failed. Omitted unless it did. */
  readonly error?: ErrorInfo
  /** The metadata of the latest status. Omitted if there is none. */
  readonly statusMetadata?: TaskStatusMetadata
  /** What its `task-complete` states. Omitted before it. */
  readonly result?: TaskResult
  /** The tokens of all model calls of the task, by model, as its `task-complete` states them. Omitted if unknown. */
  readonly usage?: readonly Usage[]
  /** The timestamp of its `task-created`. Omitted before it. */
  readonly createdAt?: string
  /** The timestamp of its latest status. Omitted before the first. */
  readonly statusAt?: string
  /** The timestamp of its latest event. `null` if it has none: only its parent's `subtask-created` has named it. */
  readonly updatedAt: string | null
}

/** The result of a task. */
export interface TaskResult {
  /** The final text. Omitted if there is none, or it was streamed before. */
  readonly content?: string
  /** Ids of the resulting artifacts. Omitted if there are none. */
  readonly artifacts?: readonly string[]
  /** Duration and other figures, without `usage`. Omitted if unknown. */
  readonly metadata?: TaskCompleteMetadata
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
 * - `repeated`: a delta, text, chunk, version or event that came before; ignored
 * - `content-mismatch`: the whole text differs from its deltas; it replaces them
 * - `version-conflict`: a change of a version that is not the current one; ignored
 * - `unknown-artifact`: a change of an artifact without a complete version; ignored
 * - `wrong-type`: a change that does not fit the type of the artifact; ignored
 * - `patch-failed`: a patch that cannot be applied; ignored as a whole
 * - `patch-ignored`: a patch without the code for it; the artifact keeps its version until it is written whole, and further
 *   patches are not reported
 * - `bad-base64`: a chunk that is not Base64; the file cannot be completed
 * - `digest-mismatch`: a file whose digest differs; ignored, the current version stays
 * - `incomplete-write`: the last chunk of a write with a fault; ignored, the current version stays
 * - `abandoned-write`: a write that was restarted, or whose task ended; discarded
 * - `too-many-streams`: a piece of output of a 33rd stream of a tool call; dropped
 * - `after-end`: a status, a result, a text, a thought, a call or a request after the end of the task; ignored
 * - `started-call`: a call of an iteration that was reset has started, or waits for an approval; it stays
 */
export type ViewDiagnosticCode =
  | 'gap'
  | 'repeated'
  | 'content-mismatch'
  | 'version-conflict'
  | 'unknown-artifact'
  | 'wrong-type'
  | 'patch-failed'
  | 'patch-ignored'
  | 'bad-base64'
  | 'digest-mismatch'
  | 'incomplete-write'
  | 'abandoned-write'
  | 'too-many-streams'
  | 'after-end'
  | 'started-call'

/** The view before the first event. */
export const emptyView: View = { contextId: null, tasks: [], artifacts: [], diagnostics: [] }

/** The view before the events of a reset. */
export function viewBefore({ older, forgotten }: Pick<View, 'older' | 'forgotten'>): View {
  return { ...emptyView, older, forgotten }
}

/**
 * A task by its id. Searches the list from the end.
 *
 * @param contextId - Defaults to the view's context.
 * @returns `undefined` if the view does not have the task.
 */
export function taskOf(view: View, taskId: string, contextId?: string): TaskView | undefined {
  requireView(view)
  const context = contextId ?? view.contextId
  return view.tasks.findLast((task) => task.taskId === taskId && task.contextId === context)
}

/**
 * An artifact by its id. Searches the list from the end.
 *
 * @param contextId - Defaults to the view's context.
 * @returns `undefined` if no event has written to the artifact.
 */
export function artifactOf(view: View, artifactId: string, contextId?: string): ArtifactView | undefined {
  requireView(view)
  const context = contextId ?? view.contextId
  return view.artifacts.findLast(
    (artifact) => artifact.artifactId === artifactId && artifact.contextId === context,
  )
}
