import { Hono } from 'hono'
import type { Stream } from 'turnstream/server'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Stream | undefined): Hono {
  const app = new Hono()
  app.post('/streams/:id/commands', async (c) => {
    const stream = find(c.req.param('id'))
    if (stream === undefined) return c.notFound()
    // Of this site only: a page or form of another one posts with the cookies of the user, too.
    const site = c.req.header('sec-fetch-site') ?? 'none'
    if (site !== 'none' && site !== 'same-origin') return c.body(null, 403)
    if (!c.req.header('content-type')?.startsWith('application/json')) return c.body(null, 415)
    const command: unknown = await c.req.json().catch(() => undefined)
    return c.json(await stream.submit(command, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
