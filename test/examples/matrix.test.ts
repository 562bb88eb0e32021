// Proves that every documented client understands every documented server, or fails with a stated reason: none waits for
// ever, and none takes the end of a task for a failure.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { ContextAnyEvent } from 'turnstream'
import { eventStream, eventStreamHeaders } from 'turnstream/sse'
import { createStream, emptyView, foldEvents, type Stream, type View } from 'turnstream/streams'
import { afterEach, expect, it, vi } from 'vitest'
import { ask } from '../../examples/docs/ag-ui-client.ts'
import { answer as answerAgUi } from '../../examples/docs/ag-ui-server.ts'
import { answer as answerUseChat, read } from '../../examples/docs/ai-sdk.ts'
import { answer, messagesOf } from '../../examples/docs/conversation.ts'
import { showStream } from '../../examples/docs/stream-client.ts'
import { serveStream } from '../../examples/docs/stream-server.ts'
import { chat } from '../../examples/readme/client.ts'
import { serve } from '../../examples/readme/server.ts'
import { showStream as showPlain } from '../../examples/recipes/client/plain.ts'
import { streamsApp as expressApp } from '../../examples/recipes/server/express.ts'
import { streamsApp as fastifyApp } from '../../examples/recipes/server/fastify.ts'
import { respondTo } from '../../examples/recipes/server/fetch.ts'
import { streamsApp as honoApp } from '../../examples/recipes/server/hono.ts'
import { streamsRoute } from '../../examples/recipes/server/next.ts'
import { serveStreams } from '../../examples/recipes/server/node-http.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const PATH = '/streams/a'
const TEXT = 'You said: Hello'
const reply = (text: string): string[] => ['You said: ', text]

/** The agent of docs/conversations.md. */
const eventsOf = (): ContextAnyEvent[] => [
  ...answer({ contextId: 'ctx-1', taskId: 'task-1', text: 'Hello' }, reply),
]

async function* agent(): AsyncGenerator<ContextAnyEvent> {
  yield* eventsOf()
}

async function streamOfAgent(): Promise<Stream> {
  const stream = createStream({ stream: 'a', epoch: 'e' })
  for (const event of eventsOf()) await stream.append(event)
  await stream.close()
  return stream
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`
}

/** Serves a handler of the web's requests, as its platform does. */
const serveHandler = (handle: (request: Request) => Response | Promise<Response>): Promise<string> =>
  listen(
    createServer(async (incoming, outgoing) => {
      const { method = 'GET', url = '' } = incoming
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) }
      const headers = incoming.headers as Record<string, string>
      const response = await handle(new Request(`http://localhost${url}`, { method, headers, ...body }))
      outgoing.writeHead(response.status, [...response.headers].flat())
      await pipeline(response.body ?? [], outgoing).catch(() => {})
    }),
  )

/** A server of the streams of a recipe. */
const ofStreams =
  (start: (find: (id: string) => Stream | undefined) => Promise<string>) => async (): Promise<string> => {
    const stream = await streamOfAgent()
    return start((id) => (id === 'a' ? stream : undefined))
  }

const servers = {
  README: () =>
    listen(
      serve(async function* () {
        yield* reply('Hello')
      }),
    ),
  conversation: () => serveHandler(() => new Response(eventStream(agent()), { headers: eventStreamHeaders })),
  'stream-server': async () => listen(serveStream(await streamOfAgent())),
  'node-http': ofStreams((find) => listen(serveStreams(find))),
  express: ofStreams((find) => listen(createServer(expressApp(find)))),
  fastify: ofStreams(async (find) => {
    const app = fastifyApp(find)
    opened.push(async () => {
      app.server.closeAllConnections()
      await app.close()
    })
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}${PATH}`
  }),
  hono: ofStreams((find) => serveHandler((request) => honoApp(find).fetch(request))),
  fetch: ofStreams((find) => serveHandler((request) => respondTo(request, find('a')))),
  next: ofStreams((find) =>
    serveHandler((request) => streamsRoute(find)(request, { params: Promise.resolve({ id: 'a' }) })),
  ),
  'ag-ui-server': () => serveHandler((request) => answerAgUi(request.clone(), agent)),
  'ai-sdk': () => serveHandler(() => answerUseChat(agent())),
} satisfies Record<string, () => Promise<string>>

const shown = (view: View): string =>
  messagesOf(view)
    .flatMap(({ role, text }) => (role === 'agent' ? [text] : []))
    .join('')

async function textOf(events: AsyncIterable<ContextAnyEvent>): Promise<string> {
  let view = emptyView
  for await (const event of events) view = foldEvents(view, [event])
  return shown(view)
}

/** Each shows the answer at a URL, and resolves to the text that it has shown. */
const clients = {
  async README(url) {
    let text = ''
    const status = await chat(url, (delta) => (text += delta))
    expect(status).toBe('completed')
    return text
  },
  async 'stream-client'(url) {
    return shown((await showStream(url, () => {}, { onDiagnostic: () => {} })).view)
  },
  async plain(url) {
    vi.stubGlobal('document', { createElement: () => ({ textContent: '' }) })
    let text = ''
    const element = {
      replaceChildren: (...all: { textContent: string }[]) => {
        text = all.map(({ textContent }) => textContent).join('')
      },
    }
    await showPlain(url, element as unknown as HTMLElement)
    return text
  },
  async 'ag-ui-client'(url) {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const text = await textOf(ask(url, 'Hello'))
    return text === '' ? `nothing: ${warn.mock.calls[0]?.[0]}` : text
  },
  async 'ai-sdk'(url) {
    const codes: string[] = []
    const response = await fetch(url)
    if (!response.ok) throw new Error(`status ${response.status}`)
    const text = await textOf(read(response, ({ code }) => codes.push(code)))
    return text === '' ? `nothing: ${codes[0]}` : text
  },
} satisfies Record<string, (url: string) => Promise<string>>

type Client = keyof typeof clients

const UNKNOWN_STREAM = 'UnknownStreamError: Expected messages of a stream'
const FOREIGN = 'nothing: invalid-event'

/** Events of this library, with ids; a method other than GET is ignored. */
const anyMethod: Record<Client, string> = {
  ...{ README: TEXT, 'stream-client': TEXT, plain: TEXT },
  ...{ 'ag-ui-client': FOREIGN, 'ai-sdk': FOREIGN },
}
const onlyGet: Record<Client, string> = { ...anyMethod, 'ag-ui-client': 'Error: Expected a stream, got 404.' }
const withoutIds: Record<Client, string> = {
  ...anyMethod,
  ...{ 'stream-client': UNKNOWN_STREAM, plain: UNKNOWN_STREAM },
}

/** What each client makes of each server: the text, or the beginning of the reason. */
const outcomes: Record<keyof typeof servers, Record<Client, string>> = {
  README: withoutIds,
  conversation: withoutIds,
  'stream-server': anyMethod,
  'node-http': onlyGet,
  express: onlyGet,
  fastify: onlyGet,
  hono: onlyGet,
  fetch: anyMethod,
  next: anyMethod,
  'ag-ui-server': {
    README: 'ResponseError: Expected an event stream, got status 400',
    'stream-client': 'Error: The answer is not available: 400.',
    plain: 'ResponseError: Expected an event stream, got status 400',
    'ag-ui-client': TEXT,
    'ai-sdk': 'Error: status 400',
  },
  'ai-sdk': {
    README: 'Error: The connection ended before the task did.',
    'stream-client': UNKNOWN_STREAM,
    plain: UNKNOWN_STREAM,
    'ag-ui-client': 'nothing: dropped:start',
    'ai-sdk': TEXT,
  },
}

it('every recipe of a server of streams is tried', () => {
  const files = readdirSync('examples/recipes/server').filter((file) => !file.endsWith('-commands.ts'))
  expect(Object.keys(servers)).toEqual(expect.arrayContaining(files.map((file) => file.replace('.ts', ''))))
})

const pairs = Object.entries(outcomes).flatMap(([server, of]) =>
  Object.entries(of).map(([client, outcome]) => [client, server, outcome] as const),
)

it.each(pairs)('the client %s of the server %s: %s', async (client, server, outcome) => {
  const url = await servers[server as keyof typeof servers]()
  const found = await clients[client as Client](url).catch((error: unknown) => String(error))
  expect(found.startsWith(outcome) ? outcome : found).toBe(outcome)
})
