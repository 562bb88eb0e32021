// Proves that the code of docs/commands.md works: an approval over SSE and POST with Hono and Express, in one process and
// in two with Redis; a task that is canceled; state that is shared.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ContextAnyEvent, createEmitter, run } from 'turnstream'
import { createCommand, type Receipt } from 'turnstream/commands'
import { redisStore } from 'turnstream/redis'
import { memoryStore, type Stream } from 'turnstream/server'
import { artifactOf, emptyView, foldEvents, verifier, watchStream } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sendCommand } from '../../examples/docs/command-client.ts'
import { readStream, takeCommand } from '../../examples/docs/command-server.ts'
import { openConversation } from '../../examples/recipes/approval/agent.ts'
import { streamsApp as expressStreams } from '../../examples/recipes/server/express.ts'
import { commandsApp as expressCommands } from '../../examples/recipes/server/express-commands.ts'
import { streamsApp as honoStreams } from '../../examples/recipes/server/hono.ts'
import { commandsApp as honoCommands } from '../../examples/recipes/server/hono-commands.ts'
import { createRedisInMemory } from '../support/redis-in-memory.ts'

const send = (): object => createCommand({ kind: 'task.send', input: 'Book it.' })
const user = { role: 'user', id: 'user-1' } as const
const within = { timeout: 30_000 }
const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
  vi.useRealTimers()
})

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A listener that passes requests to a handler of the web's requests. */
const listenerOf =
  (handle: (request: Request) => Response | Promise<Response>): RequestListener =>
  async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '' } = incoming
    const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) }
    const headers = incoming.headers as Record<string, string>
    const response = await handle(new Request(`http://localhost${url}`, { method, headers, ...body }))
    outgoing.writeHead(response.status, [...response.headers].flat()).flushHeaders()
    for await (const chunk of response.body ?? []) outgoing.write(chunk)
    outgoing.end()
  }

const servers: readonly [name: string, serve: (stream: Stream) => Promise<string>][] = [
  [
    'Hono',
    (stream) =>
      listen(
        listenerOf(
          honoStreams(() => stream).route(
            '/',
            honoCommands(() => stream),
          ).fetch as never,
        ),
      ),
  ],
  ['Express', (stream) => listen(expressStreams(() => stream).use(expressCommands(() => stream)))],
]

/** Watches a stream until its task ends; answers the first request. */
async function watch(url: string, answer: (inputId: string) => Promise<unknown>): Promise<ContextAnyEvent[]> {
  const events: ContextAnyEvent[] = []
  const leave = new AbortController()
  const connect = (_lastEventId: unknown, signal: AbortSignal): Promise<Response> =>
    fetch(`${url}/streams/ctx-1`, { signal })
  for await (const { received } of watchStream(connect, { signal: leave.signal })) {
    if (received.type !== 'events') continue
    events.push(...received.events)
    for (const event of received.events) if (event.kind === 'input-required') await answer(event.inputId)
    if (received.events.some((event) => event.kind === 'task-status' && event.status === 'completed')) break
  }
  leave.abort()
  return events
}

function expectLegal(events: readonly ContextAnyEvent[]): void {
  const { push } = run(verifier({ mode: 'strict' }))
  expect(events.flatMap((event) => [...push(event)]).filter(({ severity }) => severity === 'error')).toEqual(
    [],
  )
}

describe.each(servers)('an approval with %s', (_, serve) => {
  const start = async (): Promise<string> => {
    const stream = await openConversation(memoryStore(), 'user-1')
    opened.push(() => stream.release())
    await stream.submit(send(), user)
    return serve(stream)
  }

  it('runs the call with the arguments that the user has edited', async () => {
    const url = await start()
    const receipts: Receipt[] = []
    const events = await watch(url, async (inputId) => {
      const responses = [{ inputId, value: { arguments: { seats: 4 } } }]
      receipts.push(await sendCommand(`${url}/streams/ctx-1/commands`, { kind: 'input.respond', responses }))
      receipts.push(await sendCommand(`${url}/streams/ctx-1/commands`, { kind: 'input.respond', responses }))
    })
    expect(receipts.map(({ status }) => status)).toEqual(['accepted', 'repeated'])
    expect(events.find(({ kind }) => kind === 'tool-start')).toMatchObject({ arguments: { seats: 4 } })
    expectLegal(events)
  })

  it('does not run the call if the user declines, and refuses what is no command', async () => {
    const url = await start()
    const events = await watch(url, async (inputId) => {
      const invalid = await fetch(`${url}/streams/ctx-1/commands`, { method: 'POST', body: '{' }).catch(
        () => undefined,
      )
      expect(invalid?.status).not.toBe(500)
      await sendCommand(`${url}/streams/ctx-1/commands`, {
        kind: 'input.respond',
        responses: [{ inputId, outcome: 'declined' }],
      })
    })
    expect(events.some(({ kind }) => kind === 'tool-start')).toBe(false)
    expectLegal(events)
  })
})

it.each(['text/plain', 'application/x-www-form-urlencoded', undefined])(
  'a form of another site, of %s, changes nothing',
  async (type) => {
    const store = memoryStore()
    const headers = type === undefined ? {} : { 'content-type': type }
    const body = new TextEncoder().encode(JSON.stringify(send()))
    const request = (): Request => new Request('http://localhost/', { method: 'POST', headers, body })
    const stream = (await store.open('s', { onInput: () => undefined })) as Stream
    expect((await takeCommand(store, request(), 'user-1')).status).toBe(415)
    const app = honoCommands(() => stream)
    expect((await app.request('/streams/ctx-1/commands', request())).status).toBe(415)
    expect((await stream.view('all')).tasks).toEqual([])
  },
)

it.each(['cross-site', 'same-site'])('a page that is %s changes nothing', async (site) => {
  const store = memoryStore()
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': site }
  const request = (): Request =>
    new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify(send()) })
  const stream = (await store.open('s', { onInput: () => undefined })) as Stream
  expect((await takeCommand(store, request(), 'user-1')).status).toBe(403)
  const app = honoCommands(() => stream)
  expect((await app.request('/streams/ctx-1/commands', request())).status).toBe(403)
  expect((await stream.view('all')).tasks).toEqual([])
})

it('an approval that does not come within 60 seconds expires', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') })
  const store = memoryStore()
  const post = async (command: object): Promise<Receipt> => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers,
      body: JSON.stringify(command),
    })
    return (await (await takeCommand(store, request, 'user-1')).json()) as Receipt
  }
  await post(send())
  const stream = await openConversation(store, 'user-1')
  // Digests are made in other threads: no timer says when.
  const request = await vi.waitUntil(async () => (await stream.requests())[0], within)
  await vi.advanceTimersByTimeAsync(60_001)
  const responses = [{ inputId: request.id, outcome: 'answered' as const }]
  expect(await post(createCommand({ kind: 'input.respond', responses }))).toMatchObject({ status: 'expired' })
  await vi.waitUntil(async () => (await stream.view('all')).tasks[0]?.status === 'completed', within)
  await stream.close()
  const body = await readStream(store, new Request('http://localhost/'), 'user-1').then((all) => all.text())
  const events = body.split('\n').flatMap((line) => {
    const event = line.startsWith('data: {"kind"')
      ? (JSON.parse(line.slice(6)) as ContextAnyEvent)
      : undefined
    return event === undefined ? [] : [event]
  })
  expect(events.map(({ kind }) => kind)).not.toContain('tool-start')
  expect(foldEvents(emptyView, events).tasks[0]?.status).toBe('completed')
  expectLegal(events)
})

it('an approval that one server takes reaches the agent in another, with Redis', async () => {
  const client = createRedisInMemory()
  const stores = [redisStore({ client }), redisStore({ client })]
  const streams = await Promise.all(stores.map((store) => openConversation(store, 'user-1')))
  const [mine, other] = streams as [Stream, Stream]
  opened.push(...stores.map((store) => () => store.close()))
  await mine.submit(send(), user)
  const app = honoCommands(() => other)
  const open = await vi.waitUntil(async () => (await other.requests())[0])
  const responses = [{ inputId: open.id, outcome: 'answered' as const }]
  const body = JSON.stringify(createCommand({ kind: 'input.respond', responses }))
  const headers = { 'content-type': 'application/json' }
  const response = await app.request('/streams/ctx-1/commands', { method: 'POST', headers, body })
  expect(((await response.json()) as Receipt).status).toBe('accepted')
  await vi.waitUntil(async () => (await other.view('all')).tasks[0]?.status === 'completed')
  const part = await other.log.read(undefined, { maxBytes: 1e6 })
  const events = part.type === 'batch' ? part.events : []
  expect(events.map(({ kind }) => kind)).toContain('tool-complete')
  expectLegal(events)
})

it('a canceled task keeps what it wrote, a disconnected client cancels nothing', async () => {
  const task = { contextId: 'ctx-1', taskId: 'task-1' }
  const stream = (await memoryStore().open('s')) as Stream
  await stream.run(task, async function* (signal) {
    yield { kind: 'content-delta', delta: 'The first half' }
    await stream.submit(createCommand({ kind: 'stream.resume' }), user)
    expect(signal.aborted).toBe(false)
    await stream.submit(createCommand({ kind: 'task.cancel', taskId: 'task-1' }), user)
    yield { kind: 'content-delta', delta: ' and the second' }
  })
  expect((await stream.view()).tasks[0]).toMatchObject({
    ...{ status: 'canceled', parts: [{ type: 'text', text: 'The first half' }] },
  })
})

it('state that both sides write is the artifact "state"', () => {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
  const change = { type: 'json-patch', patch: [{ op: 'replace', path: '/seats', value: 4 }] } as const
  const events = [
    emit({ kind: 'task-created', initiator: 'user' }),
    emit({ kind: 'data-write', artifactId: 'state', data: { seats: 2 }, metadata: { version: 1 } } as never),
    emit({ kind: 'artifact-delta', artifactId: 'state', baseVersion: 1, version: 2, change } as never),
  ] as ContextAnyEvent[]
  expect(artifactOf(foldEvents(emptyView, events), 'state')).toMatchObject({
    committed: { content: { type: 'data', data: { seats: 4 } }, version: 2 },
  })
})

it('asks and books in ten lines', () => {
  const source = readFileSync('examples/recipes/approval/agent.ts', 'utf8')
  const [agent = ''] = /^export async function\* bookTable\([\s\S]+?^\}$/m.exec(source) ?? []
  expect(agent).toContain("kind: 'tool-complete'")
  expect(agent.split('\n').length).toBeLessThanOrEqual(10)
})
