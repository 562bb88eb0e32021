// Proves that a live stream is shown as it comes, keeps what came over lost connections, and opens nothing if there is none.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { exampleRecording } from '../../scripts/example-recording.ts'
import { connectLive, readLive } from '../../src/viewer/ui/live/index.ts'
import { State } from '../../src/viewer/ui/state.ts'
import { hastenWaits } from '../support/fake-time.ts'
import { readRecording } from '../support/recordings.ts'

hastenWaits(60_000)

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Answer = (response: ServerResponse, lastEventId: string | undefined) => unknown

/** Serves a stream: an answer for each connection, the last one for all that follow. */
async function serve(
  ...answers: readonly Answer[]
): Promise<{ url: string; cursors: (string | undefined)[] }> {
  const cursors: (string | undefined)[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const cursor = request.headers['last-event-id'] as string | undefined
    const answer = answers[Math.min(cursors.length, answers.length - 1)]
    cursors.push(cursor)
    void answer?.(response, cursor)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cursors }
}

const sse = { 'content-type': 'text/event-stream' }
const events = exampleRecording().trim().split('\n').slice(0, 30)
const message = (index: number): string => `id: ${index + 1}\ndata: ${events[index]}\n\n`
const messages = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => message(from + i)).join('')

/** Sends text, and drops the connection when all of it is on its way. */
function dropAfter(response: ServerResponse, text: string): void {
  response.writeHead(200, sse)
  // A chunk that ends and is written has been received before the end of the socket is.
  response.write(text, () => setImmediate(() => response.destroy()))
}

async function read(url: string, state: State = new State(() => {})): Promise<State> {
  const { signal } = new AbortController()
  await readLive(state, await connectLive(url, '', signal), signal)
  return state
}

const shownEvents = ({ recording }: State): string[] => recording.events.map((event) => JSON.stringify(event))
const codes = ({ recording }: State): string[] => recording.problems.all.map(({ code }) => code)

const disconnects = ({ recording }: State): string[] =>
  recording.problems.all
    .filter(({ code }) => code === 'disconnected')
    .map(({ severity, message }) => `${severity} ${message}`)

describe('a live stream', () => {
  it.each([
    ['core.sse', 'text/event-stream', /\n\n/],
    ['ag-ui.sse', 'text/event-stream', /\n\n/],
    ['ai-sdk.sse', 'text/event-stream', /\n\n/],
    ['frames.jsonl', 'application/x-ndjson', /\n/],
  ])('of %s is shown from its first value on', async (file, type, end) => {
    const text = new TextDecoder().decode(readRecording(file))
    const cut = (end.exec(text)?.index ?? 0) + (end.exec(text)?.[0].length ?? 0)
    let opened: ServerResponse | undefined
    const { url } = await serve((response) => {
      opened = response
      response.writeHead(200, { 'content-type': type })
      response.write(text.slice(0, cut))
    })
    const state = new State(() => {})
    const reading = read(url, state)
    // The server sends the rest only once the first event is shown.
    await vi.waitFor(() => expect(state.dialect).not.toBe(''), 5000)
    opened?.end(text.slice(cut))
    await reading
    expect(state.recording.events.length).toBeGreaterThan(5)
    expect(codes(state)).not.toContain('unknown-dialect')
  })

  it('of which the protocol is uncertain is shown once no more comes', async () => {
    let opened: ServerResponse | undefined
    const { url } = await serve((response) => {
      opened = response
      response.writeHead(200, sse)
      response.write('data: {"type":"message","content":[]}\n\ndata: {"type":"final"}\n\n')
    })
    const state = new State(() => {})
    const reading = read(url, state)
    await vi.waitFor(() => expect(state.dialect).not.toBe(''), 5000)
    opened?.end()
    await reading
    expect(state.isReading).toBe(false)
  })

  it('of unknown values is read to its end', async () => {
    const { url } = await serve((response) => response.writeHead(200, sse).end('data: {"a":1}\n\n'))
    expect(codes(await read(url))).toEqual(['unknown-dialect'])
  })
})

describe('a lost connection', () => {
  it('is resumed after the last id, without losing or repeating an event', async () => {
    const { url, cursors } = await serve((response, cursor) => {
      const from = Number(cursor ?? 0)
      if (from === events.length) return response.writeHead(204).end()
      const to = Math.min(from + 4, events.length)
      // Half a message is of no use to the client.
      const half = to < events.length ? message(to).slice(0, 40) : ''
      dropAfter(response, `retry: 1\n\n${messages(from, to)}${half}`)
    })
    const state = await read(url)
    expect(shownEvents(state)).toEqual(events)
    expect(new Set(cursors).size).toBe(cursors.length)
    expect(codes(state)).toContain('disconnected')
    expect(codes(state)).not.toContain('invalid-json')
    expect(state.progress).toBe('')
  })

  it('is no loss before the first message', async () => {
    const { url, cursors } = await serve(
      (response) => dropAfter(response, message(0).slice(0, 40)),
      (response) => response.writeHead(200, sse).end(messages(0, 3)),
    )
    const state = await read(url)
    expect(cursors).toEqual([undefined, undefined])
    expect(shownEvents(state)).toEqual(events.slice(0, 3))
  })

  it('keeps what came, and reports that it cannot be resumed without ids', async () => {
    const text = messages(0, 4).replace(/^id: .*\n/gm, '')
    const { url, cursors } = await serve((response) => dropAfter(response, text))
    const state = await read(url)
    expect(shownEvents(state)).toEqual(events.slice(0, 4))
    expect(cursors).toEqual([undefined])
    expect(disconnects(state)).toEqual([
      expect.stringMatching(/^error .*cannot be resumed: its messages have no ids/),
    ])
  })

  it('keeps what came of JSON Lines', async () => {
    const { url } = await serve((response) =>
      dropAfter(
        response,
        events
          .slice(0, 3)
          .map((event) => `${event}\n`)
          .join(''),
      ),
    )
    const state = await read(url)
    expect(shownEvents(state)).toEqual(events.slice(0, 3))
    expect(codes(state)).toContain('disconnected')
  })

  it('shows a stream again that the server starts again', async () => {
    const { url, cursors } = await serve(
      (response) => dropAfter(response, `retry: 1\n\n${messages(0, 5)}`),
      (response) => response.writeHead(200, sse).end(messages(0, 8)),
    )
    const state = await read(url)
    expect(cursors).toEqual([undefined, '5'])
    expect(shownEvents(state)).toEqual(events.slice(0, 8))
  })

  it('is given up when the server answers that there is no such stream', async () => {
    const { url } = await serve(
      (response) => dropAfter(response, `retry: 1\n\n${messages(0, 5)}`),
      (response) => response.writeHead(404).end(),
    )
    const state = await read(url)
    expect(shownEvents(state)).toEqual(events.slice(0, 5))
    expect(disconnects(state).at(-1)).toContain('404')
  })

  it('is given up after a number of attempts', async () => {
    const { url, cursors } = await serve(
      (response) => dropAfter(response, `retry: 1\n\n${messages(0, 5)}`),
      (response) => response.writeHead(503).end(),
    )
    const state = await read(url)
    expect(cursors.length).toBeGreaterThan(3)
    expect(shownEvents(state)).toEqual(events.slice(0, 5))
    expect(state.isReading).toBe(false)
  })
})

describe('a live stream that the user ends', () => {
  /** Reads a stream that goes on, until so many events are shown and it is ended. */
  async function stopped(count: number, text: string, headers: Record<string, string> = sse): Promise<State> {
    let closed: Promise<unknown> = Promise.resolve()
    const { url } = await serve((response) => {
      closed = once(response, 'close')
      response.writeHead(200, headers)
      response.write(text)
    })
    const state = new State(() => {})
    const controller = new AbortController()
    const stream = await connectLive(url, '', controller.signal)
    const reading = readLive(state, stream, controller.signal)
    await vi.waitFor(() => expect(state.recording.events).toHaveLength(count), 5000)
    expect(state.live).toBe(controller.signal)
    controller.abort()
    await Promise.all([reading, closed])
    return state
  }

  const json = { 'content-type': 'application/x-ndjson' }
  const lines = events.slice(0, 5).map((event) => `${event}\n`)

  it.each<[name: string, text: string, headers: Record<string, string>]>([
    ['messages with ids', messages(0, 5), sse],
    ['messages without ids', messages(0, 5).replace(/^id: .*\n/gm, ''), sse],
    ['JSON Lines', lines.join(''), json],
  ])('of %s is closed, and keeps what came without a fault', async (_, text, headers) => {
    const state = await stopped(5, text, headers)
    expect(shownEvents(state)).toEqual(events.slice(0, 5))
    expect(codes(state)).toEqual([])
    expect([state.isReading, state.live, state.progress]).toEqual([false, undefined, 'Disconnected'])
  })

  it('leaves alone what was opened in its place', async () => {
    const { url } = await serve((response) => {
      response.writeHead(200, sse)
      response.write(messages(0, 5))
    })
    const state = new State(() => {})
    const controller = new AbortController()
    const reading = readLive(state, await connectLive(url, '', controller.signal), controller.signal)
    await vi.waitFor(() => expect(state.recording.events).toHaveLength(5), 5000)
    controller.abort()
    state.open('run.jsonl')
    await reading
    expect([state.name, state.isReading, state.progress, state.dialect]).toEqual(['run.jsonl', true, '', ''])
  })
})

describe('connecting', () => {
  const { signal } = new AbortController()

  it.each([
    ['a status', (response: ServerResponse) => response.writeHead(500).end('no'), '500'],
    [
      'a web page',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'text/html',
    ],
  ])('rejects %s, before anything is opened', async (_, answer, expected) => {
    const { url } = await serve(answer)
    await expect(connectLive(url, '', signal)).rejects.toThrow(expected)
  })

  it.each([
    ['', ['Access-Control-Allow-Origin']],
    ['Bearer x', ['Access-Control-Allow-Origin', 'Access-Control-Allow-Headers: authorization']],
  ])(
    'without an answer, with authorization "%s", names CORS and what to send',
    async (authorization, names) => {
      const { url } = await serve((response) => response.destroy())
      const failed = connectLive(url, authorization, signal)
      for (const name of ['CORS', ...names]) await expect(failed).rejects.toThrow(name)
      if (authorization === '') await expect(failed).rejects.not.toThrow('Allow-Headers')
    },
  )

  it('rejects a header that cannot be sent, which is no matter of CORS', async () => {
    await expect(connectLive('http://127.0.0.1:1/', 'Bearer …', signal)).rejects.not.toThrow('CORS')
  })

  it('rejects what is no URL of a server', async () => {
    await expect(connectLive('nonsense', '', signal)).rejects.toThrow(TypeError)
  })
})
