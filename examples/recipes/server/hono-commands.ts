import { Hono } from 'hono'
import type { Stream } from 'turnstream/server'
import { isOwnSite } from '../own-site.ts'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Stream | undefined): Hono {
  const app = new Hono()
  app.post('/streams/:id/commands', async (c) => {
    const stream = find(c.req.param('id'))
    if (stream === undefined) return c.notFound()
    if (!isOwnSite(c.req.header('sec-fetch-site'))) return c.body(null, 403)
    if (!c.req.header('content-type')?.startsWith('application/json')) return c.body(null, 415)
    const command: unknown = await c.req.json().catch(() => undefined)
    return c.json(await stream.submit(command, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
