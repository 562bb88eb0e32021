import { Hono } from 'hono'
import type { Stream } from 'turnstream/server'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Stream | undefined): Hono {
  const app = new Hono()
  app.post('/streams/:id/commands', async (c) => {
    const stream = find(c.req.param('id'))
    if (stream === undefined) return c.notFound()
    const command: unknown = await c.req.json().catch(() => undefined)
    return c.json(await stream.submit(command, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
