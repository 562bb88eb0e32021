import type OpenAI from 'openai'
import { type EventDraft, iterate, pipe } from 'turnstream'
import { openaiChat } from 'turnstream/providers'
import { jsonDecoder } from 'turnstream/sse'

const request: OpenAI.ChatCompletionCreateParamsStreaming = {
  model: 'gpt-5-mini',
  messages: [{ role: 'user', content: 'When is high tide in Brest?' }],
  stream: true,
  stream_options: { include_usage: true },
}

/** With `fetch`: the body of the response. */
export async function* draftsOfFetch(url: string, signal: AbortSignal): AsyncGenerator<EventDraft> {
  const headers = {
    authorization: `Bearer ${process.env.OPENAI_API_KEY}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify(request)
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body, signal })
  if (!response.ok || response.body === null) throw new Error(`The server answered ${response.status}.`)
  yield* iterate(pipe(jsonDecoder(), openaiChat()), response.body, { signal })
}

/** With an SDK: the chunks that it yields. */
export async function* draftsOfSdk(client: OpenAI, signal: AbortSignal): AsyncGenerator<EventDraft> {
  const stream = await client.chat.completions.create(request, { signal })
  yield* iterate(openaiChat(), stream, { signal })
}
