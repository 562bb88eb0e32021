/** The model of the example, which answers one message with a recording of a server of Chat Completions. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startModel } from '../../../examples/agent/model.ts'
import { cutInto, recordingOf } from '../../../examples/recording.ts'

/** What a user sends to get the recording. */
export const FORECAST = 'forecast'

const recording = readFileSync(recordingOf('chat'))

/** The text of the recording, which also calls `get_forecast`. */
export const recorded: string = [...recording.toString().matchAll(/^data: (\{.*)$/gm)]
  .map(([, data = '{}']) => JSON.parse(data).choices?.[0]?.delta?.content ?? '')
  .join('')

/** Starts it, and returns the base URL of its API. */
export async function startRecordedModel(): Promise<{ url: string; close(): void }> {
  const example = await startModel()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const last = (JSON.parse(body) as { messages: { role: string; content: unknown }[] }).messages.at(-1)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (last?.role === 'user' && last.content === FORECAST) {
      // Cut in characters and lines, as a network does.
      for (const bytes of cutInto(recording, [700, 333, 1111])) {
        response.write(bytes)
        await sleep(20)
      }
    } else {
      const answer = await fetch(`${example.url}/chat/completions`, { method: 'POST', body })
      for await (const bytes of answer.body ?? []) response.write(bytes)
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      example.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
