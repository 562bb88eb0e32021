/** The subtasks that events have stated: their other events may state no parent, and are hidden all the same. */
import {
  type BoundedMap,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../core/bounded-map/bounded-map.ts'
import { isForwardedByDefault, statesParent } from '../../streams/access/audience.ts'
import { contextKey } from '../../streams/context-key.ts'

/** The keys of subtasks. */
export type Subtasks = BoundedMap<true>

/** At least so many of those stated last are kept, and at most twice as many. */
const KEPT = 50_000

/** The fields of an event before it is checked. */
type Unchecked = Readonly<Record<string, unknown>>

/** The subtasks, with the one that an event states. */
export function withSubtask(known: Subtasks | undefined, event: Unchecked): Subtasks | undefined {
  const { kind, taskId, subtaskId } = event
  const id = statesParent(event) ? taskId : kind === 'subtask-created' && subtaskId !== taskId && subtaskId
  const key = keyOf(event, id)
  if (key === undefined || (known !== undefined && boundedGet(known, key))) return known
  return boundedSet<true>(known ?? emptyBoundedMap, key, true, KEPT).map
}

/** Whether an event is of one of the subtasks, and is not forwarded to users and observers. */
export function isKeptBack(known: Subtasks, event: Unchecked): boolean {
  if (isForwardedByDefault(event as { kind: string })) return false
  const key = keyOf(event, event.taskId)
  return key !== undefined && boundedGet(known, key) === true
}

function keyOf({ contextId }: Unchecked, taskId: unknown): string | undefined {
  return typeof contextId === 'string' && typeof taskId === 'string'
    ? contextKey(contextId, taskId)
    : undefined
}
