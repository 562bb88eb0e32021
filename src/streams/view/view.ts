/**
 * The view: what a stream amounts to so far, for a user interface or for who joins late.
 *
 *     View ─ tasks ─ TaskView ─ parts ─ text, thoughts, tool calls, questions, …
 *          └ artifacts ─ ArtifactView
 *
 * Plain JSON. What grows with history is kept in {@link List} and {@link Table}, so that an event costs
 * the same however much there is; the functions below read them.
 */
import type { ErrorInfo } from '../../events/error.ts'
import type { Metadata } from '../../events/fields.ts'
import type { TaskCreatedMetadata, TaskInitiator, TaskStatus } from '../../events/task.ts'
import { emptyList, type List, listItems } from '../collections/list.ts'
import { emptyTable, type Table, tableGet } from '../collections/table.ts'
import type { ArtifactView } from './artifact.ts'
import type { PartView } from './parts.ts'

/** What a stream amounts to so far. Made by {@link foldEvent}. */
export interface View {
  /** The context of the first event, which ids belong to. `null`: there was no event yet. */
  readonly contextId: string | null
  /** All tasks, by id. Read them with {@link tasksOf} and {@link taskOf}. */
  readonly tasks: Table<TaskView>
  /** All artifacts, by id. Read them with {@link artifactsOf} and {@link artifactOf}. */
  readonly artifacts: Table<ArtifactView>
  /** What was wrong with events, the latest 64. */
  readonly diagnostics: readonly ViewDiagnostic[]
  /** How many problems there were in all. */
  readonly problemCount: number
}

/** One task. */
export interface TaskView {
  /** The context it belongs to. */
  readonly contextId: string
  /** Names the task; unique in the context. */
  readonly taskId: string
  /** `null`: it has no parent, or its parent is not told yet. */
  readonly parentTaskId: string | null
  /** The tasks it spawned, in order. */
  readonly subtasks: List<string>
  /** `null`: not told yet. */
  readonly status: TaskStatus | null
  /** Where it comes from. */
  readonly origin: TaskCreation
  /** What its last status, and its result, tell. */
  readonly report: TaskOutcome
  /** Read them with {@link partsOf}. */
  readonly parts: Table<PartView>
  /** What is under way. Ended with the task; what comes after its end, against the rules, may be there again. */
  readonly open: OpenItems
  /** The timestamp of its last event. `null`: other tasks have mentioned it, and nothing else. */
  readonly updatedAt: string | null
}

/** Where a task comes from. */
export interface TaskCreation {
  /** The timestamp of its `task-created`. Absent: there was none yet. */
  readonly createdAt?: string
  /** Who started it. Absent: not told yet. */
  readonly initiator?: TaskInitiator
  /** What its `task-created` tells besides. Absent: nothing. */
  readonly metadata?: TaskCreatedMetadata
  /** Who spawned whom, root first. */
  readonly path?: readonly string[]
  /** What it was asked, and who was asked: of the `subtask-created`. Absent: there was none. */
  readonly announced?: {
    /** What it was asked. */
    readonly prompt: string
    /** Who was asked. Absent: not told. */
    readonly agentId?: string
  }
}

/** What the last status of a task, and its result, tell. */
export interface TaskOutcome {
  /** For people. */
  readonly message?: string
  /** Why it failed, or what it waits for. */
  readonly metadata?: Metadata
  /** Why it failed. */
  readonly error?: ErrorInfo
  /** What it leaves behind. Absent: no `task-complete` yet. */
  readonly result?: {
    /** The final text. Absent: it is no text, or was streamed and is not repeated. */
    readonly content?: string
    /** Ids of the artifacts it leaves behind. Absent: none named. */
    readonly artifacts?: readonly string[]
    /** What the task took. Absent: not told. */
    readonly metadata?: Metadata
  }
}

/** What is under way in a task. */
export interface OpenItems {
  /** Position of the open text among the parts. Absent: none is open. */
  readonly text?: number
  /** Ids of the thoughts that are being thought. */
  readonly thoughts: readonly string[]
  /** Ids of the calls without an end, those that have not started included. */
  readonly tools: readonly string[]
  /** Ids of the questions without an answer. */
  readonly inputs: readonly string[]
  /** Ids of the requests for access without an answer. */
  readonly auths: readonly string[]
  /** Ids of the artifacts it is writing. */
  readonly writes: readonly string[]
  /** The index the next thought has. */
  readonly nextThought: number
}

/** Something that was wrong with an event. The view is as if the wrong part had not been there. */
export interface ViewDiagnostic {
  /** What is wrong, for programs. */
  readonly code: ViewDiagnosticCode
  /** For people, in English. May change in any release. */
  readonly message: string
  /** The kind of the event that had it. */
  readonly kind: string
  /** The task of that event. */
  readonly taskId: string
  /** The thought, call or artifact concerned. */
  readonly id?: string
  /** What would have been right, where that is one value. */
  readonly expected?: unknown
  /** What was there instead. */
  readonly actual?: unknown
}

/**
 * What can be wrong:
 *
 * - `gap`: deltas or chunks are missing; a text has a hole, a file cannot be completed
 * - `repeated`: a delta, chunk or version that was there before; left out
 * - `content-mismatch`: the text that should repeat the deltas differs from them; it replaces them
 * - `version-conflict`: a change of a version that is not the current one; left out
 * - `unknown-artifact`: a change of an artifact that was never completed; left out
 * - `wrong-type`: a change that does not fit the type of its artifact; left out
 * - `patch-failed`: a patch that cannot be applied; left out whole
 * - `bad-base64`: a chunk that is not Base64; the file cannot be completed
 * - `digest-mismatch`: a file that is not what its digest says; left out, the version before stays
 * - `incomplete-write`: the end of a write that has a fault; left out, the version before stays
 * - `abandoned-write`: a write that was begun anew, or whose task ended; dropped
 * - `after-end`: a status or result that does not fit a task that is over; left out
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
  tasks: emptyTable,
  artifacts: emptyTable,
  diagnostics: [],
  problemCount: 0,
}

/** The task before its first event. */
export const newTask: Omit<TaskView, 'contextId' | 'taskId'> = {
  parentTaskId: null,
  subtasks: emptyList,
  status: null,
  updatedAt: null,
  origin: {},
  report: {},
  parts: emptyTable,
  open: { thoughts: [], tools: [], inputs: [], auths: [], writes: [], nextThought: 0 },
}

/**
 * A task by its id.
 *
 * @param contextId - Absent: the view's context.
 * @returns `undefined` when no event has told of it.
 */
export function taskOf(view: View, taskId: string, contextId?: string): TaskView | undefined {
  return tableGet(view.tasks, keyIn(view, contextId, taskId))
}

/** All tasks, in the order in which events told of them. */
export function tasksOf(view: View): TaskView[] {
  return listItems(view.tasks.rows)
}

/** The parts of a task, in the order in which they appeared. */
export function partsOf(task: TaskView): PartView[] {
  return listItems(task.parts.rows)
}

/** An artifact by its id; see {@link taskOf}. */
export function artifactOf(view: View, artifactId: string, contextId?: string): ArtifactView | undefined {
  return tableGet(view.artifacts, keyIn(view, contextId, artifactId))
}

/** All artifacts, in the order in which events told of them. */
export function artifactsOf(view: View): ArtifactView[] {
  return listItems(view.artifacts.rows)
}

/** Whether a task is over. */
export function isEnded(status: string | null): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled'
}

/** What something is called in the view's tables. Ids belong to a context; nearly always there is one. */
export function keyIn(view: View, contextId: string | undefined, id: string): string {
  const context = contextId ?? view.contextId ?? ''
  return context === view.contextId && !id.startsWith('\0') ? id : `\0${context.length}:${context}${id}`
}
