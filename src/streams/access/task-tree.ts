/** The task tree that events state: parents of the most recently used subtasks of all contexts. */
import { mismatch, requireInteger } from '../../core/require.ts'
import { type RoutedEvent, statesParent } from './audience.ts'

/** The parents of subtasks, as events state them. Mutable; {@link TaskTree.state} is plain JSON. */
export interface TaskTree {
  /**
   * Adds the parent links an event states: that of a `subtask-created`, and that of any event with a `parentTaskId`.
   * The first parent of a task is kept, and links that would form a cycle are ignored.
   *
   * @returns The event with the `parentTaskId` of its task if it has none and the tree has one; otherwise the event
   * itself.
   */
  stamp<E extends { readonly kind: string }>(event: E): E
  /** The topic of an event: its context, the nearest 63 ancestors of its task from the top, the task. */
  topicOf(event: RoutedEvent): string[]
  /** The current content, as plain JSON: pass it to {@link createTaskTree} to continue. Never changed in place. */
  readonly state: TaskTreeState
}

/** The links of a tree in two generations, each in the order in which they were used. */
export interface TaskTreeState {
  readonly newer: readonly TaskLink[]
  readonly older: readonly TaskLink[]
}

/** A subtask and its parent, by their ids. */
export type TaskLink = readonly [contextId: string, taskId: string, parentTaskId: string]

/** Number of subtasks whose parents are kept unless stated otherwise. */
export const MAX_SUBTASKS = 100_000

/** Maximum depth of a topic. Ancestors further up are omitted. */
const MAX_DEPTH = 64

/**
 * Creates a tree. It has two generations: an entry that is read moves to the new one; when that is full, it replaces
 * the old one. Most look-ups therefore change nothing.
 *
 * @param limit - Maximum number of subtasks, from 2. The most recently used half of them is always kept. Omitted: 100 000.
 * @param state - A stored {@link TaskTree.state}; or `{ newer: links, older: [] }`. Omitted: the tree is empty.
 * @throws TypeError if `limit` or `state` is invalid.
 */
export function createTaskTree(limit: number = MAX_SUBTASKS, state?: TaskTreeState): TaskTree {
  requireInteger('limit', limit, 2)
  if (state !== undefined) requireState(state)
  const half = Math.floor(limit / 2)
  let newer = new Parents(state?.newer)
  let older = new Parents(state?.older)
  let current = state

  const store = (contextId: string, taskId: string, parent: string): void => {
    if (newer.size >= half) {
      older = newer
      newer = new Parents()
    }
    newer.set(contextId, taskId, parent)
    current = undefined
  }

  const parentOf = (contextId: string, taskId: string): string | undefined => {
    const known = newer.get(contextId, taskId)
    if (known !== undefined) return known
    const parent = older.get(contextId, taskId)
    if (parent !== undefined) store(contextId, taskId, parent)
    return parent
  }

  /** The task and its ancestors, from the task up. */
  const pathFrom = (contextId: string, taskId: string): string[] => {
    const path = [taskId]
    for (let at = parentOf(contextId, taskId); at !== undefined; at = parentOf(contextId, at)) {
      if (path.length === MAX_DEPTH) break
      path.push(at)
    }
    return path
  }

  const link = (contextId: string, taskId: string, parent: string): void => {
    if (parentOf(contextId, taskId) !== undefined) return
    if (pathFrom(contextId, parent).includes(taskId)) return
    store(contextId, taskId, parent)
  }

  return {
    stamp(event) {
      const { kind, contextId, taskId, parentTaskId, subtaskId } = event as StampedEvent
      if (typeof contextId !== 'string' || typeof taskId !== 'string') return event
      const isStamped = statesParent(event)
      if (isStamped) link(contextId, taskId, parentTaskId as string)
      if (kind === 'subtask-created' && typeof subtaskId === 'string') link(contextId, subtaskId, taskId)
      if (isStamped) return event
      const parent = parentOf(contextId, taskId)
      if (parent === undefined) return event
      if ('parentTaskId' in event) return { ...event, parentTaskId: parent }
      // Several times as fast as a field after the spread.
      return {
        kind,
        contextId,
        taskId,
        parentTaskId: parent,
        ...(event as object),
      } as unknown as typeof event
    },
    topicOf({ contextId, taskId }) {
      const topic = pathFrom(contextId, taskId)
      topic.push(contextId)
      return topic.reverse()
    },
    get state() {
      current ??= { newer: newer.links(), older: older.links() }
      return current
    },
  }
}

function requireState(state: unknown): void {
  const { newer, older } = (state ?? {}) as Partial<TaskTreeState>
  if (Array.isArray(newer) && Array.isArray(older) && [...newer, ...older].every(Array.isArray)) return
  throw mismatch('state', 'the state of a task tree', state)
}

/** The fields of an event that the tree reads, before validation. */
interface StampedEvent {
  readonly kind: string
  readonly contextId?: unknown
  readonly taskId?: unknown
  readonly parentTaskId?: unknown
  readonly subtaskId?: unknown
}

/** Parent task ids by context and task. */
class Parents {
  size = 0
  private readonly contexts = new Map<string, Map<string, string>>()

  constructor(links: readonly TaskLink[] = []) {
    for (const link of links) this.set(...link)
  }

  get(contextId: string, taskId: string): string | undefined {
    return this.contexts.get(contextId)?.get(taskId)
  }

  set(contextId: string, taskId: string, parent: string): void {
    const tasks = this.contexts.get(contextId)
    if (tasks === undefined) this.contexts.set(contextId, new Map([[taskId, parent]]))
    else tasks.set(taskId, parent)
    this.size++
  }

  links(): TaskLink[] {
    return [...this.contexts].flatMap(([contextId, tasks]) =>
      [...tasks].map(([taskId, parent]): TaskLink => [contextId, taskId, parent]),
    )
  }
}
