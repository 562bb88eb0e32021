/** A server of prepared streams. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Stream } from './streams.ts'

export interface StreamServer {
  readonly url: string
  /**
   * The `Last-Event-ID` sent when a browser reconnected to `/resume/<index>`; empty when there was
   * no such header.
   */
  readonly resumed: ReadonlyMap<number, string>
  close(): void
}

/**
 * Serves `/stream/<index>`: a stream, and its end. `/resume/<index>`: the same, and on reconnection
 * the answer that ends an `EventSource`.
 */
export async function serveStreams(streams: readonly Stream[]): Promise<StreamServer> {
  const asked = new Set<number>()
  const resumed = new Map<number, string>()
  const server = createServer((request, response) => {
    const [, path, number] = request.url?.split('/') ?? []
    const index = Number(number)
    const stream = streams[index]
    if (path === '') response.setHeader('content-type', 'text/html').end('<!doctype html>')
    else if (stream === undefined) response.writeHead(404).end()
    else if (path === 'resume' && asked.has(index)) {
      // Headers come as Latin-1; what the browser puts in is UTF-8.
      const header = String(request.headers['last-event-id'] ?? '')
      resumed.set(index, Buffer.from(header, 'latin1').toString('utf8'))
      response.writeHead(204).end()
    } else {
      if (path === 'resume') asked.add(index)
      send(response, stream).catch(() => response.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    resumed,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Writes each piece by itself, a turn of the event loop apart, so that they travel apart. */
async function send(response: ServerResponse, { pieces }: Stream): Promise<void> {
  response.socket?.setNoDelay(true)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  for (const piece of pieces) {
    if (!response.write(piece)) await once(response, 'drain')
    await turn()
  }
  response.end()
}
