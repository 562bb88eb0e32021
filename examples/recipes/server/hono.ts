import { Hono } from 'hono'
import type { Stream } from 'turnstream/streams'

/** Serves `GET /streams/<id>`. */
export function streamsApp(find: (id: string) => Stream | undefined): Hono {
  const app = new Hono()
  app.get('/streams/:id', (c) => {
    const stream = find(c.req.param('id'))
    if (stream === undefined) return c.notFound()
    const { status, headers, body } = stream.respond(c.req.header('last-event-id'), {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: c.req.raw.signal,
    })
    return new Response(body, { status, headers })
  })
  return app
}
