import { pipeline } from 'node:stream/promises'
import express, { type Express } from 'express'
import type { Stream } from 'turnstream/streams'

/** Serves `GET /streams/<id>`. */
export function streamsApp(find: (id: string) => Stream | undefined): Express {
  const app = express()
  app.get('/streams/:id', async (request, response) => {
    const stream = find(request.params.id)
    if (stream === undefined) {
      response.sendStatus(404)
      return
    }
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    const { status, headers, body } = stream.respond(request.get('last-event-id'), {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: disconnected.signal,
    })
    response.writeHead(status, headers).flushHeaders()
    // Fails if the client disconnects.
    await pipeline(body ?? [], response).catch(() => response.destroy())
  })
  return app
}
