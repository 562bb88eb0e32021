/** A model without a key: a server of Chat Completions that answers by rule. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type OpenAI from 'openai'
import { eventStreamHeaders } from 'turnstream/sse'

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta

/** Starts it, and returns the base URL of its API. */
export async function startModel(delayMs = 40): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const body: Buffer[] = []
    for await (const chunk of request) body.push(chunk)
    const { messages } = JSON.parse(Buffer.concat(body).toString()) as OpenAI.ChatCompletionCreateParams
    response.writeHead(200, eventStreamHeaders)
    const { deltas, reason } = answer(messages)
    for (const delta of deltas) {
      response.write(chunkOf(delta, null))
      await sleep(delayMs)
    }
    response.end(`${chunkOf({}, reason)}data: [DONE]\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Pays for what it is asked, and reports the result. */
function answer(messages: readonly OpenAI.ChatCompletionMessageParam[]): { deltas: Delta[]; reason: string } {
  const last = messages.at(-1)
  const text = String(last?.content)
  if (last?.role === 'tool') return { deltas: words(`It is done: ${text}`), reason: 'stop' }
  const call = { index: 0, id: `call-${messages.length}`, type: 'function' as const }
  const deltas = [
    ...words(`I will pay for ${text}, as you have asked.`),
    { tool_calls: [{ ...call, function: { name: 'pay', arguments: '{"amount":5}' } }] },
  ]
  return { deltas, reason: 'tool_calls' }
}

function words(text: string): Delta[] {
  return text.split(/(?<= )/).map((content) => ({ content }))
}

function chunkOf(delta: Delta, finish_reason: string | null): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'none' }
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
}
