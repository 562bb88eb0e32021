import { createServer, type Server } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createStream, type Stream } from 'turnstream/streams'

/** The events of one conversation. */
export const openStream = (id: string): Stream =>
  createStream({ stream: `context/${id}`, epoch: crypto.randomUUID() })

/** Serves a stream over SSE: each client resumes after its last event and then gets new events. */
export function serveStream(stream: Stream): Server {
  return createServer(async (request, response) => {
    const lastEventId = request.headers['last-event-id']?.toString()
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    const { status, headers, body } = stream.respond(lastEventId, {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: disconnected.signal, // `pipeline` alone cancels a body that waits only after the next event or heartbeat.
    })
    response.writeHead(status, headers).flushHeaders()
    // Fails if the client disconnects.
    await pipeline(body ?? [], response).catch(() => response.destroy())
  })
}
