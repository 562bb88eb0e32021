/** Which tasks of a stream have not ended. */
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { endsTask } from '../events/task-end.ts'

/** How many tasks are remembered, open and ended ones each. */
const MAX_TASKS = 1000
/** Longer ids are not remembered. */
const MAX_ID_LENGTH = 1000
/** How many ids a diagnostic lists. */
const MAX_LISTED = 32

/** Remembers the tasks of a stream, in bounded memory. */
export class OpenTasks {
  /** Parent by open task; empty if it has none. */
  readonly #open = new Map<string, string>()
  /** Tasks that have ended. An event that comes late does not open them again. */
  readonly #ended = new Set<string>()
  /** The task of the last event, which is open: most events need no look-up. */
  #last: string | undefined

  add(event: ContextAnyEvent): void {
    const { taskId, parentTaskId = '' } = event
    const isEnd = endsTask(event)
    if ((!isEnd && taskId === this.#last) || taskId.length > MAX_ID_LENGTH) return
    this.#last = undefined
    if (isEnd) {
      this.#open.delete(taskId)
      this.#ended.add(taskId)
      if (this.#ended.size > MAX_TASKS) this.#ended.delete(this.#ended.values().next().value ?? '')
    } else if (!this.#ended.has(taskId)) {
      this.#last = taskId
      const parent = parentTaskId.length > MAX_ID_LENGTH ? '' : parentTaskId
      if (!this.#open.has(taskId) && this.#open.size < MAX_TASKS) this.#open.set(taskId, parent)
    }
  }

  /** What to report at the end of the stream, if a task is open. */
  endedEarly(): Diagnostic | undefined {
    const open = [...this.#open.keys()].filter((taskId) => this.#isOpen(taskId))
    if (open.length === 0) return undefined
    const taskIds = open.slice(0, MAX_LISTED)
    const count = open.length === 1 ? '1 task' : `${open.length} tasks`
    return {
      code: 'ended-early',
      message: `Expected the end of ${count}, got the end of the body.`,
      detail: { taskIds, ...(open.length > taskIds.length && { omitted: open.length - taskIds.length }) },
    }
  }

  /** Whether neither a task nor one above it has ended: subtasks end with the task they belong to. */
  #isOpen(taskId: string): boolean {
    let parent = this.#open.get(taskId)
    // Ids come from outside, and may form a circle.
    for (let steps = 0; parent !== undefined && steps < this.#open.size; steps++) {
      if (this.#ended.has(parent)) return false
      parent = this.#open.get(parent)
    }
    return true
  }
}
