/** The tree of the tasks of a view. */

import { contextKey } from '../../context-key.ts'
import type { View } from '../view.ts'

/** The positions of all tasks of a view, subtasks before their parents. */
export function childrenFirst({ tasks }: View): number[] {
  const positions = new Map(tasks.map(({ contextId, taskId }, i) => [contextKey(contextId, taskId), i]))
  const parents = tasks.map(({ contextId, parentTaskId }) =>
    parentTaskId === null ? undefined : positions.get(contextKey(contextId, parentTaskId)),
  )
  const depths: (number | undefined)[] = tasks.map(() => undefined)
  for (let task = 0; task < tasks.length; task++) {
    const path = new Set<number>()
    let at: number | undefined = task
    // Illegal streams may have parents in a circle.
    while (at !== undefined && depths[at] === undefined && !path.has(at)) {
      path.add(at)
      at = parents[at]
    }
    let depth = (at === undefined ? undefined : depths[at]) ?? -1
    for (const ancestor of [...path].reverse()) depths[ancestor] = ++depth
  }
  return tasks.map((_, i) => i).sort((a, b) => (depths[b] ?? 0) - (depths[a] ?? 0))
}
