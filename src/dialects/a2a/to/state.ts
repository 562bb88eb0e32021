/** What `toA2a` remembers of a task. */
import type { Metadata } from '../../../events/fields.ts'
import type { TaskStatus } from '../../../events/task.ts'
import type { CarriedEvent } from '../wire/extension.ts'
import type { Message, Status, TaskUpdate } from '../wire/model.ts'
import { writeTaskV03 } from '../wire/serialize-v0-3.ts'
import { writeTaskV1 } from '../wire/serialize-v1.ts'
import type { A2aTask, A2aVersion } from '../wire/version.ts'
import { type KeptArtifact, keptToArtifact } from './artifact-record.ts'

/**
 * The state of {@link toA2a}: plain JSON. Its fields are the library's own; the one thing to do
 * with it, besides going on, is {@link a2aSnapshot}.
 *
 *     new ──▶ open ──input-required──▶ paused ──▶ open … ──completed, failed, canceled──▶ ended
 */
export interface ToA2aState<V extends A2aVersion = A2aVersion> {
  readonly version: V
  /** `paused`: the stream ended because input is required; what follows opens another. */
  readonly phase: 'new' | 'open' | 'paused' | 'ended'
  /** Absent: nothing has happened yet. */
  readonly task?: TaskFacts
  readonly status: Status
  /** The status in our own words, as last told by a `task-status`. */
  readonly told?: TaskStatus
  /** The artifacts that can be written to. Few, as they are copied with each delta. */
  readonly artifacts: readonly KeptArtifact[]
  /** Those that are finished. */
  readonly sealed: readonly KeptArtifact[]
  /** Inputs and authentications that are asked for and not answered, in the order asked. */
  readonly requests: readonly OpenRequest[]
  /** Events waiting for an update to carry them. */
  readonly held: readonly CarriedEvent[]
  /** A status that is to be said when the next event does not make it unnecessary. */
  readonly later?: Status
  readonly counts: Counts
}

/** What is true of a task throughout. */
export interface TaskFacts {
  readonly id: string
  readonly contextId: string
  readonly metadata?: Metadata
}

/** A request that is waiting for its answer. */
export interface OpenRequest {
  /** Our `inputId` or `authId`. */
  readonly id: string
  readonly state: 'input-required' | 'auth-required'
  readonly message: Message
}

export interface Counts {
  /** Messages written, for their ids. */
  readonly messages: number
  /** Tasks written, for telling news from repetition. */
  readonly tasks: number
  /** Characters kept in bodies. */
  readonly kept: number
}

export function initialState<V extends A2aVersion>(version: V): ToA2aState<V> {
  return {
    version,
    phase: 'new',
    status: { state: 'submitted' },
    artifacts: [],
    sealed: [],
    requests: [],
    held: [],
    counts: { messages: 0, tasks: 0, kept: 0 },
  }
}

/**
 * The task as it stands: its status and everything written so far. What `tasks/get` and `GetTask`
 * answer with, and what a stream begins with when a client subscribes again.
 *
 * Artifacts beyond 32 Mi characters in all are left out.
 *
 * @throws TypeError before the first event: there is no task yet.
 *
 * @example
 * ```ts
 * const mapper = run(toA2a({ version: '1.0' }))
 * for (const event of events) send(mapper.push(event))
 * const task = a2aSnapshot(mapper.state)
 * ```
 */
export function a2aSnapshot<V extends A2aVersion>(state: ToA2aState<V>): A2aTask<V> {
  if (state.task === undefined) {
    throw new TypeError('There is no task before its first event: give the machine one before a snapshot.')
  }
  const update = taskUpdate(state, state.task)
  return (state.version === '0.3' ? writeTaskV03(update) : writeTaskV1(update)) as A2aTask<V>
}

/** The task as it stands, as an update. Shares nothing with the state that could be changed. */
export function taskUpdate(state: ToA2aState, { id, contextId, metadata }: TaskFacts): TaskUpdate {
  return {
    type: 'task',
    taskId: id,
    contextId,
    status: structuredClone(state.status),
    artifacts: [...state.sealed, ...state.artifacts]
      .filter((kept) => kept.written && kept.body !== undefined)
      .sort((a, b) => a.order - b.order)
      .map(keptToArtifact),
    ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
  }
}
