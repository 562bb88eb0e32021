/** Writes one turn of an agent to a log; readers do not slow the agent down. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContextAnyEvent, createEmitter, type Source } from 'agentwire'
import { closeDangling, type EventLog, emptyView, foldEvent } from 'agentwire/streams'
import { turn } from '../turn.ts'

export interface AnswerOptions {
  readonly taskId: string
  /** The answer of the model server. */
  readonly model: Source<Uint8Array>
  /** Names of the tags that mark thoughts in it. */
  readonly tags: readonly string[]
  /** Milliseconds between two events. */
  readonly delay: number
}

/** Resolves when the turn has ended and its log is closed. Rejects if the log cannot be written. */
export async function answer(log: EventLog, options: AnswerOptions): Promise<void> {
  const { taskId, model, tags, delay } = options
  const emitter = createEmitter({ contextId: 'ctx-live', taskId })
  let view = emptyView
  const append = async (event: ContextAnyEvent): Promise<void> => {
    view = foldEvent(view, event)
    await log.append(event)
    await sleep(delay)
  }
  try {
    for await (const event of turn(model, { emitter, thoughts: { tags, live: true } })) {
      await append(event)
      // For operators: users only see a gap in the event ids.
      if (event.kind === 'content-delta' && event.index % 10 === 0) {
        await append(emitter.emit({ kind: 'internal:checkpoint', iteration: event.index / 10 }))
      }
    }
  } catch (error) {
    // Close what the failed agent left open, so that readers see it end.
    const rest = closeDangling(view, { reason: String(error), at: new Date().toISOString() })
    for (const event of rest) await append(event)
  }
  await log.close()
}
