/** One response of a model. */

import { run } from '../core/machine.ts'
import { readEach } from '../core/read-items.ts'
import type { Source } from '../core/source.ts'
import { timeLimit } from '../core/time-limit.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { ErrorInfo } from '../events/error.ts'
import { describeError } from '../server/describe-error.ts'
import type { AssistantTurn, Turn } from '../turns/index.ts'
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
  // While a draft is appended, the model is not silent.
  const late = `Expected a chunk of the model within ${modelTimeoutMs} ms.`
  const silence = timeLimit(modelTimeoutMs, signal, () => {
    const error = new Error(late)
    error.name = 'TimeoutError'
    return error
  })
  let chunks: AsyncGenerator<Chunk> | undefined
  let failure: ErrorInfo | undefined
  try {
    const source: Source<Chunk> = await silence.wait(() => model(messages, silence.signal))
    chunks = readEach(source, silence.signal)
    for (;;) {
      const read = chunks
      const next = await silence.wait(() => read.next())
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
