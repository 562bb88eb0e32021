/** Pages of a view: the tasks of a conversation, the newest first. */
import { optional, requireInteger, requireOnly, requireText } from '../../../core/require.ts'
import { utf8Length } from '../../../encoding/utf8-length.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { contextKey } from '../../context-key.ts'
import type { ArtifactView } from '../artifact.ts'
import type { ArtifactPart } from '../parts.ts'
import { requireView } from '../require-view.ts'
import { rootsOf } from '../roots.ts'
import type { TaskView, View } from '../view.ts'
import { exactEvents, snapshotEvents } from './snapshot-events.ts'

/** Which page of a history. */
export interface HistoryPageOptions {
  /** The root task after it: the `older` of the page after it, or the id of that task. Omitted: the newest page. */
  readonly before?: string
  /**
   * How many root tasks it has at most, each with its subtasks. From 1.
   *
   * @defaultValue 20
   */
  readonly limit?: number
  /**
   * How large its events are at most, in bytes of UTF-8 JSON; a root task that is larger is a page alone. From 1.
   *
   * @defaultValue 1 048 576 (1 Mi)
   */
  readonly maxBytes?: number
}

/** Some tasks of a conversation. */
export interface HistoryPage {
  /** Events that fold to the tasks, with their artifacts as they are now; see {@link ViewStore.prepend}. */
  readonly events: readonly ContextAnyEvent[]
  /** Pass it as `before` for the page before this one. Omitted: there is none. */
  readonly older?: string
}

const PAGE_TASKS = 20
const PAGE_BYTES = 2 ** 20

/**
 * Returns a page of the tasks of a view. A `before` that the view does not have, such as that of a task that was forgotten since,
 * gives an empty page. If tasks of several pages write to one artifact at the same time, the `status` of its parts and its
 * `pending` version may differ from those of the view.
 *
 * @param view - What its reader may see; see {@link project}.
 * @throws TypeError if an option is invalid or unknown, or `view` is not a view.
 */
export function historyPage(view: View, options: HistoryPageOptions = {}): HistoryPage {
  requireView(view)
  requireHistoryOptions('options', options)
  return pageOf(view, options) as HistoryPage
}

/**
 * The events of a view. If they are larger than a limit of bytes, those of the newest tasks, and those that have not ended as far as
 * there is room: what a reader needs to follow it. A task that is larger than the limit comes alone.
 *
 * @param eventsOf - How to write them. Omitted: for readers who may see all of the view.
 */
export function newestTasks(
  view: View,
  maxBytes: number | undefined,
  eventsOf: typeof snapshotEvents = exactEvents,
): HistoryPage {
  const events = eventsOf(view)
  if (maxBytes === undefined || utf8Length(JSON.stringify(events)) <= maxBytes) return { events }
  return pageOf(view, newcomerLimits(maxBytes, eventsOf)) as HistoryPage
}

/** What a reader gets of a view that is larger than a limit of bytes. */
export function newcomerLimits(maxBytes: number, eventsOf: typeof snapshotEvents): PageLimits {
  return { limit: Number.POSITIVE_INFINITY, maxBytes, withOpen: true, eventsOf }
}

/** How large a page is. */
export interface PageLimits extends HistoryPageOptions {
  /** Whether it has the tasks before it that have not ended. */
  readonly withOpen?: boolean
  readonly eventsOf?: typeof snapshotEvents
}

/**
 * A page of a view.
 *
 * @param isOld - Whether a task began before others that the view does not have. If the page may need these, how much of it is known is
 * returned: from 0 to 1.
 */
export function pageOf(
  view: View,
  limits: PageLimits,
  isOld?: (task: TaskView) => boolean,
): HistoryPage | number {
  const { before, limit = PAGE_TASKS, maxBytes = PAGE_BYTES, withOpen, eventsOf = snapshotEvents } = limits
  const trees = treesOf(view.tasks)
  const roots = trees.map(({ name }) => name)
  const treeOf = (at: number): readonly TaskView[] => trees[at]?.tasks ?? []
  const page = new Set<TaskView>()
  let bytes = 0
  const add = (tree: readonly TaskView[]): boolean => {
    const size = utf8Length(JSON.stringify(eventsOf(partOf(view, tree))))
    if (page.size > 0 && bytes + size > maxBytes) return false
    bytes += size
    for (const task of tree) page.add(task)
    return true
  }
  const end = before === undefined ? roots.length : roots.indexOf(before)
  if (end < 0) return { events: [] }
  let first = end
  while (first > 0 && end - first < limit && add(treeOf(first - 1))) first--
  // The one before the page is known, too.
  if (isOld && trees.findLastIndex(({ tasks }) => tasks.some(isOld)) >= first - 1)
    return Math.max((end - first) / limit, Math.min(bytes / maxBytes, 1))
  if (withOpen) {
    for (let at = first - 1; at >= 0; at--) if (treeOf(at).some(isOpen)) add(treeOf(at))
  }
  const tasks = view.tasks.filter((task) => page.has(task))
  const oldest = roots[first]
  return {
    events: eventsOf(partOf(view, tasks)),
    ...(first > 0 && oldest !== undefined && { older: oldest }),
  }
}

function isOpen({ status }: TaskView): boolean {
  return status === null || !isTerminalStatus(status)
}

/** Requires options of {@link historyPage}. `before` comes from a client: any text is one. */
export function requireHistoryOptions(
  name: string,
  options: HistoryPageOptions,
  others: readonly string[] = [],
): void {
  requireOnly(name, options, ['before', 'limit', 'maxBytes', ...others])
  optional(requireText, 'before', options.before)
  optional((own, value) => requireInteger(own, value, 1), 'limit', options.limit)
  optional((own, value) => requireInteger(own, value, 1), 'maxBytes', options.maxBytes)
}

/** A root task, which the view may not have, and those below it. */
interface Tree {
  readonly key: string
  /** The id of the root; its key if others have that id in other contexts. */
  name: string
  readonly tasks: TaskView[]
}

/** The tasks by their roots, in the order in which the roots began. */
function treesOf(tasks: readonly TaskView[]): Tree[] {
  const rootOf = rootsOf(tasks)
  const trees = new Map<string, Tree>()
  for (const task of tasks) {
    const key = rootOf(task)
    const tree = trees.get(key) ?? { key, name: key, tasks: [] }
    trees.set(key, tree)
    tree.tasks.push(task)
    for (const id of [task.parentTaskId, task.taskId]) {
      if (id !== null && contextKey(task.contextId, id) === key) tree.name = id
    }
  }
  const list = [...trees.values()]
  const counts = new Map<string, number>()
  for (const { name } of list) counts.set(name, (counts.get(name) ?? 0) + 1)
  return list.map((tree) => (counts.get(tree.name) === 1 ? tree : { ...tree, name: tree.key }))
}

/** The view of some tasks, with the artifacts that they have a part in. */
function partOf(view: View, tasks: readonly TaskView[]): View {
  const writers = new Map<string, Writer[]>()
  for (const task of tasks) {
    for (const part of task.parts) {
      if (part.type !== 'artifact') continue
      const key = contextKey(task.contextId, part.artifactId)
      writers.set(key, [...(writers.get(key) ?? []), { task, part }])
    }
  }
  const artifacts = view.artifacts.flatMap((artifact) => {
    const own = writers.get(contextKey(artifact.contextId, artifact.artifactId))
    return own === undefined ? [] : [writtenBy(own, artifact)]
  })
  return { ...view, tasks, artifacts, diagnostics: [] }
}

interface Writer {
  readonly task: TaskView
  readonly part: ArtifactPart
}

/** What some tasks have done with an artifact: all, or what came before a newer task went on with it. */
function writtenBy(writers: readonly Writer[], artifact: ArtifactView): ArtifactView {
  const { committed, pending, ...rest } = artifact
  const isOf = (taskId: string): boolean => writers.some(({ task }) => task.taskId === taskId)
  if (isOf(artifact.taskId) && isOf(pending?.taskId ?? artifact.taskId)) return artifact
  const taskId = writers.at(-1)?.task.taskId ?? artifact.taskId
  const isComplete = writers.some(({ part }) => part.status === 'complete')
  return { ...rest, taskId, ...(isComplete && committed && { committed }) }
}
