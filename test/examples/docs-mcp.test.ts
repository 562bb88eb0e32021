// The example of docs/mcp.md: a tool of an MCP server asks the user, is answered, and is called again.
import { createCommand } from 'turnstream/commands'
import { memoryStore, type Stream } from 'turnstream/server'
import { describe, expect, it } from 'vitest'
import { bookBerth } from '../../examples/docs/mcp-agent.ts'
import { readToEnd } from '../../src/streams/log/read-to-end.ts'

type Params = {
  inputResponses?: Record<string, { action: string; content?: unknown }>
  requestState?: string
}

const requestedSchema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
const elicit = (params: object): object => ({ method: 'elicitation/create', params })
const text = (value: unknown): object => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })

/** A server that asks for a day, then whether it is certain, and keeps what it knows in its state. */
const server = {
  calls: [] as Params[],
  async callTool(params: object): Promise<unknown> {
    const { inputResponses = {}, requestState } = params as Params
    this.calls.push(params as Params)
    const requests =
      requestState === undefined
        ? { day: elicit({ message: 'Which day?', requestedSchema }), page: elicit(page) }
        : { day: elicit({ message: 'Which day?', requestedSchema }) }
    if (requestState === 'secret-2') return { resultType: 'complete', ...text(inputResponses.day) }
    const next = requestState === undefined ? 'secret-1' : 'secret-2'
    return { resultType: 'input_required', inputRequests: requests, requestState: next }
  },
}
const page = { mode: 'url', message: 'Log in.', url: 'https://login.example/' }

const user = { role: 'user', id: 'ada' } as const

/** Runs the example, and answers what it asks. */
async function booked(
  client: Parameters<typeof bookBerth>[2],
  answer: (id: string, n: number, stream: Stream) => Promise<unknown>,
) {
  const store = memoryStore({ verifyAuth: async () => ({ status: 'completed' }) })
  const stream = await store.open({ owner: user.id, contextId: 'main' })
  const task = { contextId: 'main', taskId: 't' }
  const running = stream.run(task, () => bookBerth(stream, task, client))
  let isOver = false
  void running.finally(() => {
    isOver = true
  })
  const answered = new Set<string>()
  while (!isOver) {
    for (const { id, type } of await stream.requests()) {
      if (answered.has(id)) continue
      answered.add(id)
      const isApproval = id.startsWith('approve-')
      if (type === 'auth')
        await stream.submit(createCommand({ kind: 'auth.respond', authId: id, outcome: 'completed' }), user)
      else if (isApproval)
        await stream.submit(
          createCommand({ kind: 'input.respond', responses: [{ inputId: id, value: true }] }),
          user,
        )
      else await answer(id, answered.size, stream)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  await running
  const events = []
  for await (const { events: some = [] } of readToEnd(stream.log)) events.push(...some)
  await store.close()
  return events
}

const respond = (inputId: string, more: object): unknown =>
  createCommand({ kind: 'input.respond', responses: [{ inputId, ...more }] })

describe('docs/mcp.md', () => {
  it('asks the user what the server asks, and calls the tool again with the answers', async () => {
    let n = 0
    const events = await booked(server, async (id, _, stream) => {
      const days = [{ day: 'Monday' }, { day: 'Tuesday' }]
      expect(await stream.submit(respond(id, { value: { day: 1 } }), user)).toMatchObject({
        status: 'invalid',
      })
      expect(await stream.submit(respond(id, { value: days[n++] }), user)).toMatchObject({
        status: 'accepted',
      })
    })
    expect(server.calls.map(({ inputResponses, requestState }) => [inputResponses, requestState])).toEqual([
      [undefined, undefined],
      [{ day: { action: 'accept', content: { day: 'Monday' } }, page: { action: 'accept' } }, 'secret-1'],
      [{ day: { action: 'accept', content: { day: 'Tuesday' } } }, 'secret-2'],
    ])
    expect(events.filter(({ kind }) => kind === 'tool-complete')).toMatchObject([
      { success: true, result: '{"action":"accept","content":{"day":"Tuesday"}}' },
    ])
    expect(events.at(-1)).toMatchObject({ kind: 'task-complete' })
    expect(JSON.stringify(events)).not.toContain('secret')
    const prompts = events.flatMap((event) => (event.kind === 'input-required' ? event.prompt : []))
    expect(prompts.slice(1)).toEqual(Array(2).fill('The harbour asks: Which day?'))
  })

  it('tells the server that the user declines', async () => {
    server.calls = []
    await booked(server, (id, _, stream) => stream.submit(respond(id, { outcome: 'declined' }), user))
    expect(server.calls.slice(1).map(({ inputResponses }) => inputResponses?.day)).toEqual(
      Array(2).fill({ action: 'decline' }),
    )
  })

  it.each([
    ['result of an unknown type', { resultType: 'later', ...text('Booked.') }],
    ['empty result', {}],
    ['task', { resultType: 'task', taskId: 'x', status: 'working' }],
    ['question without end', { resultType: 'input_required', requestState: 's' }],
  ])('takes no %s for a booking', async (_, result) => {
    const events = await booked({ callTool: async () => result }, async () => {})
    expect(events.filter(({ kind }) => kind === 'tool-complete')).toMatchObject([{ success: false }])
  })
})
