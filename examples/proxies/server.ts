import { createServer, type Server } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Stream } from 'turnstream/streams'

/** Serves a stream to the pages of another origin. */
export function serve(stream: Stream, origin: string, heartbeatMs = 15_000): Server {
  return createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', origin).setHeader('vary', 'origin')
    if (request.method === 'OPTIONS') {
      const headers = { 'access-control-allow-headers': 'last-event-id', 'access-control-max-age': '600' }
      response.writeHead(204, headers).end()
      return
    }
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    const { status, headers, body } = stream.respond(request.headers['last-event-id']?.toString(), {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: disconnected.signal,
      heartbeatMs,
    })
    response.writeHead(status, headers).flushHeaders()
    // Fails if the client disconnects.
    await pipeline(body ?? [], response).catch(() => response.destroy())
  })
}
