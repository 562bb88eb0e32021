/** What a router knows of who spawned whom: the tasks of all its contexts, the latest ones. */
import { parentageOf, type RoutedEvent } from './audience.ts'

/** Where tasks come from. Mutable. */
export interface Ancestry {
  /** Takes in what an event tells. */
  learn(event: RoutedEvent): void
  /** The way down to an event's task: its context, the task's ancestors, the task. */
  topicOf(event: RoutedEvent): string[]
}

/** Deeper than any tree of agents; an ancestor further up is left out. */
const MAX_DEPTH = 64

/** @param limit - How many subtasks are remembered. The ones unused longest go first. */
export function createAncestry(limit: number): Ancestry {
  const parents = new Map<string, string>()

  const parentOf = (contextId: string, taskId: string): string | undefined => {
    const key = keyOf(contextId, taskId)
    const parent = parents.get(key)
    if (parent === undefined) return undefined
    // The map keeps the order of insertion: the first is the one unused longest.
    parents.delete(key)
    parents.set(key, parent)
    return parent
  }

  const pathTo = (contextId: string, taskId: string): string[] => {
    const path = [taskId]
    for (let at = parentOf(contextId, taskId); at !== undefined; at = parentOf(contextId, at)) {
      if (path.length === MAX_DEPTH) break
      path.push(at)
    }
    return path.reverse()
  }

  return {
    learn(event) {
      const edge = parentageOf(event)
      if (edge === undefined) return
      const key = keyOf(event.contextId, edge.taskId)
      if (parents.has(key) || pathTo(event.contextId, edge.parentTaskId).includes(edge.taskId)) return
      parents.set(key, edge.parentTaskId)
      if (parents.size <= limit) return
      const [oldest] = parents.keys()
      if (oldest !== undefined) parents.delete(oldest)
    },
    topicOf: ({ contextId, taskId }) => [contextId, ...pathTo(contextId, taskId)],
  }
}

/** One text for a task, whatever its ids are. */
function keyOf(contextId: string, taskId: string): string {
  return `${contextId.length}:${contextId}${taskId}`
}
