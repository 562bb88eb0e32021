/** The task in its current state, from the state of `toA2a`. */

import { boundedValues } from '../../../core/bounded-map/bounded-map.ts'
import type { MachineState } from '../../../core/machine-state.ts'
import { mismatch, optional, requireArray, requireObject, requireOnly } from '../../../core/require.ts'
import type { Status, TaskUpdate } from '../wire/model.ts'
import { serializeTask } from '../wire/serialize.ts'
import { type A2aMessage, type A2aTask, type A2aVersion, requireVersion } from '../wire/version.ts'
import { toArtifact } from './artifact-record.ts'
import { taskExtension } from './carried-events.ts'
import type { TaskInfo, ToA2aState } from './state.ts'

/** Options of {@link a2aSnapshot}. */
export interface A2aSnapshotOptions<V extends A2aVersion> {
  /**
   * The messages of the task so far, oldest first, as `history` of the task. The server has them: events do not
   * contain the messages of the user. Defaults to none.
   */
  readonly history?: readonly A2aMessage<V>[]
}

/**
 * The task in its current state: its status and everything written so far. Answer `tasks/get` and `GetTask`
 * with it, and send it first when a client re-subscribes (in 1.0 as `{ task }`).
 *
 * With the extension it carries the last events, from which a reader continues without repeating any. Artifacts
 * beyond 32 Mi characters in total are left out, as are those before the last 32,768.
 *
 * @throws TypeError before the first event, when no task exists yet, or if `history` is not an array.
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
  options: A2aSnapshotOptions<V> = {},
): A2aTask<V> {
  requireObject('state', state)
  requireVersion(state.version)
  requireOnly('options', options, ['history'])
  const { history } = options
  optional(requireArray, 'history', history)
  const full = state as unknown as ToA2aState<V>
  if (!full.task?.id) throw mismatch('state', 'a state after the first event', state)
  const task = serializeTask(full.version, taskUpdate(full, full.task, true))
  return history === undefined || history.length === 0 ? task : { ...task, history: structuredClone(history) }
}

/**
 * The task in its current state, as an update. Shares no mutable value with the state.
 *
 * @param isWhole - Whether it carries all logged events, or only those held back.
 */
export function taskUpdate(
  state: ToA2aState,
  { id, contextId, metadata }: TaskInfo,
  isWhole: boolean,
): TaskUpdate {
  const { extension } = state
  return {
    type: 'task',
    taskId: id,
    contextId,
    status: copyStatus(state.status),
    artifacts: [...boundedValues(state.artifacts)]
      .filter((record) => record.isWritten && record.body !== undefined)
      .sort((a, b) => a.order - b.order)
      .map(toArtifact),
    ...((metadata !== undefined || extension !== null) && {
      metadata: {
        ...structuredClone(metadata),
        ...(extension !== null && taskExtension(extension, isWhole)),
      },
    }),
  }
}

/** A status that shares no data with the state. Everything else is copied when it is serialized. */
export function copyStatus(status: Status): Status {
  const { message } = status
  if (message === undefined) return status
  const parts = message.parts.map((part) =>
    part.type === 'data' ? { ...part, data: structuredClone(part.data) } : part,
  )
  return { ...status, message: { ...message, parts } }
}
