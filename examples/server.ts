/**
 * `npm run example [-- --port 3000 --delay 40 --recording <file> --provider openai --tags think]`
 *
 * Serves a page that shows a recorded answer as it streams, thoughts apart from text. The port may also be set
 * with `PORT`.
 */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createEmitter } from 'turnstream'
import { encodeEvent, eventStreamHeaders } from 'turnstream/sse'
import { thoughtEvents } from 'turnstream/thoughts'
import { bundle } from './bundle.ts'
import { readerOf } from './readers.ts'
import { cutInto, readRecording } from './recording.ts'
import { turn } from './turn.ts'

export interface ServerOptions {
  readonly recording: Uint8Array
  /** Whose stream the recording is. Defaults to `openai`. */
  readonly provider?: string
  /** Names of the tags that mark thoughts in the recording. Defaults to `thinking`. */
  readonly tags?: readonly string[]
  /** Milliseconds between two events. */
  readonly delay: number
  /** Called with a line when an event stream ends. */
  readonly log?: (line: string) => void
}

/** Creates the server; the caller calls `listen`. */
export async function exampleServer(options: ServerOptions): Promise<Server> {
  const page = readFileSync(new URL('index.html', import.meta.url))
  const library = await bundle("export { readEvents } from 'turnstream'")
  return createServer((request, response) => {
    switch (request.url?.split('?')[0]) {
      case '/':
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
        break
      case '/turnstream.js':
        response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(library)
        break
      case '/events':
        streamTurn(response, options).catch((error: unknown) => {
          options.log?.(`failed: ${error}`)
          response.destroy()
        })
        break
      default:
        response.writeHead(404).end()
    }
  })
}

/** Sends the events of a turn until it ends or the client disconnects. */
async function streamTurn(response: ServerResponse, options: ServerOptions): Promise<void> {
  const { recording, provider = 'openai', tags = ['thinking'], delay, log = () => {} } = options
  const disconnected = new AbortController()
  response.on('close', () => disconnected.abort())
  response.writeHead(200, eventStreamHeaders)

  const emitter = createEmitter({ contextId: 'ctx-example', taskId: `task-${randomUUID()}` })
  const reader = readerOf(provider, { thoughts: thoughtEvents({ tags, live: true }), calls: 'start' })
  let sent = 0
  try {
    for await (const event of turn(cutInto(recording, [500]), { emitter, reader })) {
      const message = encodeEvent(event, { viewer: { audience: 'user' }, id: String(sent + 1) })
      if (message === '') continue // Users may not see it.
      sent++
      // Backpressure: wait for a slow client instead of buffering its events.
      if (!response.write(message)) await once(response, 'drain', { signal: disconnected.signal })
      await sleep(delay, undefined, { signal: disconnected.signal })
    }
  } catch (error) {
    if (!disconnected.signal.aborted) throw error
    log(`client disconnected after ${sent} events`)
    return
  }
  response.end()
  log(`sent ${sent} events`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env.PORT ?? '3000' },
      delay: { type: 'string', default: '40' },
      recording: { type: 'string' },
      provider: { type: 'string', default: 'openai' },
      tags: { type: 'string', default: 'thinking' },
    },
  })
  const recording = readRecording(values.recording ?? new URL('recordings/chat.sse', import.meta.url))
  const server = await exampleServer({
    recording,
    provider: values.provider,
    tags: values.tags.split(','),
    delay: Number(values.delay),
    log: (line) => console.log(line),
  })
  server.listen(Number(values.port), '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : address
  console.log(`http://127.0.0.1:${port}/`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
