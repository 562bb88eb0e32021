import { Hono } from 'hono'
import { runTask } from 'turnstream/commands'
import { type RedisLogOptions, redisLedger, redisLog } from 'turnstream/redis'
import { createStream } from 'turnstream/streams'
import { bookTable } from './agent.ts'

/** The same in any number of processes: one may run the agent, another serve the stream, a third take the answer. */
export async function approvalApp(
  client: RedisLogOptions['client'],
  userIdOf: (request: Request) => string,
  contextId: string,
): Promise<Hono> {
  const log = await redisLog({ client, stream: `context/${contextId}` })
  const stream = createStream({ log })
  const ledger = await redisLedger({
    ...{ client, stream: `context/${contextId}` },
    onOutput: (output) => {
      if (output.type !== 'send') return // Canceled tasks are ended by `runTask`, in the process that runs them.
      const task = { contextId, taskId: crypto.randomUUID() }
      const append = (event: Parameters<typeof log.append>[0]) => log.append(event)
      runTask(ledger, task, (signal) => bookTable(ledger, task, signal), { append }).catch(console.error)
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
