/** The conversations of users, as a handler opens them. */

import type { Sender } from '../../commands/ledger/types.ts'
import { isFields } from '../../validation/predicates.ts'
import { runAgent } from '../agent-task.ts'
import type { AgentInput, Stream } from '../stream.ts'
import { isContextId, nameOf } from '../stream-name.ts'
import type { HandlerSettings } from './options.ts'

/** Why a request is refused: the status of its response, and a sentence for developers. */
export class Refusal {
  readonly status: number
  readonly message: string
  /** The name that the stream has if it begins: a page that shows what was there before knows by it whose that is. */
  readonly stream: string | undefined

  constructor(status: number, message: string, stream?: string) {
    this.status = status
    this.message = message
    this.stream = stream
  }
}

/** Of how many users it is kept what they have begun. */
const MAX_USERS = 10_000

export class Conversations {
  readonly #settings: HandlerSettings
  /** What each user has begun and runs here. */
  readonly #users = new Map<string, { readonly begun: Set<string>; tasks: number; streams: number }>()

  constructor(settings: HandlerSettings) {
    this.#settings = settings
  }

  /** Opens a conversation of its sender. */
  async open(sender: Sender, contextId: string, create: boolean): Promise<Stream | Refusal> {
    const sentence = 'There is no such conversation.'
    if (!isContextId(contextId)) return new Refusal(404, sentence)
    const name = { owner: sender.id, contextId }
    const { begun } = this.#userOf(sender)
    const { contextsPerUser } = this.#settings.limits
    const { whileRunning } = this.#settings
    const taking = { whileRunning, onInput: this.#onInput(contextId) }
    let stream = await this.#settings.store.open(name, { create: false, ...taking })
    if (stream === undefined && create) {
      if (begun.size >= contextsPerUser && !begun.has(contextId))
        return new Refusal(429, 'There are too many conversations.')
      stream = await this.#settings.store.open(name, taking)
      begun.add(contextId)
    }
    this.#forget(sender)
    if (stream === undefined) return new Refusal(404, sentence, nameOf(name))
    if (!stream.mayAccess(sender)) return new Refusal(403, 'The conversation is that of another user.')
    return stream
  }

  /** Why a command is not taken; `undefined` if it is. */
  refusalOf(sender: Sender, command: unknown): Refusal | undefined {
    // Input for a task that runs is that of its agent.
    if (!isFields(command) || command.kind !== 'task.send' || command.taskId !== undefined) return undefined
    const { tasks } = this.#userOf(sender)
    return tasks >= this.#settings.limits.tasksPerUser
      ? new Refusal(429, 'There are too many tasks.')
      : undefined
  }

  /** Counts a stream that a user opens; `undefined` if there are too many. Returns what ends it. */
  enter(sender: Sender): (() => void) | undefined {
    const user = this.#userOf(sender)
    if (user.streams >= this.#settings.limits.streamsPerUser) return undefined
    user.streams++
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      user.streams--
      this.#forget(sender)
    }
  }

  /** Runs the agent with what a conversation takes. */
  #onInput(contextId: string) {
    return async (stream: Stream, input: AgentInput): Promise<void> => {
      const { agent, onError } = this.#settings
      const user = this.#userOf(input.sender)
      user.tasks++
      try {
        await runAgent(stream, { ...input, contextId: input.contextId ?? contextId }, agent, onError)
      } catch (error) {
        // Another process runs it, or will.
        const { code } = (error ?? {}) as { code?: unknown }
        if (code !== 'lease-lost' && code !== 'released') onError(error)
      } finally {
        user.tasks--
        this.#forget(input.sender)
      }
    }
  }

  #userOf({ role, id }: Sender) {
    const key = JSON.stringify([role, id])
    const user = this.#users.get(key) ?? { begun: new Set<string>(), tasks: 0, streams: 0 }
    // The latest last: of too many users, those who were here longest ago are forgotten.
    this.#users.delete(key)
    this.#users.set(key, user)
    if (this.#users.size > MAX_USERS) this.#forgetOldest()
    return user
  }

  #forgetOldest(): void {
    for (const [key, { tasks, streams }] of this.#users) {
      if (tasks + streams > 0) continue
      this.#users.delete(key)
      return
    }
  }

  /** Forgets a user who has nothing here. */
  #forget({ role, id }: Sender): void {
    const key = JSON.stringify([role, id])
    const user = this.#users.get(key)
    if (user?.tasks === 0 && user.streams === 0 && user.begun.size === 0) this.#users.delete(key)
  }
}
