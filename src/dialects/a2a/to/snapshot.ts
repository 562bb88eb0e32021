/** The task in its current state, from the state of `toA2a`. */

import type { MachineState } from '../../../core/machine-state.ts'
import { mismatch, requireObject } from '../../../core/require.ts'
import type { TaskUpdate } from '../wire/model.ts'
import { serializeTaskV03 } from '../wire/serialize-v0-3.ts'
import { serializeTaskV1 } from '../wire/serialize-v1.ts'
import type { A2aTask, A2aVersion } from '../wire/version.ts'
import { requireVersion } from '../wire/version.ts'
import { toArtifact } from './artifact-record.ts'
import type { TaskInfo, ToA2aState } from './state.ts'

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
  requireObject('state', state)
  requireVersion(state.version)
  const full = state as unknown as ToA2aState<V>
  if (full.task === undefined) throw mismatch('state', 'a state after the first event', state)
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
