/** The state of `toA2a`, and the task it describes. */

import type { MachineState } from '../../../core/machine-state.ts'
import type { Metadata } from '../../../events/fields.ts'
import type { TaskStatus } from '../../../events/task.ts'
import type { ExtensionEvent } from '../wire/extension.ts'
import type { Message, Status, TaskUpdate } from '../wire/model.ts'
import { serializeTaskV03 } from '../wire/serialize-v0-3.ts'
import { serializeTaskV1 } from '../wire/serialize-v1.ts'
import type { A2aTask, A2aVersion } from '../wire/version.ts'
import { type ArtifactRecord, toArtifact } from './artifact-record.ts'

/**
 * The state of `toA2a`.
 *
 *     new ──▶ open ──input-required──▶ paused ──▶ open … ──completed, failed, canceled──▶ ended
 */
export interface ToA2aState<V extends A2aVersion = A2aVersion> {
  readonly version: V
  /** `paused`: the stream ended because input is required; the next event opens another. */
  readonly phase: 'new' | 'open' | 'paused' | 'ended'
  /** Omitted before the first event. */
  readonly task?: TaskInfo
  readonly status: Status
  /** The status of the last `task-status` event. Omitted before the first. */
  readonly eventStatus?: TaskStatus
  /** The artifacts that can be appended to. Few, as each delta copies the list. */
  readonly openArtifacts: readonly ArtifactRecord[]
  readonly completeArtifacts: readonly ArtifactRecord[]
  /** Unanswered requests for input and authentication, oldest first. */
  readonly requests: readonly OpenRequest[]
  /** Events that the next update carries in the extension. */
  readonly heldEvents: readonly ExtensionEvent[]
  /** A status to emit unless the next event makes it unnecessary. */
  readonly deferredStatus?: Status
  readonly counts: Counts
}

/** The fields of a task that never change. */
export interface TaskInfo {
  readonly id: string
  readonly contextId: string
  readonly metadata?: Metadata
}

/** A request that has not been answered. */
export interface OpenRequest {
  /** The `inputId` or `authId` of the event. */
  readonly id: string
  readonly state: 'input-required' | 'auth-required'
  readonly message: Message
}

/** Running totals of a task. */
export interface Counts {
  /** Messages written; part of their ids. */
  readonly messages: number
  /** Tasks written; the `resume` number of the extension. */
  readonly tasks: number
  /** Characters in the bodies of all artifacts. */
  readonly bodyLength: number
}

export function initialState<V extends A2aVersion>(version: V): ToA2aState<V> {
  return {
    version,
    phase: 'new',
    status: { state: 'submitted' },
    openArtifacts: [],
    completeArtifacts: [],
    requests: [],
    heldEvents: [],
    counts: { messages: 0, tasks: 0, bodyLength: 0 },
  }
}

/**
 * The task in its current state: its status and everything written so far. Answer `tasks/get` and `GetTask`
 * with it, and send it first when a client re-subscribes.
 *
 * Artifacts beyond 32 Mi characters in total are left out.
 *
 * @throws TypeError before the first event, when no task exists yet.
 *
 * @example
 * ```ts
 * const mapper = run(toA2a({ version: '1.0' }))
 * for (const event of events) send(mapper.push(event))
 * const task = a2aSnapshot(mapper.state)
 * ```
 */
export function a2aSnapshot<V extends A2aVersion>(
  state: MachineState<'toA2a', { readonly version: V }>,
): A2aTask<V> {
  const full = state as unknown as ToA2aState<V>
  if (full.task === undefined) {
    throw new TypeError('"state" must have a task, got the state before the first event.')
  }
  const update = taskUpdate(full, full.task)
  return (full.version === '0.3' ? serializeTaskV03(update) : serializeTaskV1(update)) as A2aTask<V>
}

/** The task in its current state, as an update. Shares no mutable value with the state. */
export function taskUpdate(state: ToA2aState, { id, contextId, metadata }: TaskInfo): TaskUpdate {
  return {
    type: 'task',
    taskId: id,
    contextId,
    status: structuredClone(state.status),
    artifacts: [...state.completeArtifacts, ...state.openArtifacts]
      .filter((record) => record.isWritten && record.body !== undefined)
      .sort((a, b) => a.order - b.order)
      .map(toArtifact),
    ...(metadata !== undefined && { metadata: structuredClone(metadata) }),
  }
}
