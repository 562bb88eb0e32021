// The recipes of docs/approvals.md: a tool call is approved over SSE and POST, with Hono, with Express, and on two
// servers with Redis and with a log of their own; state is shared with a page of AG-UI; a chat of the AI SDK sends commands.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { type ContextAnyEvent, run } from 'turnstream'
import { agUiVerifier } from 'turnstream/ag-ui'
import { createCommand, type Receipt } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { logStore, memoryStore, type Store, type Stream } from 'turnstream/server'
import { artifactOf, emptyView, foldEvents, type Received, verifier, watchStream } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../examples/own-log/database.ts'
import { databaseLog } from '../../examples/own-log/log.ts'
import { takeChat } from '../../examples/recipes/approval/chat-request.ts'
import { approvalApp as expressApp } from '../../examples/recipes/approval/express.ts'
import { approvalApp as honoApp } from '../../examples/recipes/approval/hono.ts'
import { planTrip, toPage } from '../../examples/recipes/approval/shared-state.ts'
import { createRedisInMemory } from '../support/redis-in-memory.ts'

const opened: (() => unknown)[] = []
afterEach(() => {
  for (const close of opened.splice(0).reverse()) close()
  vi.useRealTimers()
})

type Fetch = (path: string, init?: RequestInit) => Promise<Response>

const userId = (): string => 'user-1'

const servers: readonly [name: string, open: () => Promise<{ stream: Fetch; commands: Fetch }>][] = [
  [
    'Hono',
    async () => {
      const app = honoApp(memoryStore(), userId)
      const fetch: Fetch = async (path, init) => app.request(path, init)
      return { stream: fetch, commands: fetch }
    },
  ],
  [
    'Express',
    async () => {
      const server = createServer(expressApp(memoryStore(), userId)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      opened.push(() => {
        server.close()
        server.closeAllConnections()
      })
      const { port } = server.address() as AddressInfo
      const toServer: Fetch = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init)
      return { stream: toServer, commands: toServer }
    },
  ],
  [
    'two servers and Redis',
    async () => {
      const client = createRedisInMemory()
      return twoServers(() => redisStore({ client }))
    },
  ],
  [
    'two servers and a log of their own',
    async () => {
      const database = new Database()
      return twoServers(() => logStore({ open: (stream) => databaseLog(database, stream) }))
    },
  ],
]

/** The same program in two processes: one serves the stream, the other takes the commands and runs the agent. */
function twoServers(openStore: () => Store): { stream: Fetch; commands: Fetch } {
  const [one, other] = [openStore(), openStore()].map((store) => {
    opened.push(() => store.close())
    return honoApp(store, userId)
  }) as [Hono, Hono]
  return {
    stream: async (path, init) => one.request(path, init),
    commands: async (path, init) => other.request(path, init),
  }
}

async function post(commands: Fetch, body: unknown): Promise<Receipt> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await commands('/commands', { method: 'POST', body: text, headers })
  return (await response.json()) as Receipt
}

/** Reads a stream until its task completes; answers each request. */
async function watched(
  stream: Fetch,
  answer: (inputId: string) => Promise<void>,
): Promise<ContextAnyEvent[]> {
  const events: ContextAnyEvent[] = []
  const leave = new AbortController()
  const take = async (received: Received): Promise<boolean> => {
    if (received.type !== 'events') return false
    events.push(...received.events)
    for (const event of received.events) if (event.kind === 'input-required') await answer(event.inputId)
    return received.events.some((event) => event.kind === 'task-status' && event.status === 'completed')
  }
  const connect = (_: unknown, signal: AbortSignal): Promise<Response> => stream('/stream', { signal })
  for await (const { received } of watchStream(connect, { signal: leave.signal })) {
    if (await take(received)) break
  }
  leave.abort()
  return events
}

function errorsIn(events: readonly ContextAnyEvent[]): unknown[] {
  const { push } = run(verifier({ mode: 'strict' }))
  return events.flatMap((event) => [...push(event)]).filter(({ severity }) => severity === 'error')
}

describe.each(servers)('an approval with %s', (_, open) => {
  it.each([
    ['as requested', {}, { seats: 2 }],
    ['edited', { value: { arguments: { seats: 4 } } }, { seats: 4 }],
    ['declined', { outcome: 'declined' as const }, undefined],
  ])('%s', async (_name, response, args) => {
    const { stream, commands } = await open()
    const statuses: string[] = []
    const events = watched(stream, async (inputId) => {
      const command = createCommand({
        kind: 'input.respond',
        responses: [{ inputId, outcome: 'answered', ...response }],
      })
      for (const body of ['{', command, command]) statuses.push((await post(commands, body)).status)
    })
    const sent = await post(commands, createCommand({ kind: 'task.send', input: 'Book it.' }))
    expect(sent.status).toBe('accepted')
    const start = (await events).find((event) => event.kind === 'tool-start')
    expect(start?.kind === 'tool-start' ? start.arguments : undefined).toEqual(args)
    expect(statuses).toEqual(['invalid', 'accepted', 'repeated'])
    expect(errorsIn(await events)).toEqual([])
  })
})

it('an approval that does not come within 60 seconds expires', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') })
  const app = honoApp(memoryStore(), userId)
  const fetch: Fetch = async (path, init) => app.request(path, init)
  const asked: string[] = []
  const done = watched(fetch, async (inputId) => void asked.push(inputId))
  await post(fetch, createCommand({ kind: 'task.send', input: 'Book it.' }))
  await vi.advanceTimersByTimeAsync(60_001)
  const events = await done
  expect(events.map(({ kind }) => kind)).toContain('input-canceled')
  expect(events.map(({ kind }) => kind)).not.toContain('tool-start')
  const responses = asked.map((inputId) => ({ inputId, outcome: 'answered' as const }))
  expect((await post(fetch, createCommand({ kind: 'input.respond', responses }))).status).toBe('expired')
})

it('shared state is the artifact "state", and STATE_SNAPSHOT and STATE_DELTA for AG-UI', () => {
  const task = { contextId: 'thread-1', taskId: 'run-1' }
  const events = [...planTrip({ metadata: { state: { seats: 2 } } }, task)]
  expect(artifactOf(foldEvents(emptyView, events), 'state')).toMatchObject({
    committed: { content: { type: 'data', data: { seats: 3 } }, version: 2 },
  })
  const page = [...toPage(events, 'thread-1', 'run-1')]
  expect(page.map(({ type }) => type)).toEqual([
    ...['RUN_STARTED', 'STATE_SNAPSHOT', 'STATE_DELTA', 'RUN_FINISHED'],
  ])
  const { push } = run(agUiVerifier({ mode: 'strict' }))
  expect(page.flatMap((event) => [...push(event)])).toEqual([])
  expect(errorsIn(events)).toEqual([])
})

it('a chat of the AI SDK sends its message once, however often it is posted', async () => {
  const inputs: unknown[] = []
  const stream = (await memoryStore().open('s', {
    onInput: (_, { input }) => inputs.push(input),
  })) as Stream
  const messages = [{ id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'Book it.' }] }]
  const chat = async (body: string): Promise<{ status: number; body: unknown }> => {
    const request = new Request('http://localhost/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const response = await takeChat(stream, request, { role: 'user', id: 'user-1' })
    return { status: response.status, body: await response.json() }
  }
  const body = JSON.stringify({ id: 'ctx-1', messages, trigger: 'submit-message' })
  expect(await chat(body)).toMatchObject({ status: 200, body: { receipts: [{ status: 'accepted' }] } })
  expect(await chat(body)).toMatchObject({ status: 200, body: { receipts: [{ status: 'repeated' }] } })
  expect(await chat('{')).toMatchObject({ status: 400, body: { diagnostics: [{ code: 'invalid-event' }] } })
  expect(inputs).toEqual(['Book it.'])
})
