import { Hono } from 'hono'
import { createLedger, runTask } from 'turnstream/commands'
import { createStream } from 'turnstream/streams'
import { bookTable } from './agent.ts'

/** A conversation: `GET /stream` has its events, `POST /commands` takes messages, answers and cancellation. */
export function approvalApp(
  userIdOf: (request: Request) => string,
  contextId: string = crypto.randomUUID(),
): Hono {
  const stream = createStream({ stream: `context/${contextId}`, epoch: crypto.randomUUID() })
  const ledger = createLedger({
    append: (event) => stream.append(event),
    onOutput: (output) => {
      if (output.type !== 'send') return // Canceled tasks are ended by `runTask`.
      const task = { contextId, taskId: crypto.randomUUID() }
      runTask(ledger, task, (signal) => bookTable(ledger, task, signal)).catch(console.error)
    },
  })
  const app = new Hono()
  app.get('/stream', (c) => {
    const { status, headers, body } = stream.respond(c.req.header('last-event-id'), {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: c.req.raw.signal,
    })
    return new Response(body, { status, headers })
  })
  app.post('/commands', async (c) => {
    const command: unknown = await c.req.json().catch(() => undefined) // What is no JSON is `invalid`.
    return c.json(await ledger.submit(command, { role: 'user', id: userIdOf(c.req.raw) }))
  })
  return app
}
