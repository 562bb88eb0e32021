/** The task hierarchy a router has learned: parents of the most recently used tasks of all contexts. */
import { parentLinksOf, type RoutedEvent } from '../access/audience.ts'

/** Maps tasks to their ancestors. Mutable. */
export interface Ancestry {
  /** Records the parent links an event states. */
  record(event: RoutedEvent): void
  /** The topic of an event: its context, the ancestors of its task from the root, the task. */
  topicOf(event: RoutedEvent): string[]
}

/** Maximum depth of a topic. Ancestors further up are omitted. */
const MAX_DEPTH = 64

/**
 * A bounded map of two generations: an entry that is read moves to the new one; when that is full, it replaces
 * the old one. Most look-ups therefore change nothing.
 *
 * @param limit - Maximum number of subtasks, from 2. The most recently used half of them is always kept.
 */
export function createAncestry(limit: number): Ancestry {
  const half = Math.floor(limit / 2)
  let newer = new Parents()
  let older = new Parents()

  const store = (contextId: string, taskId: string, parent: string): void => {
    if (newer.size === half) {
      older = newer
      newer = new Parents()
    }
    newer.set(contextId, taskId, parent)
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

  return {
    record(event) {
      const { contextId } = event
      for (const { taskId, parentTaskId } of parentLinksOf(event)) {
        if (parentOf(contextId, taskId) !== undefined) continue
        if (pathFrom(contextId, parentTaskId).includes(taskId)) continue
        store(contextId, taskId, parentTaskId)
      }
    },
    topicOf({ contextId, taskId }) {
      const topic = pathFrom(contextId, taskId)
      topic.push(contextId)
      return topic.reverse()
    },
  }
}

/** Parent task ids by context and task. */
class Parents {
  size = 0
  private readonly contexts = new Map<string, Map<string, string>>()

  get(contextId: string, taskId: string): string | undefined {
    return this.contexts.get(contextId)?.get(taskId)
  }

  set(contextId: string, taskId: string, parent: string): void {
    const tasks = this.contexts.get(contextId)
    if (tasks === undefined) this.contexts.set(contextId, new Map([[taskId, parent]]))
    else tasks.set(taskId, parent)
    this.size++
  }
}
