/** Runs the example of docs/mcp.md in a store, and answers what it asks. */
import type { ContextAnyEvent } from 'turnstream'
import { createCommand } from 'turnstream/commands'
import { memoryStore, type Stream } from 'turnstream/server'
import { bookBerth, type McpClient } from '../../examples/docs/mcp-agent.ts'
import { readToEnd } from '../../src/streams/log/read-to-end.ts'
import type { OpenRequest } from '../../src/streams/open-request.ts'

const user = { role: 'user', id: 'ada' } as const

/** Answers a question as its user, and resolves to the status of the receipt. */
export async function respond(stream: Stream, { id }: OpenRequest, answer: object): Promise<string> {
  const command = createCommand({ kind: 'input.respond', responses: [{ inputId: id, ...answer }] })
  return (await stream.submit(command, user)).status
}

/**
 * The events of a booking that the user approves, once the user has logged in.
 *
 * @param answer - Answers each question of the server.
 */
export async function bookedBerth(
  client: McpClient,
  answer: (stream: Stream, request: OpenRequest) => Promise<unknown>,
): Promise<ContextAnyEvent[]> {
  const store = memoryStore({ verifyAuth: async () => ({ status: 'completed' }) })
  const stream = await store.open({ owner: user.id, contextId: 'main' })
  const task = { contextId: 'main', taskId: 't' }
  let isOver = false
  const running = stream
    .run(task, () => bookBerth(stream, task, client))
    .finally(() => {
      isOver = true
    })
  const known = new Set<string>()
  while (!isOver) {
    for (const request of await stream.requests()) {
      const { id, type, call } = request
      if (known.has(id)) continue
      known.add(id)
      if (type === 'auth') {
        await stream.submit(createCommand({ kind: 'auth.respond', authId: id, outcome: 'completed' }), user)
      } else if (call !== undefined) await respond(stream, request, { outcome: 'answered' })
      else await answer(stream, request)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  await running
  const events: ContextAnyEvent[] = []
  for await (const { events: some = [] } of readToEnd(stream.log)) events.push(...some)
  await store.close()
  return events
}
