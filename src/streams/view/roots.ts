/** The root tasks of tasks, by what they state about their parents. */
import { contextKey } from '../context-key.ts'
import type { TaskView } from './view.ts'

/** Returns the key of the root task of a task or artifact. */
export function rootsOf(
  tasks: readonly TaskView[],
): (item: Pick<TaskView, 'contextId' | 'taskId'>) => string {
  const parents = new Map<string, string>()
  for (const { contextId, taskId, parentTaskId } of tasks) {
    if (parentTaskId !== null) parents.set(contextKey(contextId, taskId), contextKey(contextId, parentTaskId))
  }
  const known = new Map<string, string>()
  return ({ contextId, taskId }) => {
    const path: string[] = []
    let at = contextKey(contextId, taskId)
    // A cycle ends where it began.
    const passed = new Set<string>()
    for (; known.get(at) === undefined && !passed.has(at); at = parents.get(at) ?? at) {
      path.push(at)
      passed.add(at)
    }
    const root = known.get(at) ?? at
    for (const key of path) known.set(key, root)
    return root
  }
}
