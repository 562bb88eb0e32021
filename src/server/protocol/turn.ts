/** Whether a task that is queued can begin without an answer of its user. */

import type { ContextAnyEvent } from '../../events/event.ts'
import { isTaskEnd } from '../../events/task-end.ts'
import { contextKey } from '../../streams/context-key.ts'

/** Follows the events of a stream, and what a task of it waits for. */
export class Turn {
  readonly #taskId: string
  /** The tasks that wait for an answer, by their keys. */
  readonly #waiting = new Set<string>()
  #isQueued = false

  constructor(taskId: string) {
    this.#taskId = taskId
  }

  follow(event: ContextAnyEvent): void {
    const { kind, taskId } = event
    if (taskId === this.#taskId) {
      if (kind !== 'task-created') this.#isQueued = kind === 'task-status' && event.status === 'submitted'
      return
    }
    const key = contextKey(event.contextId, taskId)
    if (isTaskEnd(event)) this.#waiting.delete(key)
    else if (kind === 'task-status' && event.status.startsWith('waiting-')) this.#waiting.add(key)
    else if (kind === 'task-status') this.#waiting.delete(key)
  }

  /** Whether the task has its turn only once another one is answered, or canceled. */
  get isBlocked(): boolean {
    return this.#isQueued && this.#waiting.size > 0
  }
}
