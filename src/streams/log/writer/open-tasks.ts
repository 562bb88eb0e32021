/** Which tasks a writer has begun or continued, and not ended. */
import type { TaskName } from '../../../events/event.ts'
import { isTaskEnd } from '../../../events/task-end.ts'
import { contextKey } from '../../context-key.ts'

/** A task, by the ids of its context and its own. */
export type TaskKey = readonly [contextId: string, taskId: string]

/** The most recently ended tasks: an event that follows the end does not open the task again. */
const MAX_ENDED = 1000

/** The open tasks of one writer. */
export class OpenTasks {
  private readonly open = new Map<string, TaskKey>()
  private readonly ended = new Set<string>()
  private changes = 0

  /** How often the tasks have changed. */
  get version(): number {
    return this.changes
  }

  get size(): number {
    return this.open.size
  }

  /** Adds an event that is about to be appended. */
  add(event: { readonly kind: string } & Partial<TaskName>): void {
    const { contextId, taskId } = event as Readonly<Record<string, unknown>>
    if (typeof contextId !== 'string' || typeof taskId !== 'string') return
    const key = contextKey(contextId, taskId)
    if (isTaskEnd(event)) {
      if (this.open.delete(key)) this.changes++
      this.ended.add(key)
      const [oldest] = this.ended
      if (this.ended.size > MAX_ENDED && oldest !== undefined) this.ended.delete(oldest)
    } else if (!this.open.has(key) && !this.ended.has(key)) {
      this.open.set(key, [contextId, taskId])
      this.changes++
    }
  }

  /** Adds tasks that another writer has begun. */
  hold(tasks: readonly TaskName[]): void {
    for (const { contextId, taskId } of tasks) this.add({ kind: 'task-created', contextId, taskId })
  }

  /** Removes tasks that go on elsewhere. Omitted: all. Returns whether it had any of them. */
  give(tasks?: readonly TaskName[]): boolean {
    const before = this.open.size
    if (tasks === undefined) this.open.clear()
    for (const { contextId, taskId } of tasks ?? []) {
      const key = contextKey(contextId, taskId)
      this.open.delete(key)
      // An end that was refused has not ended it.
      this.ended.delete(key)
    }
    if (this.open.size === before) return false
    this.changes++
    return true
  }

  toJSON(): TaskKey[] {
    return [...this.open.values()]
  }
}
