/** The view behind the snapshots of a stream: what its log no longer holds, bounded like the log. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import type { LogBuffer } from '../log/log-buffer.ts'
import type { LogEntry } from '../log/log-state.ts'
import type { TaskView, View } from '../view/view.ts'
import { createViewStore, type ViewStore } from '../view/view-store.ts'

/** What an `artifact-delta` counts as: one that copies can make an artifact larger than it is itself. */
const PATCH_BYTES = 2 ** 16

/**
 * Folds events when the log evicts them, or when a view is asked for: a stream that ends before either never pays
 * for it.
 */
export class KeptView {
  private readonly log: LogBuffer<ContextAnyEvent>
  private readonly maxBytes: number
  /** Omitted once the view was too large. */
  private store: ViewStore | undefined = createViewStore()
  /** The first `seq` that is not folded. */
  private next = 0
  /** Size of the events folded since the view was last measured. */
  private unmeasured = 0

  constructor(log: LogBuffer<ContextAnyEvent>, maxBytes: number) {
    this.log = log
    this.maxBytes = maxBytes
    log.onEvict = (entry) => {
      if (log.earliest >= this.next) this.fold([entry])
    }
  }

  /** The view after the last event. `undefined` once it was too large to keep. */
  view(): View | undefined {
    this.fold(this.log.entriesFrom(Math.max(this.next, this.log.earliest)))
    return this.store?.getSnapshot()
  }

  private fold(entries: readonly LogEntry<ContextAnyEvent>[]): void {
    this.next += entries.length
    if (this.store === undefined) return
    this.store.push(entries.map(({ event }) => event))
    for (const { event, bytes } of entries) {
      this.unmeasured += event.kind === 'artifact-delta' ? Math.max(bytes, PATCH_BYTES) : bytes
    }
    if (this.unmeasured * 2 <= this.maxBytes) return
    this.unmeasured = 0
    const view = this.store.getSnapshot()
    const bounded = boundedView(view, this.maxBytes)
    if (bounded !== view) this.store = bounded && createViewStore(bounded)
  }
}

/**
 * The view itself if its JSON is at most `maxBytes` long. Otherwise a view without the oldest root tasks that have
 * ended, each with its subtasks and artifacts, of at most half that length; `undefined` if what has not ended is longer
 * than `maxBytes`.
 */
export function boundedView(view: View, maxBytes: number): View | undefined {
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
  if (total <= maxBytes) return view
  const forgotten = new Set<string>()
  for (const [root, size] of sizes) {
    if (total * 2 <= maxBytes) break
    if (open.has(root)) continue
    forgotten.add(root)
    total -= size
  }
  if (total > maxBytes) return undefined
  return {
    ...view,
    tasks: view.tasks.filter((task) => !forgotten.has(rootOf(task))),
    artifacts: view.artifacts.filter((artifact) => !forgotten.has(rootOf(artifact))),
  }
}

/** Returns the key of the root task of a task or artifact. */
function roots(tasks: readonly TaskView[]): (item: Pick<TaskView, 'contextId' | 'taskId'>) => string {
  const keyOf = (contextId: string, taskId: string): string => JSON.stringify([contextId, taskId])
  const parents = new Map<string, string>()
  for (const { contextId, taskId, parentTaskId } of tasks) {
    if (parentTaskId !== null) parents.set(keyOf(contextId, taskId), keyOf(contextId, parentTaskId))
  }
  const known = new Map<string, string>()
  return ({ contextId, taskId }) => {
    const path: string[] = []
    let at = keyOf(contextId, taskId)
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
