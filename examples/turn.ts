/** One turn of an agent: converts the answer of a model server to the events of a task. */
import {
  type ContextAnyEvent,
  type Diagnostic,
  type Emitter,
  type ErrorInfo,
  type EventDraft,
  iterate,
  pipe,
  type Source,
} from 'agentwire'
import { sseDecoder } from 'agentwire/sse'
import type { ThoughtEventOptions } from 'agentwire/thoughts'
import { openaiAdapter } from './openai.ts'

export interface TurnOptions {
  readonly emitter: Emitter
  /** How the model marks thoughts. */
  readonly thoughts?: ThoughtEventOptions
  /** Called for each diagnostic. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/**
 * Converts the bytes of a model's answer to the events of a task, from its creation to its end.
 *
 * @param answer - The response body, such as `(await fetch('…/v1/chat/completions')).body`.
 */
export async function* turn(
  answer: Source<string | Uint8Array>,
  options: TurnOptions,
): AsyncGenerator<ContextAnyEvent, void, undefined> {
  const { emit } = options.emitter
  const model = pipe(sseDecoder(), openaiAdapter(options.thoughts))
  const result: { content?: string; metadata?: { finishReason: string } } = {}
  let error: ErrorInfo | undefined

  yield emit({ kind: 'task-created', initiator: 'user' })
  yield emit({ kind: 'task-status', status: 'working' })
  for await (const draft of iterate(
    model,
    answer,
    options.onDiagnostic ? { onDiagnostic: options.onDiagnostic } : {},
  )) {
    yield emit(draft)
    if (draft.kind === 'tool-start') yield emit(notRun(draft))
    if (draft.kind === 'task-error' && draft.error.scope !== 'tool') error = draft.error
    if (draft.kind === 'content-complete') {
      result.content = draft.content
      if (draft.finishReason !== undefined) result.metadata = { finishReason: draft.finishReason }
    }
  }
  if (error !== undefined) {
    yield emit({ kind: 'task-status', status: 'failed', error })
    return
  }
  yield emit({ kind: 'task-complete', ...result })
  yield emit({ kind: 'task-status', status: 'completed' })
}

/** An agent would run the tool here, and call the model again with its result. */
function notRun({ toolCallId, toolName }: EventDraft & { kind: 'tool-start' }): EventDraft {
  return { kind: 'tool-complete', toolCallId, toolName, success: false, error: 'The example runs no tools.' }
}
