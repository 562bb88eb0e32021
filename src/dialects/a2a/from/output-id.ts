/** The ids of outputs in events: one for each slot, also of other tasks of the context. */

import { boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { MAX_ARTIFACTS } from '../../shared/limits.ts'
import type { TaskEventWriter } from './event-writer.ts'
import type { SlotType } from './slot.ts'
import {
  artifactIdInState,
  type FromA2aState,
  PART,
  type ReceivedTask,
  type SlotId,
  slotId,
} from './state.ts'

/** An id that no other slot has in events: the given one, unless it is taken. */
export function uniqueId(writer: TaskEventWriter, id: SlotId, type: SlotType, given: string): string {
  const { state } = writer
  const isFree = (candidate: string): boolean =>
    !isHeld(state, candidate, id.key) && (type === 'content' || !writer.isTaken(candidate))
  let unique = given
  for (let nth = 2; !isFree(unique); nth++) unique = `${given}@${nth}`
  if (unique !== given) {
    const message = `The id ${describeValue(given)} is taken by another output; this one has ${describeValue(unique)}.`
    writer.inferred('artifactId', message)
  }
  if (unique.includes('@')) state.otherIds = writer.store(state.otherIds, unique, true, MAX_ARTIFACTS)
  return unique
}

/** Whether a slot of a task has an id in events: the artifact, or the part of an artifact or message, with this id. */
function isHeld({ slots, otherIds }: ReceivedTask, id: string, own?: string): boolean {
  if (boundedGet(otherIds, id) !== undefined) return true
  const holders = [slotId(artifactIdInState(id), 0), slotId(PART + id, 0)]
  const end = id.lastIndexOf('/')
  const nth = id.slice(end + 1)
  if (end >= 0 && /^\d+$/.test(nth)) {
    holders.push(slotId(artifactIdInState(id.slice(0, end)), Number(nth) - 1))
  }
  return holders.some(({ key }) => key !== own && boundedGet(slots, key)?.key === id)
}

/** Whether another task of the context has an output with an id: A2A only keeps them apart within a task. */
export function isTakenByOther(
  { tasks }: FromA2aState,
  { taskId, contextId }: ReceivedTask,
  id: string,
): boolean {
  for (const [other, task] of boundedEntries(tasks)) {
    if (other !== taskId && task.contextId === contextId && isHeld(task, id)) return true
  }
  return false
}
