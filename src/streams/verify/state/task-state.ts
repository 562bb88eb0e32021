/** What the verifier stores of a task. */

import type { Mutable } from '../../../core/mutable.ts'
import { noMark, type TextMark } from '../../../encoding/text-mark.ts'
import type { EventOf } from '../../../events/event.ts'
import { isTerminalStatus, type TaskStatus } from '../../../events/task-status.ts'
import { contextKey } from '../../context-key.ts'

/** One task. Lists hold the last 256 entries. */
export interface TaskState {
  /** The key of its id; see {@link contextKey}. Other tasks refer to it by this key. */
  readonly key: string
  readonly contextId: string
  readonly taskId: string

  /** `announced`: only a `subtask-created` of its parent was seen. */
  readonly status: 'announced' | 'created' | TaskStatus
  /** Whether the beginning of the task was not seen: its open items are unknown. */
  readonly isPartial: boolean
  /** `null` before the first event. */
  readonly latestTimestamp: string | null
  /** Whether, since the task waits, there was something to wait for. */
  readonly hadWaitReason: boolean
  /** Whether there was a `task-complete`. */
  readonly hasResult: boolean
  /** Whether there was a `task-status` with a terminal status. */
  readonly hasTerminalStatus: boolean

  /** Key of the parent. `null` if there is none or it is unknown. */
  readonly parent: string | null
  readonly parentTaskId: string | null
  readonly depth: number
  /** Keys of the subtasks that have not ended. */
  readonly children: readonly string[]
  /** Ids of the subtasks that have a `subtask-created` or a `task-created`, but not both. */
  readonly unpaired: readonly string[]

  /** The segments that are open, or were open together with the last one, in the order in which they began. */
  readonly segments: readonly SegmentState[]
  /** Whether a segment was removed from the full list: open segments may be unknown. */
  readonly hasEvictedSegment: boolean
  /** The texts that have been completed, in the order in which they were last. */
  readonly completedTexts: readonly CompletedText[]
  /** The content of the last completed segment. `null` if there is none or it is unknown. */
  readonly lastContent: TextMark | null
  /** The index of the next thought. `null` if unknown. */
  readonly nextThought: number | null

  /** Keys of what is open, by store. */
  readonly open: OpenItems

  /** The latest position in the agent loop. */
  readonly iteration: number
  /** The thoughts and calls that began in the latest iteration. */
  readonly begun: readonly (readonly [store: 'thoughts' | 'calls', key: string])[]
  /** What holds again if the latest iteration is reset. */
  readonly remaining: Pick<TaskState, 'nextThought' | 'lastContent'>
  /** The latest iteration in which a call has started. `null` if none has. */
  readonly startedIteration: number | null
  readonly stage: LoopStage
  /** Whether an error announced that the task will fail. */
  readonly hasFatalError: boolean
  /** The latest attempt by error code. The last 8. */
  readonly attempts: readonly (readonly [code: string, attempt: number])[]
}

/** What a task has open: the keys of its items. */
export interface OpenItems {
  /** Calls that run or whose arguments are streamed. */
  readonly calls: readonly string[]
  readonly inputs: readonly string[]
  readonly auths: readonly string[]
  /** Artifacts that are being written. */
  readonly artifacts: readonly string[]
}

const nothingOpen: OpenItems = { calls: [], inputs: [], auths: [], artifacts: [] }

/** A stage of one iteration of the agent loop. */
export type LoopStage = EventOf<'internal:thought-process'>['stage']

/** A text that has been completed. */
export interface CompletedText {
  /** `null` for the text without an id. */
  readonly contentId: string | null
  /** The iteration that its first event stated. `null` if none. */
  readonly iteration: number | null
}

export interface SegmentState extends CompletedText {
  /** Whether the segment was complete before and is open again: whether a result repeats it is unknown. */
  readonly isReopened: boolean
  /** The deltas. `null` once the segment is complete. */
  readonly series: SeriesState | null
  /** The content. `null` while the segment is open. */
  readonly content: TextMark | null
}

/** A series of indexed deltas. */
export interface SeriesState {
  readonly nextIndex: number
  /** The hash of all deltas. `null` if some are missing. */
  readonly hash: TextMark | null
}

export const emptySeries: SeriesState = { nextIndex: 0, hash: noMark }

/** The copy of a task that one step may change. */
export type TaskDraft = Mutable<TaskState>

/** A task before its first event. */
export function newTask(contextId: string, taskId: string, isPartial: boolean): TaskDraft {
  return {
    key: contextKey(contextId, taskId),
    contextId,
    taskId,
    status: 'created',
    isPartial,
    latestTimestamp: null,
    hadWaitReason: false,
    hasResult: false,
    hasTerminalStatus: false,
    parent: null,
    parentTaskId: null,
    depth: 0,
    children: [],
    unpaired: [],
    segments: [],
    hasEvictedSegment: false,
    completedTexts: [],
    lastContent: null,
    nextThought: isPartial ? null : 0,
    open: nothingOpen,
    iteration: 0,
    begun: [],
    remaining: { nextThought: isPartial ? null : 0, lastContent: null },
    startedIteration: null,
    stage: 'pre-llm',
    hasFatalError: false,
    attempts: [],
  }
}

/** A copy of a task. Written field by field, which engines copy many times faster. */
export function copyTask(task: TaskState): TaskDraft {
  return {
    key: task.key,
    contextId: task.contextId,
    taskId: task.taskId,
    status: task.status,
    isPartial: task.isPartial,
    latestTimestamp: task.latestTimestamp,
    hadWaitReason: task.hadWaitReason,
    hasResult: task.hasResult,
    hasTerminalStatus: task.hasTerminalStatus,
    parent: task.parent,
    parentTaskId: task.parentTaskId,
    depth: task.depth,
    children: task.children,
    unpaired: task.unpaired,
    segments: task.segments,
    hasEvictedSegment: task.hasEvictedSegment,
    completedTexts: task.completedTexts,
    lastContent: task.lastContent,
    nextThought: task.nextThought,
    open: task.open,
    iteration: task.iteration,
    begun: task.begun,
    remaining: task.remaining,
    startedIteration: task.startedIteration,
    stage: task.stage,
    hasFatalError: task.hasFatalError,
    attempts: task.attempts,
  }
}

/** Whether a task has ended. */
export function hasEnded({ status }: TaskState): boolean {
  return isTerminalStatus(status)
}
