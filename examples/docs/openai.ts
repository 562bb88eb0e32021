import { type ContextAnyEvent, type Diagnostic, iterate } from 'turnstream'
import { toChatCompletions } from 'turnstream/openai'
import { encodeJson, eventStreamHeaders } from 'turnstream/sse'

/** Answers a request for a streamed chat completion with the events of one task. */
export function answer(
  events: AsyncIterable<ContextAnyEvent>,
  includeUsage: boolean,
  onDiagnostic: (diagnostic: Diagnostic) => void,
): Response {
  const writer = toChatCompletions({ model: 'harbour-agent', includeUsage })
  const chunks = iterate(writer, events, { onDiagnostic })
  const body = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      controller.enqueue(done ? 'data: [DONE]\n\n' : encodeJson(value))
      if (done) controller.close()
    },
    cancel: async () => void (await chunks.return()),
  })
  return new Response(body.pipeThrough(new TextEncoderStream()), { headers: eventStreamHeaders })
}
