/** What a router knows of who spawned whom: the tasks of all its contexts, the latest ones. */
import { parentageOf, type RoutedEvent } from '../access/audience.ts'

/** Where tasks come from. Mutable. */
export interface Ancestry {
  /** Takes in what an event tells. */
  learn(event: RoutedEvent): void
  /** The way down to an event's task: its context, the task's ancestors, the task. */
  topicOf(event: RoutedEvent): string[]
}

/** Deeper than any tree of agents; an ancestor further up is left out. */
const MAX_DEPTH = 64

/**
 * Remembers in two halves: what is asked for moves to the fresh one, and when that is full, the stale
 * one is forgotten and the halves change places. So looking up, which each event does, moves nothing
 * most of the time.
 *
 * @param limit - How many subtasks are remembered at most, from 2 on. Half as many that were in use
 * last always are.
 */
export function createAncestry(limit: number): Ancestry {
  const half = Math.floor(limit / 2)
  let fresh = new Parents()
  let stale = new Parents()

  const remember = (contextId: string, taskId: string, parent: string): void => {
    if (fresh.size === half) {
      stale = fresh
      fresh = new Parents()
    }
    fresh.set(contextId, taskId, parent)
  }

  const parentOf = (contextId: string, taskId: string): string | undefined => {
    const known = fresh.get(contextId, taskId)
    if (known !== undefined) return known
    const parent = stale.get(contextId, taskId)
    if (parent !== undefined) remember(contextId, taskId, parent)
    return parent
  }

  /** The task and its ancestors, upwards. */
  const pathFrom = (contextId: string, taskId: string): string[] => {
    const path = [taskId]
    for (let at = parentOf(contextId, taskId); at !== undefined; at = parentOf(contextId, at)) {
      if (path.length === MAX_DEPTH) break
      path.push(at)
    }
    return path
  }

  return {
    learn(event) {
      const { contextId } = event
      for (const { taskId, parentTaskId } of parentageOf(event)) {
        if (parentOf(contextId, taskId) !== undefined) continue
        if (pathFrom(contextId, parentTaskId).includes(taskId)) continue
        remember(contextId, taskId, parentTaskId)
      }
    },
    topicOf({ contextId, taskId }) {
      const topic = pathFrom(contextId, taskId)
      topic.push(contextId)
      return topic.reverse()
    },
  }
}

/** Parents by context and task. */
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
