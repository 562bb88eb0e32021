/** One response of a model. */

import { run } from '../core/machine.ts'
import { readEach } from '../core/read-items.ts'
import { mismatch } from '../core/require.ts'
import { requireSource, type Source } from '../core/source.ts'
import { timeLimit } from '../core/time-limit.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { ErrorInfo } from '../events/error.ts'
import { describeError } from '../server/describe-error.ts'
import type { AssistantTurn, Turn } from '../turns/index.ts'
import { isFields } from '../validation/predicates.ts'
import { textIn } from '../validation/read-fields.ts'
import { toolUnnamed } from './failures.ts'
import type { LoopSettings } from './options.ts'
import { callIdsOf, UniqueIds } from './unique-ids.ts'

/**
 * Calls the model, and yields its response. What it throws is the end of the response.
 *
 * @param isFirst - Whether it is the first call of the loop: what turns of other formats lose is reported once.
 */
export async function* modelResponse<Message, Chunk>(
  turns: readonly Turn[],
  iteration: number,
  isFirst: boolean,
  settings: LoopSettings<Message, Chunk>,
): AsyncGenerator<EventDraft, AssistantTurn> {
  const { format, model, tools, modelTimeoutMs, signal, onError, onDiagnostic } = settings
  const messages = format.messages(turns, isFirst ? onDiagnostic : undefined)
  const toolCount = Object.keys(tools).length
  const machine = format.reader({ iteration, messageCount: messages.length, toolCount })
  /** What the provider has reported of its error. */
  let reported: unknown
  /** Whether a call names no tool: the provider takes no result of it. */
  let isUnnamed = false
  const reader = run(machine, {
    onDiagnostic(diagnostic) {
      if (diagnostic.code === 'provider-error') reported = diagnostic.detail
      if (diagnostic.code === 'tool-unnamed') isUnnamed = true
      onDiagnostic?.(diagnostic)
    },
  })
  const ids = new UniqueIds(callIdsOf(turns))
  // While a draft is appended, the model is not silent.
  const late = `Expected a chunk of the model within ${modelTimeoutMs} ms.`
  const silence = timeLimit(modelTimeoutMs, signal, () => {
    const error = new Error(late)
    error.name = 'TimeoutError'
    return error
  })
  let chunks: AsyncGenerator<Chunk> | undefined
  let failure: ErrorInfo | undefined
  let thrown: ErrorInfo | undefined
  /** Whether the application has the error. */
  let isKnown = false
  const shown = (draft: EventDraft): EventDraft => {
    if (draft.kind !== 'task-error' || draft.error.scope === 'tool' || isKnown) return ids.ofDraft(draft)
    isKnown = true
    failure = describeError(onError(new ModelError(draft.error, reported)))
    return ids.ofDraft(failure === undefined ? draft : { ...draft, error: failure })
  }
  try {
    const source: Source<Chunk> = await silence.wait(() => model(messages, silence.signal))
    requireChunks(source)
    chunks = readEach(source, silence.signal)
    for (;;) {
      const read = chunks
      const next = await silence.wait(() => read.next())
      if (next.done) break
      for (const draft of reader.push(next.value)) yield shown(draft)
    }
  } catch (error) {
    if (!signal.aborted) {
      isKnown = true
      thrown = describeError(onError(error))
      // Readers know the errors of SDKs.
      const last = thrown === undefined ? reader.push({ error } as Chunk) : []
      for (const draft of last) yield shown(draft)
    }
  } finally {
    // A source that hangs in a read may hang in its cancellation as well.
    chunks?.return(undefined).catch(() => undefined)
  }
  const end = signal.aborted ? { reason: 'abort' } : thrown ? { reason: 'error' } : {}
  if (signal.aborted) isKnown = true
  for (const draft of reader.end(end)) yield shown(draft)
  if (thrown !== undefined) yield { kind: 'task-error', error: thrown }
  const turn = ids.ofTurn(format.turn(reader.state))
  failure ??= thrown
  if (isUnnamed && turn.error === undefined && turn.calls === undefined)
    failure ??= describeError(onError(new ModelError(toolUnnamed, undefined))) ?? toolUnnamed
  return failure === undefined ? turn : { ...turn, error: failure }
}

/** Throws a TypeError for what is no stream of chunks, such as the response of a request. */
function requireChunks(source: unknown): void {
  if (isFields(source) && 'body' in source && 'status' in source) {
    const expected =
      'the stream of an SDK, or the body of a response, parsed: iterate(jsonDecoder(), response.body)'
    throw mismatch('model()', expected, source)
  }
  requireSource(source, '', 'model()')
}

/** An error in a response, with the text of the provider. */
class ModelError extends Error {
  readonly code: string

  /** @param reported - The error as the provider stated it. `undefined` if it stated none. */
  constructor({ code, message }: ErrorInfo, reported: unknown) {
    super(textIn(reported, 'message') ?? message, { cause: reported })
    this.name = 'ModelError'
    this.code = code
  }
}
