/** Joining two views. */

import { contextKey } from '../../context-key.ts'
import type { PartView } from '../parts.ts'
import type { TaskView, View } from '../view.ts'

/** A view with what an older one has besides. Tasks that this does not change are the same objects. */
export function withOlder(view: View, older: View): View {
  const artifacts = new Map(
    view.artifacts.map((artifact) => [contextKey(artifact.contextId, artifact.artifactId), artifact]),
  )
  /** What another task went on with is not being written any more. */
  const settled = (task: TaskView, part: PartView): PartView => {
    if (part.type !== 'artifact' || part.status !== 'writing') return part
    const artifact = artifacts.get(contextKey(task.contextId, part.artifactId))
    const isWriting = artifact === undefined || artifact.pending?.taskId === task.taskId
    return isWriting ? part : { ...part, status: 'ended' }
  }
  const tasks = missing(older.tasks, view.tasks, (task) => task.taskId)
  return {
    ...view,
    older: (older.tasks.length === 0 ? view : older).older,
    contextId: view.contextId ?? older.contextId,
    tasks: [
      ...tasks.map((task) => {
        const parts = task.parts.map((part) => settled(task, part))
        return parts.every((part, i) => part === task.parts[i]) ? task : { ...task, parts }
      }),
      ...view.tasks,
    ],
    artifacts: [
      ...missing(older.artifacts, view.artifacts, (artifact) => artifact.artifactId),
      ...view.artifacts,
    ],
  }
}

/** The items that are not among others. */
function missing<T extends { readonly contextId: string }>(
  items: readonly T[],
  others: readonly T[],
  idOf: (item: T) => string,
): T[] {
  const keyOf = (item: T): string => contextKey(item.contextId, idOf(item))
  const known = new Set(others.map(keyOf))
  return items.filter((item) => !known.has(keyOf(item)))
}
