import { Hono } from 'hono'
import type { Store } from 'turnstream/server'
import { isOwnSite } from '../own-site.ts'
import { openConversation } from './agent.ts'

/** The conversation of each user: `GET /stream` has its events, `POST /commands` takes messages, answers and cancellation. */
export function approvalApp(store: Store, userIdOf: (request: Request) => string, contextId = 'main'): Hono {
  const app = new Hono()
  app.get('/stream', async (c) => {
    const stream = await openConversation(store, userIdOf(c.req.raw), contextId)
    const { status, headers, body } = stream.respond(c.req.raw, { signal: c.req.raw.signal })
    return new Response(body, { status, headers })
  })
  app.post('/commands', async (c) => {
    if (!isOwnSite(c.req.header('sec-fetch-site'))) return c.body(null, 403)
    if (!c.req.header('content-type')?.startsWith('application/json')) return c.body(null, 415)
    const userId = userIdOf(c.req.raw)
    const command: unknown = await c.req.json().catch(() => undefined) // A body that is not JSON is `invalid`.
    const stream = await openConversation(store, userId, contextId)
    return c.json(await stream.submit(command, { role: 'user', id: userId }))
  })
  return app
}
