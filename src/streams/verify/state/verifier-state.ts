/** The state of {@link verifier}. */

import { type BoundedMap, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import type { ThoughtType, ThoughtVerbosity } from '../../../events/thought.ts'
import type { ArtifactState } from './artifact-state.ts'
import { emptySeries, type SeriesState, type TaskState } from './task-state.ts'

/**
 * The state of {@link verifier} between two events. Plain JSON.
 *
 * Bounded: it holds the 4096 to 8192 most recently used of tasks, calls, inputs, authentications, thoughts and
 * artifacts each, and the last 256 entries of the lists within them. Texts are stored as hashes, the streamed
 * arguments of a call up to 65 536 characters.
 */
export interface VerifierState extends Stores {
  /** Position of the next event. */
  readonly nextIndex: number
  /** Whether entries were evicted. From then on, unknown ids are not violations. */
  readonly hasEvicted: boolean
  /**
   * The task of the latest event; `null` before the first one. Consecutive events are often of the same task: it is
   * set in `tasks`, which may hold an earlier state of it, only when an event of another task comes.
   */
  readonly task: TaskState | null
  /** Keys of the violations that are reported only once and have been. */
  readonly reported: readonly string[]
  /** Which task used an id first, by `contextKey`; of a request, with its store. */
  readonly owners: BoundedMap<string>
  /** References of thoughts to ids that have not been seen yet. */
  readonly unresolved: readonly ThoughtReference[]
}

/** The bounded maps of the state: tasks and artifacts by {@link contextKey}, what belongs to a task by {@link itemKey}. */
export interface Stores {
  readonly tasks: BoundedMap<TaskState>
  readonly calls: BoundedMap<CallState>
  readonly inputs: BoundedMap<RequestState>
  readonly auths: BoundedMap<RequestState>
  readonly thoughts: BoundedMap<ThoughtState>
  readonly artifacts: BoundedMap<ArtifactState>
}

export interface CallState {
  /** `null` if unknown. */
  readonly toolName: string | null
  readonly state: 'writing' | 'running' | 'ended'
  /** Whether there was a `tool-start`. */
  readonly hasStarted: boolean
  /** The iteration that its first event stated. `null` if none. */
  readonly iteration: number | null
  /** Whether no other call of the task may run at the same time. */
  readonly isExclusive: boolean
  readonly progress: number
  /** The deltas of its arguments. */
  readonly series: SeriesState
  /** The arguments as streamed. `null` if too long, incomplete, or no longer needed. */
  readonly argumentsText: string | null
  /** The digest of the call that an answer approved. `null` if none did. */
  readonly approved: string | null
}

/** A call before its first event. */
export function newCall(state: CallState['state'], argumentsText: string | null = null): CallState {
  const hasStarted = state === 'running'
  const fresh = { toolName: null, isExclusive: false, progress: 0, series: emptySeries, approved: null }
  return { state, hasStarted, iteration: null, argumentsText, ...fresh }
}

export interface RequestState {
  /** `ended`: its task ended before an answer. */
  readonly state: 'open' | 'answered' | 'ended'
  readonly requireUser: boolean
  /** When it expires, in milliseconds. `null` if never. */
  readonly expiresAt: number | null
  /** The tool call it is about. `null` if none. */
  readonly toolCallId: string | null
}

export interface ThoughtState {
  readonly state: 'open' | 'complete'
  /** The iteration that its first event stated. `null` if none. */
  readonly iteration: number | null
  readonly series: SeriesState
  readonly labels: ThoughtLabels
}

/** What the deltas of an open thought state. */
export interface ThoughtLabels {
  readonly thoughtType?: ThoughtType
  readonly verbosity?: ThoughtVerbosity
}

export interface ThoughtReference {
  /** Of the thought or tool call referred to, within its context. */
  readonly key: string
  readonly relatedTo: string
  readonly eventIndex: number
  readonly contextId: string
  readonly taskId: string
}

/** The state before the first event. */
export function initialState(startIndex: number): VerifierState {
  return {
    nextIndex: startIndex,
    hasEvicted: false,
    task: null,
    tasks: emptyBoundedMap,
    calls: emptyBoundedMap,
    inputs: emptyBoundedMap,
    auths: emptyBoundedMap,
    thoughts: emptyBoundedMap,
    artifacts: emptyBoundedMap,
    reported: [],
    owners: emptyBoundedMap,
    unresolved: [],
  }
}

/** The copy of the state that one step changes. */
export type VerifierDraft = Mutable<VerifierState>

/** A copy of a state. Written field by field, which engines copy many times faster. */
export function copyState(state: VerifierState): VerifierDraft {
  return {
    nextIndex: state.nextIndex,
    hasEvicted: state.hasEvicted,
    task: state.task,
    tasks: state.tasks,
    calls: state.calls,
    inputs: state.inputs,
    auths: state.auths,
    thoughts: state.thoughts,
    artifacts: state.artifacts,
    reported: state.reported,
    owners: state.owners,
    unresolved: state.unresolved,
  }
}
