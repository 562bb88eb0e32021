/** A server in place of a model: answers each request with events, as its API streams them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Untyped } from '../frameworks/installed.ts'

export interface FakeModel {
  readonly url: string
  close(): void
}

/** @param answer - The events that answer a request, each with its `type`. */
export async function fakeModel(
  answer: (request: Untyped) => readonly { readonly type: string }[],
): Promise<FakeModel> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (!/\/(messages|responses)(\?|$)/.test(request.url ?? '')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of answer(JSON.parse(body)))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
