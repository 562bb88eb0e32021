/** Requests of a remote agent for authentication, while its response is read. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { AgentTask } from '../../server/agent-task.ts'
import type { Reply } from '../../server/ask-options.ts'
import type { Login } from './answered.ts'

/**
 * The user logs in where the agent asks for it. Some agents continue by themselves then, in the same response; others end it, or leave it
 * open until they get a message.
 */
export class Logins {
  readonly #task: AgentTask
  readonly #open = new Map<string, Promise<Reply>>()
  readonly #left = new AbortController()

  constructor(task: AgentTask) {
    this.#task = task
  }

  /** Aborted when the agent is to get an answer: its response is not read on. */
  get left(): AbortSignal {
    return this.#left.signal
  }

  get areOpen(): boolean {
    return this.#open.size > 0
  }

  /** The drafts that follow an event of the agent. */
  *follow(event: ContextAnyEvent): Generator<EventDraft> {
    if (event.kind === 'auth-required') {
      yield { kind: 'task-status', status: 'waiting-auth' }
      const { authId } = event
      const reply = this.#task.answer({ authId }).then(replyOf)
      this.#open.set(authId, reply)
      reply.then(
        () => this.#open.get(authId) === reply && this.#left.abort(),
        () => undefined,
      )
    } else if (event.kind === 'task-status' && event.status === 'working' && this.areOpen) {
      const all = [...this.#open.keys()]
      this.#open.clear()
      for (const authId of all) yield { kind: 'auth-completed', authId, userId: this.#task.user.id }
      yield { kind: 'task-status', status: 'working' }
    }
  }

  /** What the user has answered to those that the agent waits for still. */
  answers(): Promise<Login[]> {
    return Promise.all([...this.#open].map(async ([authId, reply]) => ({ authId, reply: await reply })))
  }
}

function replyOf(answer: Awaited<ReturnType<AgentTask['answer']>>): Reply {
  if (answer === undefined) return { status: 'canceled' }
  const { outcome, reason, sender: by } = answer
  if (outcome === 'completed') return { status: 'answered', value: null, by }
  return { status: 'declined', ...(reason !== undefined && { reason }) }
}
