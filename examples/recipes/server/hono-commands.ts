import { Hono } from 'hono'
import type { Ledger } from 'turnstream/commands'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Ledger | undefined): Hono {
  const app = new Hono()
  app.post('/streams/:id/commands', async (c) => {
    const ledger = find(c.req.param('id'))
    if (ledger === undefined) return c.notFound()
    const command: unknown = await c.req.json().catch(() => undefined)
    return c.json(await ledger.submit(command, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
