/** One turn of an agent: converts the answer of a model server to the events of a task. */
import {
  type ContextAnyEvent,
  type Diagnostic,
  type Emitter,
  type ErrorInfo,
  type EventDraft,
  pipe,
  run,
} from 'turnstream'
import { modelTurn } from 'turnstream/providers'
import { jsonDecoder } from 'turnstream/sse'
import type { Reader } from './readers.ts'

export interface TurnOptions {
  readonly emitter: Emitter
  /** The reader of the answer, with `calls: 'start'`. */
  readonly reader: Reader
  /** Called for each diagnostic. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * Converts the bytes of a model's answer to the events of a task, from its creation to its end.
 *
 * @param answer - The response body, such as `(await fetch('…/v1/chat/completions')).body`.
 */
export async function* turn(
  answer: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { emitter: { emit }, reader, onDiagnostic = () => {} }: TurnOptions,
): AsyncGenerator<ContextAnyEvent, void, undefined> {
  const model = run(pipe(jsonDecoder(), reader), { onDiagnostic })
  const calls = new Map<string, string>()
  function* emitAll(drafts: readonly EventDraft[]): Generator<ContextAnyEvent> {
    for (const draft of drafts) {
      yield emit(draft)
      if (draft.kind === 'tool-start') calls.set(draft.toolCallId, draft.toolName)
      if (draft.kind === 'tool-complete') calls.delete(draft.toolCallId)
    }
  }

  yield emit({ kind: 'task-created', initiator: 'user' })
  yield emit({ kind: 'task-status', status: 'working' })
  for await (const bytes of answer) yield* emitAll(model.push(bytes))
  yield* emitAll(model.end())
  // An agent would run the tools here, and call the model again with their results.
  for (const [toolCallId, toolName] of calls) {
    const error = 'The example runs no tools.'
    yield emit({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
  }

  const { error = cutOff, finishReason, usage } = modelTurn(model.state[1])
  if (finishReason === undefined || error !== cutOff) {
    yield emit({ kind: 'task-status', status: 'failed', error })
    return
  }
  const metadata = usage === undefined ? { finishReason } : { finishReason, usage: [usage] }
  yield emit({ kind: 'task-complete', metadata })
  yield emit({ kind: 'task-status', status: 'completed' })
}

const cutOff: ErrorInfo = {
  code: 'provider_error',
  message: 'The stream ended before the answer was complete.',
  retry: 'retryable',
}
