/** One turn of an agent, written into a log: whoever reads it, and however often, costs the agent nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContextAnyEvent, createEmitter, type Source } from 'agentwire'
import { closeDangling, type EventLog, emptyView, foldEvent } from 'agentwire/streams'
import { turn } from '../turn.ts'

export interface AnswerOptions {
  readonly taskId: string
  /** What the model server sends. */
  readonly model: Source<Uint8Array>
  /** Names of the tags that mark thoughts in it. */
  readonly tags: readonly string[]
  /** Milliseconds between two events. */
  readonly delay: number
}

/** Resolves when the turn is over and its log closed. Rejects when the log cannot be written. */
export async function answer(log: EventLog, options: AnswerOptions): Promise<void> {
  const { taskId, model, tags, delay } = options
  const emitter = createEmitter({ contextId: 'ctx-live', taskId })
  let view = emptyView
  const tell = async (event: ContextAnyEvent): Promise<void> => {
    view = foldEvent(view, event)
    await log.append(event)
    await sleep(delay)
  }
  try {
    for await (const event of turn(model, { emitter, thoughts: { tags, live: true } })) {
      await tell(event)
      // What an agent diagnostics for its operators; users get nothing of it but a higher event id.
      if (event.kind === 'content-delta' && event.index % 10 === 0) {
        await tell(emitter.emit({ kind: 'internal:checkpoint', iteration: event.index / 10 }))
      }
    }
  } catch (error) {
    // Whatever is open when the agent breaks down, readers see it end.
    const rest = closeDangling(view, { reason: String(error), at: new Date().toISOString() })
    for (const event of rest) await tell(event)
  }
  await log.close()
}
