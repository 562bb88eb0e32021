// The recipes of docs/recipes.md: every server resumes its clients, refuses unknown streams, and leaves nothing behind.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { ResponseError } from 'turnstream'
import {
  createStream,
  emptyView,
  type Received,
  type Stream,
  type View,
  watchStream,
} from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { showStream } from '../../examples/docs/stream-client.ts'
import { streamsApp as expressApp } from '../../examples/recipes/server/express.ts'
import { streamsApp as fastifyApp } from '../../examples/recipes/server/fastify.ts'
import { respondTo } from '../../examples/recipes/server/fetch.ts'
import { streamsApp as honoApp } from '../../examples/recipes/server/hono.ts'
import { streamsRoute } from '../../examples/recipes/server/next.ts'
import { serveStreams } from '../../examples/recipes/server/node-http.ts'
import { type Serve, type Served, STREAM_PATH, startCutAnswer } from '../support/cut-answer.ts'
import { hastenWaits } from '../support/fake-time.ts'

hastenWaits()

type Find = (id: string) => Stream | undefined

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function listen(server: Server): Promise<Served> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Serves a handler of the web's requests over HTTP, as its platform does. */
function serveHandler(handle: (request: Request) => Response | Promise<Response>): Promise<Served> {
  return listen(
    createServer(async (incoming, outgoing) => {
      const disconnected = new AbortController()
      outgoing.on('close', () => disconnected.abort())
      const headers = incoming.headers as Record<string, string>
      const { signal } = disconnected
      const response = await handle(new Request(`http://localhost${incoming.url}`, { headers, signal }))
      outgoing.writeHead(response.status, [...response.headers].flat()).flushHeaders()
      await pipeline(response.body ?? [], outgoing).catch(() => {})
    }),
  )
}

const servers: readonly [name: string, serve: Serve][] = [
  ['node-http', (find) => listen(serveStreams(find))],
  ['express', (find) => listen(createServer(expressApp(find)))],
  [
    'fastify',
    async (find) => {
      const app = fastifyApp(find)
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      return {
        url,
        async close() {
          app.server.closeAllConnections()
          await app.close()
        },
      }
    },
  ],
  ['hono', (find) => serveHandler((request) => honoApp(find).fetch(request))],
  [
    'fetch',
    (find) => serveHandler((request) => respondTo(request, find(request.url.split('/').at(-1) ?? ''))),
  ],
  [
    'next',
    (find) => {
      const GET = streamsRoute(find)
      // As Next.js calls a route: what the folder [id] stands for is in `params`.
      return serveHandler((request) =>
        GET(request, { params: Promise.resolve({ id: request.url.split('/').at(-1) ?? '' }) }),
      )
    },
  ],
]

const connectTo =
  (url: string): Parameters<typeof watchStream>[0] =>
  (lastEventId, signal) =>
    fetch(url, { headers: lastEventId ? { 'last-event-id': lastEventId } : {}, signal })

function textOf({ tasks }: View): string {
  return tasks.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : ''))).join('')
}

it('every recipe is tried', () => {
  // Those that take commands are tried in commands.test.ts.
  const files = readdirSync('examples/recipes/server').filter((file) => !file.endsWith('-commands.ts'))
  expect(servers.map(([name]) => `${name}.ts`).sort()).toEqual(files.sort())
})

it.each(
  ['server', 'client'].flatMap((folder) =>
    readdirSync(`examples/recipes/${folder}`).map((file) => `examples/recipes/${folder}/${file}`),
  ),
)('%s has at most 25 lines', (file) => {
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(25)
})

describe.each(servers)('the server with %s', (_, serve) => {
  it('loses and repeats nothing over three cut connections and a new process', async () => {
    const answer = await startCutAnswer(serve)
    opened.push(() => answer.close())
    let view = emptyView
    const types = new Set<Received['type']>()
    const connect = connectTo(answer.url + STREAM_PATH)
    for await (const item of watchStream(connect, { minDelayMs: 1 })) {
      view = item.view
      types.add(item.received.type)
    }
    expect(textOf(view)).toBe(await answer.text)
    expect(view.diagnostics).toEqual([])
    expect(answer.cuts).toBeGreaterThanOrEqual(3)
    expect(answer.lastEventIds.length).toBeGreaterThan(3)
    expect([...types].sort()).toEqual(['closed', 'events', 'reset'])
  })

  it('refuses unknown streams, and ends clients that have everything', async () => {
    const stream = createStream({ stream: 'a', epoch: 'e' })
    const { url, close } = await serve((id) => (id === 'a' ? stream : undefined))
    opened.push(close)
    await expect(watchStream(connectTo(`${url}/streams/b`)).next()).rejects.toBeInstanceOf(ResponseError)
    await stream.close()
    const items = []
    for await (const item of watchStream(connectTo(`${url}/streams/a`))) items.push(item)
    expect(items.map(({ received }) => received.type)).toEqual(['events', 'closed'])
    const cursor = items.at(-1)?.cursor
    for await (const item of watchStream(connectTo(`${url}/streams/a`), { cursor })) items.push(item)
    expect(items).toHaveLength(2)
    expect((await fetch(`${url}/streams/a`)).headers.get('content-type')).toMatch(/^text\/event-stream/)
  })

  it('stops reading the stream when the client disconnects', async () => {
    const stream = createStream({ stream: 'a', epoch: 'e' })
    const { find, open } = counted(stream)
    const { url, close } = await serve(find)
    opened.push(close)
    const all = watchStream(connectTo(`${url}/streams/a`))
    await all.next()
    expect(open()).toBe(1)
    await all.return()
    await vi.waitFor(() => expect(open()).toBe(0), { timeout: 30_000 })
  })
})

/** Counts the reads of a log that wait for its next event. */
function counted(stream: Stream): { find: Find; open: () => number } {
  let open = 0
  const { log } = stream
  const counting = createStream({
    log: {
      ...log,
      async read(cursor, options) {
        open++
        try {
          return await log.read(cursor, options)
        } finally {
          open--
        }
      },
    },
  })
  return { find: () => counting, open: () => open }
}

describe('the client of the guide', () => {
  it('shows a stream, and continues from what was stored', async () => {
    const answer = await startCutAnswer((find) => listen(serveStreams(find)))
    opened.push(() => answer.close())
    const stop = new AbortController()
    const shown: View[] = []
    const show = (view: View): void => {
      shown.push(view)
      if (shown.length === 3) stop.abort()
    }
    const url = answer.url + STREAM_PATH
    const onDiagnostic = (): void => {}
    const saved = await showStream(url, show, { onDiagnostic, signal: stop.signal })
    expect(saved.view).toBe(shown.at(-1))
    const end = await showStream(url, show, { saved: JSON.parse(JSON.stringify(saved)), onDiagnostic })
    expect(textOf(end.view)).toBe(await answer.text)
    expect(answer.cuts).toBeGreaterThanOrEqual(3)
    await expect(showStream(`${answer.url}/streams/none`, show)).rejects.toThrow('not available: 404')
  })
})
