import { type ContextAnyEvent, type Diagnostic, iterate } from 'turnstream'
import {
  encodeUiMessageChunk,
  fromUiMessageStream,
  toUiMessageStream,
  uiMessageStreamEnd,
  uiMessageStreamHeaders,
} from 'turnstream/ai-sdk'
import { jsonDecoder } from 'turnstream/sse'

/** Answers the request of a `useChat` page with the events of one task. */
export function answer(events: AsyncIterable<ContextAnyEvent>): Response {
  const chunks = iterate(toUiMessageStream({ version: 7 }), events)
  const body = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      controller.enqueue(done ? uiMessageStreamEnd : encodeUiMessageChunk(value))
      if (done) controller.close()
    },
    cancel: async () => void (await chunks.return()),
  })
  return new Response(body.pipeThrough(new TextEncoderStream()), { headers: uiMessageStreamHeaders })
}

/** Reads what a server of the AI SDK answers. */
export async function* read(
  response: Response,
  onDiagnostic: (diagnostic: Diagnostic) => void,
): AsyncGenerator<ContextAnyEvent> {
  const chunks = iterate(jsonDecoder(), response.body ?? [])
  yield* iterate(fromUiMessageStream({ now: Date.now }), chunks, { onDiagnostic })
}
