import { pipeline } from 'node:stream/promises'
import express, { type Express, type Request } from 'express'
import { createLedger, runTask } from 'turnstream/commands'
import { createStream } from 'turnstream/streams'
import { bookTable } from './agent.ts'

/** A conversation: `GET /stream` has its events, `POST /commands` takes messages, answers and cancellation. */
export function approvalApp(
  userIdOf: (request: Request) => string,
  contextId: string = crypto.randomUUID(),
): Express {
  const stream = createStream({ stream: `context/${contextId}`, epoch: crypto.randomUUID() })
  const ledger = createLedger({
    append: (event) => stream.append(event),
    onOutput: (output) => {
      if (output.type !== 'send') return // Canceled tasks are ended by `runTask`.
      const task = { contextId, taskId: crypto.randomUUID() }
      runTask(ledger, task, (signal) => bookTable(ledger, task, signal)).catch(console.error)
    },
  })
  const app = express()
  app.get('/stream', async (request, response) => {
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    const { status, headers, body } = stream.respond(request.get('last-event-id'), {
      viewer: { audience: 'user' }, // Of the user you have authenticated.
      signal: disconnected.signal,
    })
    response.writeHead(status, headers).flushHeaders()
    await pipeline(body ?? [], response).catch(() => response.destroy()) // Fails if the client disconnects.
  })
  app.post('/commands', express.text({ type: '*/*' }), async (request, response) => {
    response.json(await ledger.submit(parsed(request.body), { role: 'user', id: userIdOf(request) }))
  })
  return app
}

/** The value of JSON text. What is no JSON is an `invalid` command. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
