import { Hono } from 'hono'
import type { Stream } from 'turnstream/server'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Stream | undefined): Hono {
  const app = new Hono()
  app.post('/streams/:id/commands', async (c) => {
    const stream = find(c.req.param('id'))
    if (stream === undefined) return c.notFound()
    // JSON only: a form of another site cannot post it with the cookies of the user.
    if (!c.req.header('content-type')?.startsWith('application/json')) return c.body(null, 415)
    const command: unknown = await c.req.json().catch(() => undefined)
    return c.json(await stream.submit(command, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
