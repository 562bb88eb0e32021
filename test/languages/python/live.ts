/**
 * The Python client on the TypeScript server and the other way round, over connections that are cut in the middle of a
 * message. Run by `npm run test:languages`:
 *
 *     tsx test/languages/python/live.ts <python>
 *
 * Prints a line of JSON for each direction.
 */
import { deepStrictEqual, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { type ContextAnyEvent, run } from 'turnstream'
import { createStream, emptyView, foldEvents, type View, verifier, watchStream } from 'turnstream/streams'
import { liveServer } from '../../../examples/live/server.ts'
import { streamsInMemory } from '../../../examples/live/streams.ts'
import { readRecording } from '../../../examples/recording.ts'
import { cuttingProxy } from '../../all/live/cutting-proxy.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const EXAMPLE = `${ROOT}examples/python/`
const python = process.argv[2] ?? 'python3'
const CUT_IN = [3, 9, 4]

interface Received {
  readonly events: ContextAnyEvent[]
  readonly view: View
}

/** What the Python client received of a stream. */
async function readWithPython(url: string): Promise<Received> {
  const client = spawn(python, [`${EXAMPLE}client.py`, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const events: ContextAnyEvent[] = []
  let view: View | undefined
  for await (const line of createInterface({ input: client.stdout })) {
    const value = JSON.parse(line) as {
      event?: ContextAnyEvent
      view?: View
      diagnostics?: string[]
    }
    if (value.event !== undefined) events.push(value.event)
    if (value.view !== undefined) view = value.view
    const dropped = value.diagnostics?.filter((code) => code !== 'incomplete-message') ?? []
    deepStrictEqual(dropped, [], 'what was dropped')
  }
  ok(view, 'the client failed')
  return { events, view }
}

/** A view without what implementations may word or show in their own way. */
function plain(view: View): unknown {
  return JSON.parse(
    JSON.stringify(view, (key, value: unknown) =>
      key === 'diagnostics'
        ? (value as View['diagnostics']).map(({ code, kind, taskId }) => ({ code, kind, taskId }))
        : value,
    ),
  )
}

function violationsOf(events: readonly ContextAnyEvent[]): unknown[] {
  const { push, end } = run(verifier({ mode: 'strict' }))
  return [...events.flatMap((event) => [...push(event)]), ...end()]
}

function checkReceived({ events, view }: Received): void {
  deepStrictEqual(violationsOf(events), [], 'what the strict verifier reports')
  deepStrictEqual(plain(view), plain(foldEvents(emptyView, events)), 'the view')
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function start(url: string): Promise<string> {
  const { id } = (await (await fetch(new URL('turns', url), { method: 'POST' })).json()) as { id: string }
  return id
}

/** The live example, read by the Python client. */
async function fromTypeScript(): Promise<object> {
  const server = await liveServer({
    streams: streamsInMemory(),
    recording: readRecording(new URL('../../../examples/recordings/chat.sse', import.meta.url)),
    delay: 15,
  })
  const url = await listen(server)
  const proxy = await cuttingProxy({ target: url, cutIn: CUT_IN })
  try {
    const received = await readWithPython(`${proxy.url}turns/${await start(url)}`)
    checkReceived(received)
    deepStrictEqual(proxy.cuts, CUT_IN.length, 'connections that were cut')
    return { server: 'TypeScript', client: 'Python', events: received.events.length, cuts: proxy.cuts }
  } finally {
    proxy.close()
    server.closeAllConnections()
    server.close()
  }
}

/** A log that lacks the first events, read by the Python client: it begins with a reset. */
async function resetFromTypeScript(): Promise<object> {
  const stream = createStream({ stream: 'context/c 🙂', epoch: 'e:1', limits: { maxEvents: 5 } })
  const server = createServer(async (request, response) => {
    const { status, headers, body } = stream.respond(request.headers['last-event-id']?.toString(), {
      viewer: { audience: 'user' },
    })
    response.writeHead(status, headers)
    await pipeline(body ?? [], response).catch(() => response.destroy())
  })
  const url = await listen(server)
  const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  try {
    await stream.append({ kind: 'task-created', ...place, initiator: 'user' })
    for (let index = 0; index < 9; index++) {
      await stream.append({ kind: 'content-delta', ...place, delta: '🙂'.repeat(30_000), index })
    }
    await stream.append({ kind: 'task-status', ...place, status: 'canceled' })
    await stream.close()
    const { events, view } = await readWithPython(`${url}turns/t`)
    deepStrictEqual(plain(view), plain(foldEvents(emptyView, events)))
    const expected = await stream.view()
    const text = (seen: View): string =>
      seen.tasks[0]?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? ''
    deepStrictEqual(text(view), text(expected), 'the text after a reset')
    return { server: 'TypeScript', client: 'Python', events: events.length, resets: 1 }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The Python server, read by `watchStream`. */
async function fromPython(): Promise<object> {
  const server: ChildProcess = spawn(python, [`${EXAMPLE}server.py`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [bytes] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    const url = bytes.toString().trim()
    const proxy = await cuttingProxy({ target: url, cutIn: CUT_IN })
    const id = await start(url)
    const events: ContextAnyEvent[] = []
    const codes: string[] = []
    let view: View = emptyView
    for await (const item of watchStream(
      (lastEventId, signal) => {
        const headers: HeadersInit = lastEventId ? { 'last-event-id': lastEventId } : {}
        return fetch(new URL(`turns/${id}`, proxy.url), { signal, headers })
      },
      { onDiagnostic: ({ code }) => codes.push(code) },
    )) {
      view = item.view
      if (item.received.type === 'events') events.push(...(item.received.events as ContextAnyEvent[]))
    }
    proxy.close()
    checkReceived({ events, view })
    deepStrictEqual(proxy.cuts, CUT_IN.length, 'connections that were cut')
    // The message that was cut comes again.
    const others = codes.filter((code) => code !== 'disconnected' && code !== 'incomplete-message')
    deepStrictEqual(others, [], 'diagnostics')
    return { server: 'Python', client: 'TypeScript', events: events.length, cuts: proxy.cuts }
  } finally {
    server.kill()
  }
}

for (const direction of [fromTypeScript, resetFromTypeScript, fromPython])
  console.log(JSON.stringify(await direction()))
