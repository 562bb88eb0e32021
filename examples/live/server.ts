/**
 * `npm run example:live [-- --port 3000 --redis redis://127.0.0.1:6379 --delay 40 --lease 5000]`
 *
 * Serves a page that starts a turn of an agent and shows its answer as it streams. The URL of the page contains
 * the turn: open it in a second browser, disconnect either one, or start another server on the same Redis. All
 * show the same in the end. Kill the server that runs a turn: another one ends the turn. Restart Redis: the pages get a
 * snapshot and go on.
 *
 *     POST /turns            starts a turn; it runs even if nobody reads it
 *     GET  /turns/<id>       its events after `Last-Event-ID`
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Stream } from 'turnstream/server'
import { bundle } from '../bundle.ts'
import { cutInto, readRecording } from '../recording.ts'
import { answer } from './answer.ts'
import { type Streams, streamsInMemory, streamsInRedis } from './streams.ts'

export interface LiveOptions {
  readonly streams: Streams
  readonly recording: Uint8Array
  /** Names of the tags that enclose thoughts in the recording. Defaults to `thinking`. */
  readonly tags?: readonly string[]
  /** Milliseconds between two events. */
  readonly delay: number
  /** Milliseconds between two heartbeats. Defaults to 15 000. */
  readonly heartbeat?: number
  /** Logs errors. */
  readonly log?: (line: string) => void
}

const LIBRARY = `
  export { eventKinds, pipe, run } from 'turnstream'
  export { encodeMessage } from 'turnstream/sse'
  export { batchDecoder, emptyView, foldEvents, receiver, watchStream } from 'turnstream/streams'`

/** Creates the server. The caller calls `listen`. */
export async function liveServer(options: LiveOptions): Promise<Server> {
  const { streams, recording, tags = ['thinking'], delay, heartbeat = 15_000, log = () => {} } = options
  const page = readFileSync(new URL('index.html', import.meta.url))
  const library = await bundle(LIBRARY)

  async function startTurn(response: ServerResponse): Promise<void> {
    const taskId = randomUUID()
    const stream = await streams.create(taskId)
    const model = cutInto(recording, [500])
    await new Promise<void>((onStart, onError) => {
      answer(stream, { taskId, model, tags, delay, onStart }).catch((error: unknown) => {
        log(`failed: ${error}`)
        onError(error)
      })
    })
    response.writeHead(201, { 'content-type': 'application/json', location: `/turns/${taskId}` })
    response.end(JSON.stringify({ id: taskId }))
  }

  async function respond(stream: Stream, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController()
    response.on('close', () => disconnected.abort())
    const { status, headers, body } = stream.respond(request.headers['last-event-id']?.toString(), {
      // Every client is a user. A real server authenticates the client and picks its audience.
      viewer: { audience: 'user' },
      heartbeatMs: heartbeat,
      retry: 500,
      signal: disconnected.signal,
    })
    response.writeHead(status, headers).flushHeaders()
    // Fails if the client disconnects.
    await pipeline(body ?? [], response).catch(() => response.destroy())
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const id = /^\/turns\/([\w-]+)$/.exec(pathname)?.[1]
    if (request.method === 'POST' && pathname === '/turns') return startTurn(response)
    if (request.method !== 'GET') response.writeHead(405).end()
    else if (pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    } else if (pathname === '/turnstream.js') {
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(library)
    } else {
      const stream = id === undefined ? undefined : await streams.find(id)
      if (stream === undefined) response.writeHead(404).end()
      else await respond(stream, request, response)
    }
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(`failed: ${error}`)
      response.destroy()
    })
  })
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env.PORT ?? '3000' },
      redis: { type: 'string' },
      delay: { type: 'string', default: '40' },
      heartbeat: { type: 'string', default: '15000' },
      lease: { type: 'string', default: '5000' },
    },
  })
  const server = await liveServer({
    streams:
      values.redis === undefined
        ? streamsInMemory()
        : await streamsInRedis(values.redis, Number(values.lease)),
    recording: readRecording(new URL('../recordings/chat.sse', import.meta.url)),
    delay: Number(values.delay),
    heartbeat: Number(values.heartbeat),
    log: (line) => console.error(line),
  })
  server.listen(Number(values.port), '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
