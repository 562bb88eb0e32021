/** One response of a model. */

import { run } from '../core/machine.ts'
import { onAbort } from '../core/on-abort.ts'
import { readEach } from '../core/read-items.ts'
import type { Source } from '../core/source.ts'
import { startTimer, stopTimer } from '../core/timer.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { ErrorInfo } from '../events/error.ts'
import type { AssistantTurn, Turn } from '../turns/index.ts'
import { describeError } from './failures.ts'
import type { LoopSettings } from './options.ts'
import { UniqueIds } from './unique-ids.ts'

/** Calls the model, and yields its response. What it throws is the end of the response. */
export async function* modelResponse<Message, Chunk>(
  turns: readonly Turn[],
  iteration: number,
  settings: LoopSettings<Message, Chunk>,
): AsyncGenerator<EventDraft, AssistantTurn> {
  const { format, model, tools, modelTimeoutMs, signal, onError, onDiagnostic } = settings
  // Turns of this task are of the format: what others lose is reported once.
  const messages = format.messages(turns, iteration === 0 ? onDiagnostic : undefined)
  const toolCount = Object.keys(tools).length
  const machine = format.reader({ iteration, messageCount: messages.length, toolCount })
  const reader = run(machine, onDiagnostic && { onDiagnostic })
  const ids = new UniqueIds(turns)
  const silence = new AbortController()
  const either = AbortSignal.any([signal, silence.signal])
  let chunks: AsyncGenerator<Chunk> | undefined
  let failure: ErrorInfo | undefined
  /** Waits for the model: while a draft is appended, it is not silent. */
  async function inTime<T>(next: () => T | PromiseLike<T>): Promise<T> {
    const late = new Error(`Expected a chunk of the model within ${modelTimeoutMs} ms.`)
    late.name = 'TimeoutError'
    const timer = startTimer(() => silence.abort(late), modelTimeoutMs)
    try {
      return await unlessAborted(next, either)
    } finally {
      stopTimer(timer)
    }
  }
  try {
    const source: Source<Chunk> = await inTime(() => model(messages, either))
    chunks = readEach(source, either)
    for (;;) {
      const read = chunks
      const next = await inTime(() => read.next())
      if (next.done) break
      for (const draft of reader.push(next.value)) yield ids.ofDraft(draft)
    }
  } catch (error) {
    if (!signal.aborted) {
      failure = describeError(onError(error))
      // Readers know the errors of SDKs.
      const last = failure === undefined ? reader.push({ error } as Chunk) : []
      for (const draft of last) yield ids.ofDraft(draft)
    }
  } finally {
    // A source that hangs in a read may hang in its cancellation as well.
    chunks?.return(undefined).catch(() => undefined)
  }
  const end = signal.aborted ? { reason: 'abort' } : failure ? { reason: 'error' } : {}
  for (const draft of reader.end(end)) yield ids.ofDraft(draft)
  if (failure !== undefined) yield { kind: 'task-error', error: failure }
  const turn = ids.ofTurn(format.turn(reader.state))
  return failure === undefined ? turn : { ...turn, error: failure }
}

/** What a function gives, unless a signal is aborted before: it rejects with the reason then, and what the function gives is ignored. */
export function unlessAborted<T>(give: () => T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const forget = onAbort(signal, () => reject(signal.reason))
    const given = async (): Promise<T> => give()
    given().then(resolve, reject).finally(forget)
  })
}
