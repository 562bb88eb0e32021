/** What a task waits for, as its user sees it. */

import type { AuthRequiredEvent } from '../../events/auth.ts'
import type { ContextAnyEvent, ContextEvent } from '../../events/event.ts'
import type { InputRequiredEvent } from '../../events/input.ts'
import { projectionOf } from '../../streams/access/projection.ts'
import type { Viewer } from '../../streams/access/viewer.ts'

/** A request that is open. */
export type Request = ContextEvent<InputRequiredEvent> | ContextEvent<AuthRequiredEvent>

/** Follows the events of a task and its subtasks. */
export class OpenRequests {
  readonly #taskId: string
  readonly #project: ReturnType<typeof projectionOf>
  readonly #open = new Map<string, Request>()
  #isWaiting = false

  constructor(taskId: string, viewer: Viewer) {
    this.#taskId = taskId
    this.#project = projectionOf(viewer)
  }

  follow(event: ContextAnyEvent): void {
    if (event.kind === 'task-status' && event.taskId === this.#taskId)
      this.#isWaiting = event.status.startsWith('waiting-')
    const shown = this.#project(event)
    if (shown === undefined) return
    const { kind, taskId } = shown
    const nameOf = (id: string): string => JSON.stringify([taskId, id])
    if (kind === 'input-required') this.#open.set(nameOf(shown.inputId), shown)
    else if (kind === 'auth-required') this.#open.set(nameOf(shown.authId), shown)
    const answered = answeredId(shown)
    if (answered !== undefined) this.#open.delete(nameOf(answered))
  }

  /** The requests that the user sees, while the task waits. */
  get waiting(): readonly Request[] {
    return this.#isWaiting ? [...this.#open.values()] : []
  }
}

/** The id of the request that an event closes; `undefined` if it closes none. */
export function answeredId(event: ContextAnyEvent): string | undefined {
  switch (event.kind) {
    case 'input-received':
    case 'input-canceled':
      return event.inputId
    case 'auth-completed':
    case 'auth-failed':
      return event.authId
    default:
      return undefined
  }
}
