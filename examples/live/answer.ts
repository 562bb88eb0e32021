/** Runs one turn of an agent and appends its events to a stream. Readers do not affect the agent. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type ContextAnyEvent, createEmitter } from 'turnstream'
import { openaiChat } from 'turnstream/providers'
import type { Stream } from 'turnstream/server'
import { closeDangling, emptyView, foldEvent } from 'turnstream/streams'
import { thoughtEvents } from 'turnstream/thoughts'
import { turn } from '../turn.ts'

export interface AnswerOptions {
  readonly taskId: string
  /** The response of the model server. */
  readonly model: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Names of the tags that enclose thoughts in the response. */
  readonly tags: readonly string[]
  /** Milliseconds between two events. */
  readonly delay: number
  /** Called when the first event is in the stream: from then on, readers see the turn end, whatever dies. */
  readonly onStart?: () => void
}

/** Resolves when the turn is over and its stream is closed. Rejects if appending fails. */
export async function answer(
  stream: Pick<Stream, 'append' | 'close'>,
  options: AnswerOptions,
): Promise<void> {
  const { taskId, model, tags, delay, onStart } = options
  const emitter = createEmitter({ contextId: 'ctx-live', taskId })
  let view = emptyView
  const append = async (event: ContextAnyEvent): Promise<void> => {
    view = foldEvent(view, event)
    await stream.append(event)
    onStart?.()
    await sleep(delay)
  }
  try {
    const reader = openaiChat({ thoughts: thoughtEvents({ tags, live: true }), calls: 'start' })
    for await (const event of turn(model, { emitter, reader })) {
      await append(event)
      // An event for operators: it only advances the event ids of users.
      if (event.kind === 'content-delta' && event.index % 10 === 0) {
        await append(emitter.emit({ kind: 'internal:checkpoint', iteration: event.index / 10 }))
      }
    }
  } catch (error) {
    // If the agent fails, end its open task, tool calls and messages.
    const rest = closeDangling(view, { reason: String(error), at: new Date().toISOString() })
    for (const event of rest) await append(event)
  }
  await stream.close()
}
