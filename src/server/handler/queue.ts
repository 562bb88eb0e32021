/** The tasks of a conversation that run, and those that wait for them. */

import { onAbort } from '../../core/on-abort.ts'
import { createEmitter } from '../../emitter/emitter.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Agent, runAgent } from '../agent-task.ts'
import type { AgentInput, Stream } from '../stream.ts'
import type { HandlerSettings } from './options.ts'

/** What a stream runs in this process. */
export class TaskQueue {
  /** The tasks that run or wait, and what ends when each has. */
  readonly #tasks = new Map<string, Promise<void>>()

  get size(): number {
    return this.#tasks.size
  }

  has(taskId: string): boolean {
    return this.#tasks.has(taskId)
  }

  /** Runs a task, after those before it if it is to wait. */
  add(
    stream: Stream,
    input: AgentInput & { readonly contextId: string },
    { agent, whileRunning, onError }: Pick<HandlerSettings, 'agent' | 'whileRunning' | 'onError'>,
  ): Promise<void> {
    const before = [...this.#tasks.values()]
    // A task that has begun keeps its place.
    const waits = whileRunning === 'queue' && !input.isResumed && before.length > 0
    const done = this.#run(stream, input, waits ? before : [], agent, onError).finally(() => {
      this.#tasks.delete(input.taskId)
    })
    this.#tasks.set(input.taskId, done)
    return done
  }

  async #run(
    stream: Stream,
    input: AgentInput & { readonly contextId: string },
    before: readonly Promise<void>[],
    agent: Agent,
    onError: (error: unknown) => unknown,
  ): Promise<void> {
    try {
      if (before.length > 0) {
        for (const event of queuedEvents(input)) await stream.append(event)
        const signal = stream.signalOf(input)
        const canceled = new Promise<void>((resolve) => {
          if (signal.aborted) resolve()
          else onAbort(signal, resolve)
        })
        await Promise.race([Promise.all(before), canceled])
      }
      await runAgent(stream, input, agent, onError)
    } catch (error) {
      // Another process runs it, or will.
      const { code } = (error ?? {}) as { code?: unknown }
      if (code !== 'lease-lost' && code !== 'released') onError(error)
    }
  }
}

/** A task that waits for its turn: clients see it, and may cancel it. */
function queuedEvents({
  contextId,
  taskId,
  input,
}: AgentInput & { readonly contextId: string }): ContextAnyEvent[] {
  const { emit } = createEmitter({ contextId, taskId })
  return [
    emit({ kind: 'task-created', initiator: 'user', metadata: { input } }),
    emit({ kind: 'task-status', status: 'submitted' }),
  ]
}
