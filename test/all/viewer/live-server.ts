/** A server with a log stream that breaks each connection after a few messages. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ContextAnyEvent } from 'agentwire'
import { createStream } from 'agentwire/streams'

export interface LiveServer {
  readonly url: string
  /** The `Last-Event-ID` of each connection. */
  readonly cursors: (string | undefined)[]
  readonly close: () => void
}

/** Serves events, and cuts the first connections in the middle. */
export async function liveServer(events: readonly ContextAnyEvent[], cuts: number): Promise<LiveServer> {
  const stream = createStream({ stream: 'context/live', epoch: 'e1' })
  for (const event of events) await stream.append(event)
  await stream.close()
  const cursors: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'last-event-id' }
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
    const lastEventId = request.headers['last-event-id'] as string | undefined
    cursors.push(lastEventId)
    const left = cuts - cursors.length
    const { status, headers, body } = stream.respond(lastEventId, { viewer: { audience: 'user' } })
    response.writeHead(status, { ...headers, ...cors })
    let sent = 0
    for await (const bytes of body ?? []) {
      // In the middle of a message, so that its beginning is of no use.
      const half = left >= 0 ? bytes.subarray(0, Math.ceil(bytes.length * 0.6)) : bytes
      response.write(half)
      sent += half.length
      if (left >= 0 && sent > 0) {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return response.destroy()
      }
    }
    return response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    cursors,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
