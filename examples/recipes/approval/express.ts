import { pipeline } from 'node:stream/promises'
import express, { type Express, type Request } from 'express'
import type { Store } from 'turnstream/server'
import { isOwnSite } from '../own-site.ts'
import { openConversation } from './agent.ts'

/** The conversation of each user: `GET /stream` has its events, `POST /commands` takes messages, answers and cancellation. */
export function approvalApp(
  store: Store,
  userIdOf: (request: Request) => string,
  contextId = 'main',
): Express {
  const app = express()
  app.get('/stream', async (request, response) => {
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    const stream = await openConversation(store, userIdOf(request), contextId)
    const { signal } = disconnected
    const { status, headers, body } = stream.respond(request.get('last-event-id'), { signal })
    response.writeHead(status, headers).flushHeaders()
    await pipeline(body ?? [], response).catch(() => response.destroy()) // Fails if the client disconnects.
  })
  app.post('/commands', express.text({ type: 'application/json' }), async (request, response) => {
    if (!isOwnSite(request.get('sec-fetch-site'))) return void response.sendStatus(403)
    const userId = userIdOf(request)
    const stream = await openConversation(store, userId, contextId)
    response.json(await stream.submit(parsed(request.body), { role: 'user', id: userId }))
  })
  return app
}

/** The value of JSON text. `undefined` is an `invalid` command. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
