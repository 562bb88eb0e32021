/** A view within a limit of its size. */

import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../context-key.ts'
import type { ArtifactView } from './artifact.ts'
import type { PartView } from './parts.ts'
import { rootsOf } from './roots.ts'
import type { TaskView, View } from './view.ts'

/** A view within its limit, and the tasks that it had to lose for it. */
export interface BoundedView {
  readonly view: View
  /** In the order of the view. Empty: the view is as it was. */
  readonly cut: readonly TaskView[]
}

/**
 * The view itself if the JSON of its tasks and artifacts is at most `maxLength` UTF-16 code units long. Otherwise a view
 * without the oldest root tasks that have ended, each with its subtasks and artifacts: as many as it takes to get to
 * half of that length. A root task that alone is longer than `maxLength` is forgotten before them, and, if what has not ended is
 * too long, the longest of these, though they have not ended: one task does not cost all others.
 *
 * Ids that are longer than a few hundred characters count once for each event of a snapshot, all of which state them.
 */
export function boundedView(view: View, maxLength: number): BoundedView {
  const rootOf = rootsOf(view.tasks)
  const sizes = new Map<string, number>()
  const open = new Set<string>()
  let total = 0
  const add = (root: string, item: object, repeated = 0): void => {
    const size = JSON.stringify(item).length + repeated
    total += size
    sizes.set(root, (sizes.get(root) ?? 0) + size)
  }
  for (const task of view.tasks) {
    const root = rootOf(task)
    add(root, task, repeatedLength(task))
    if (task.status === null || !isTerminalStatus(task.status)) open.add(root)
  }
  // An artifact belongs to the root that is forgotten last of those whose tasks have a part for it.
  const order = new Map([...sizes.keys()].map((root, n) => [root, open.has(root) ? Infinity : n]))
  const owners = new Map<string, string>()
  const own = (key: string, root: string): void => {
    const owner = owners.get(key)
    if (owner === undefined || (order.get(root) ?? -1) > (order.get(owner) ?? -1)) owners.set(key, root)
  }
  for (const task of view.tasks) {
    for (const part of task.parts) {
      if (part.type === 'artifact') own(contextKey(task.contextId, part.artifactId), rootOf(task))
    }
  }
  for (const artifact of view.artifacts) {
    own(contextKey(artifact.contextId, artifact.artifactId), rootOf(artifact))
  }
  const ownerOf = ({ contextId, artifactId }: ArtifactView): string =>
    owners.get(contextKey(contextId, artifactId)) ?? ''
  for (const artifact of view.artifacts) add(ownerOf(artifact), artifact)
  if (total <= maxLength) return { view, cut: [] }
  const forgotten = new Set<string>()
  const forget = ([root, size]: readonly [string, number]): void => {
    if (forgotten.has(root)) return
    forgotten.add(root)
    total -= size
  }
  const all = [...sizes]
  for (const each of all) if (each[1] > maxLength) forget(each)
  if (total > maxLength) {
    // As many as it takes to have room for more.
    for (const each of all) if (total * 2 > maxLength && !open.has(each[0])) forget(each)
  }
  for (const each of all.sort((a, b) => b[1] - a[1])) if (total > maxLength) forget(each)
  const isCut = (task: TaskView): boolean => forgotten.has(rootOf(task))
  const tasks = view.tasks.filter((task) => !isCut(task))
  const artifacts = view.artifacts.filter((artifact) => !forgotten.has(ownerOf(artifact)))
  return { view: { ...view, tasks, artifacts }, cut: view.tasks.filter(isCut) }
}

/** The length of ids that is part of the size of any event. */
const USUAL_IDS = 256

/** How much longer than usual the ids of a task are, for each event of a snapshot. */
function repeatedLength({ contextId, taskId, parentTaskId, parts }: TaskView): number {
  const excess = JSON.stringify([contextId, taskId, parentTaskId]).length - USUAL_IDS
  if (excess <= 0) return 0
  // Its beginning, its status and its result are events, too.
  return parts.reduce((count, part) => count + maxEventsOf(part), 3) * excess
}

/** The largest number of events that restore a part. */
function maxEventsOf(part: PartView): number {
  return part.type === 'tool' ? 3 + Object.keys(part.output ?? {}).length : 3
}
