/** The state of {@link verifier}: what it stores of tasks, tool calls, requests, thoughts and artifacts. */

import type { EventOf } from '../../events/event.ts'
import { isTerminalStatus, type TaskStatus } from '../../events/task-status.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../events/thought.ts'
import { emptyGenerational, type GenerationalMap } from '../collections/generational-map.ts'
import type { TextHash } from './text-hash.ts'

/**
 * The state of {@link verifier} between two events. Plain JSON.
 *
 * Bounded: it holds the 4096 to 8192 most recently used of tasks, calls, requests, thoughts and artifacts
 * each, and the last 256 entries of the lists within them. Texts are stored as hashes, the streamed
 * arguments of a call up to 65 536 characters.
 */
export interface VerifierState {
  /** Position of the next event. */
  readonly nextIndex: number
  /** Whether entries were evicted. From then on, unknown ids are not violations. */
  readonly hasEvicted: boolean
  readonly tasks: GenerationalMap<TaskState>
  readonly calls: GenerationalMap<CallState>
  readonly requests: GenerationalMap<RequestState>
  readonly thoughts: GenerationalMap<ThoughtState>
  readonly artifacts: GenerationalMap<ArtifactState>
  /** Keys of the violations that are reported only once and have been. */
  readonly reported: readonly string[]
  /** References of thoughts to ids that have not been seen yet. */
  readonly unresolved: readonly ThoughtReference[]
}

/** One task. */
export interface TaskState {
  readonly contextId: string
  readonly taskId: string
  readonly lifecycle: TaskLifecycle
  readonly lineage: TaskLineage
  readonly text: TextState
  /** Keys of the open items. */
  readonly open: {
    readonly tools: readonly string[]
    readonly inputs: readonly string[]
    readonly auths: readonly string[]
    /** Of the artifacts that are being written. */
    readonly writes: readonly string[]
  }
  /** The index of the next thought. `null` if unknown. */
  readonly nextThought: number | null
  /** The latest position in the agent loop. */
  readonly loop: { readonly iteration: number; readonly stage: LoopStage }
  readonly errors: {
    /** Whether an error announced that the task will fail. */
    readonly isFatal: boolean
    /** The latest attempt by error code. The last 8. */
    readonly attempts: readonly (readonly [code: string, attempt: number])[]
  }
}

/** A stage of one iteration of the agent loop. */
export type LoopStage = EventOf<'internal:thought-process'>['stage']

export interface TaskLifecycle {
  /** `announced`: only a `subtask-created` of its parent was seen. */
  readonly status: 'announced' | 'created' | TaskStatus
  /** Whether the beginning of the task was not seen: its open items are unknown. */
  readonly isPartial: boolean
  /** The latest timestamp in milliseconds. */
  readonly time: number
  /** Whether, since the task waits, there was something to wait for. */
  readonly hadWaitReason: boolean
  /** Whether there was a `task-complete`. */
  readonly hasResult: boolean
  /** Whether there was a `task-status` with a terminal status. */
  readonly hasTerminalStatus: boolean
}

export interface TaskLineage {
  /** Key of the parent. `null` if there is none or it is unknown. */
  readonly parent: string | null
  readonly parentTaskId: string | null
  readonly depth: number
  /** Keys of the subtasks that have not ended. */
  readonly children: readonly string[]
  /** Ids of the subtasks that have a `subtask-created` or a `task-created`, but not both. */
  readonly unpaired: readonly string[]
}

/** A series of indexed deltas. */
export interface SeriesState {
  readonly nextIndex: number
  /** The hash of all deltas. `null` if some are missing. */
  readonly hash: TextHash | null
}

export interface TextState {
  /**
   * The segments that are open, or were open together with the last one, in the order in which they began.
   * The last 256.
   */
  readonly segments: readonly SegmentState[]
  /** Whether a segment was removed from the full list: open segments may be unknown. */
  readonly hasEvicted: boolean
  /** Whether a segment without `contentId` has been completed before. */
  readonly hasEarlierSegment: boolean
  /** The content of the last completed segment. `null` if there is none or it is unknown. */
  readonly lastContent: TextHash | null
}

export interface SegmentState {
  /** `null` for the text without an id. */
  readonly contentId: string | null
  /** The deltas. `null` once the segment is complete. */
  readonly series: SeriesState | null
  /** The content. `null` while the segment is open. */
  readonly content: TextHash | null
}

export interface CallState {
  readonly taskId: string
  /** `null` if unknown. */
  readonly toolName: string | null
  readonly state: 'writing' | 'running' | 'ended'
  /** Whether no other call of the task may run at the same time. */
  readonly isExclusive: boolean
  readonly progress: number
  readonly nextIndex: number
  /** The arguments as streamed. `null` if too long, incomplete, or no longer needed. */
  readonly argumentsText: string | null
}

export interface RequestState {
  readonly taskId: string
  /** `ended`: its task ended before an answer. */
  readonly state: 'open' | 'answered' | 'ended'
  readonly requireUser: boolean
  /** When it expires, in milliseconds. `null` if never. */
  readonly expiresAt: number | null
}

export interface ThoughtState {
  readonly state: 'open' | 'complete'
  readonly series: SeriesState
  readonly labels: ThoughtLabels
}

/** What the deltas of an open thought state. */
export interface ThoughtLabels {
  readonly thoughtType?: ThoughtType
  readonly verbosity?: ThoughtVerbosity
}

export interface ThoughtReference {
  /** Key of the thought or tool call referred to. */
  readonly key: string
  readonly relatedTo: string
  readonly eventIndex: number
  readonly contextId: string
  readonly taskId: string
}

export interface ArtifactState {
  readonly type: 'file' | 'data' | 'dataset'
  /** 0 before the first complete version. `null` if unknown. */
  readonly version: number | null
  readonly pending: PendingWrite | null
  /** Keys of the tasks that completed a version. `null` if unknown or more than 16. */
  readonly writers: readonly string[] | null
  /** The part of the dataset's schema that is checked. `null` if there is none. */
  readonly rowSchema: RowSchema | null
}

/** A version that is being written. */
export interface PendingWrite {
  /** The task of the last chunk. When it ends, the write is abandoned. */
  readonly taskId: string
  readonly nextIndex: number
  /** `null` if unknown. */
  readonly encoding: 'utf-8' | 'base64' | null
  readonly version: number | null
  /** Bytes or rows so far. */
  readonly size: number
  /** The announced number of bytes or rows. `null` if unknown. */
  readonly expectedSize: number | null
  /** Hashes of the descriptive fields of the first chunk, by field. `null` if it was not seen. */
  readonly descriptor: Readonly<Record<string, TextHash>> | null
}

/** The part of a dataset's JSON Schema that is checked. */
export interface RowSchema {
  readonly required: readonly string[]
  readonly types: readonly (readonly [name: string, types: readonly string[]])[]
}

export const initialState: Omit<VerifierState, 'nextIndex'> = {
  hasEvicted: false,
  tasks: emptyGenerational,
  calls: emptyGenerational,
  requests: emptyGenerational,
  thoughts: emptyGenerational,
  artifacts: emptyGenerational,
  reported: [],
  unresolved: [],
}

/** A task before its first event. */
export function initialTaskState(contextId: string, taskId: string, isPartial: boolean): TaskState {
  return {
    contextId,
    taskId,
    lifecycle: {
      status: 'created',
      isPartial,
      time: Number.MIN_SAFE_INTEGER,
      hadWaitReason: false,
      hasResult: false,
      hasTerminalStatus: false,
    },
    lineage: { parent: null, parentTaskId: null, depth: 0, children: [], unpaired: [] },
    text: { segments: [], hasEvicted: false, hasEarlierSegment: false, lastContent: null },
    open: { tools: [], inputs: [], auths: [], writes: [] },
    nextThought: isPartial ? null : 0,
    loop: { iteration: 0, stage: 'pre-llm' },
    errors: { isFatal: false, attempts: [] },
  }
}

/** Whether a task has ended. */
export function hasEnded({ lifecycle: { status } }: TaskState): boolean {
  return isTerminalStatus(status)
}
