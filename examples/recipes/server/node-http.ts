import { createServer, type Server } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Stream } from 'turnstream/streams'

/** Serves `GET /streams/<id>`. */
export function serveStreams(find: (id: string) => Stream | undefined): Server {
  return createServer(async (request, response) => {
    const [, id = ''] = /^\/streams\/([^/?]+)$/.exec(request.url ?? '') ?? []
    const stream = find(id)
    if (request.method !== 'GET' || stream === undefined) {
      response.writeHead(404).end()
      return
    }
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    const { status, headers, body } = stream.respond(request.headers['last-event-id']?.toString(), {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: disconnected.signal,
    })
    response.writeHead(status, headers).flushHeaders()
    // Fails if the client disconnects.
    await pipeline(body ?? [], response).catch(() => response.destroy())
  })
}
