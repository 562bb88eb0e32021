/** A view within a limit of its size. */

import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../context-key.ts'
import type { TaskView, View } from './view.ts'

/**
 * The view itself if the JSON of its tasks and artifacts is at most `maxLength` UTF-16 code units long. Otherwise a view
 * without the oldest root tasks that have ended, each with its subtasks and artifacts: as many as it takes to get to
 * half of that length. `undefined` if what has not ended is longer than `maxLength`.
 */
export function boundedView(view: View, maxLength: number): View | undefined {
  const rootOf = roots(view.tasks)
  const sizes = new Map<string, number>()
  const open = new Set<string>()
  let total = 0
  const add = (root: string, item: object): void => {
    const size = JSON.stringify(item).length
    total += size
    sizes.set(root, (sizes.get(root) ?? 0) + size)
  }
  for (const task of view.tasks) {
    const root = rootOf(task)
    add(root, task)
    if (task.status === null || !isTerminalStatus(task.status)) open.add(root)
  }
  for (const artifact of view.artifacts) add(rootOf(artifact), artifact)
  if (total <= maxLength) return view
  const forgotten = new Set<string>()
  for (const [root, size] of sizes) {
    if (total * 2 <= maxLength) break
    if (open.has(root)) continue
    forgotten.add(root)
    total -= size
  }
  if (total > maxLength) return undefined
  return {
    ...view,
    tasks: view.tasks.filter((task) => !forgotten.has(rootOf(task))),
    artifacts: view.artifacts.filter((artifact) => !forgotten.has(rootOf(artifact))),
  }
}

/** Returns the key of the root task of a task or artifact. */
function roots(tasks: readonly TaskView[]): (item: Pick<TaskView, 'contextId' | 'taskId'>) => string {
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
