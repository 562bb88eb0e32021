// The stream server and client of docs/streams/log.md resume over real connections that break at any byte.
import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { type ContextAnyEvent, createEmitter, type Diagnostic, pipe, run } from 'agentwire'
import {
  type Batch,
  batchDecoder,
  createMemoryLog,
  emptyView,
  encodeBatch,
  foldEvent,
  formatEventId,
  type Reset,
  receiver,
  type View,
} from 'agentwire/streams'
import { afterEach, describe, expect, it } from 'vitest'
import { openStream, type Stream } from '../../examples/docs/stream.ts'
import { watch } from '../../examples/docs/stream-client.ts'
import { serveStream } from '../../examples/docs/stream-server.ts'
import { linesOf } from '../../examples/docs/view-text.ts'

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

async function listen(server: Server | NetServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A proxy that breaks each connection after `nextCut()` bytes of the response. */
async function breakingProxy(url: string, nextCut: () => number): Promise<string> {
  const sockets = new Set<Socket>()
  opened.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  return listen(
    createServer((client) => {
      let left = nextCut()
      const server = connect(Number(new URL(url).port), '127.0.0.1')
      for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
      client.pipe(server)
      server.on('data', (bytes) => {
        client.write(bytes.subarray(0, left))
        left -= bytes.length
        if (left > 0) return
        client.end()
        server.destroy()
      })
      server.on('close', () => client.end())
      client.on('close', () => server.destroy())
    }),
  )
}

function turn(count = 6): ContextAnyEvent[] {
  let ids = 0
  const now = (): string => '2026-05-01T08:00:00Z'
  const newId = (): string => `id-${ids++}`
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now, newId })
  const text = Array.from({ length: count }, (_, i) => `№${i} 🎉 `)
  return [
    emit({ kind: 'task-created', initiator: 'user', metadata: { input: 'Count' } }),
    emit({ kind: 'task-status', status: 'working' }),
    emit({ kind: 'internal:llm-call', iteration: 1, model: 'm', messageCount: 1, toolCount: 0 }),
    emit({ kind: 'thought-stream', thoughtType: 'planning', verbosity: 'detailed', content: 'Hidden' }),
    emit({ kind: 'thought-stream', thoughtType: 'planning', verbosity: 'brief', content: 'Shown' }),
    ...text.map((delta) => emit({ kind: 'content-delta', delta })),
    emit({ kind: 'content-complete', content: text.join('') }),
    emit({ kind: 'task-status', status: 'completed' }),
    emit({ kind: 'task-complete', content: text.join('') }),
    emit({ kind: 'internal:checkpoint', iteration: 1 }),
  ]
}

async function streamOf(events: readonly ContextAnyEvent[], limits = {}): Promise<Stream> {
  const stream = openStream('context/ctx-1', limits)
  for (const event of events) await stream.append(event)
  return stream
}

function foldedBy({ filter }: Stream, events: readonly ContextAnyEvent[]): View {
  const visible = events.flatMap((event) => filter.apply(event) ?? [])
  return visible.reduce<View>((view, event) => foldEvent(view, event), emptyView)
}

const quickly = { pause: async () => {}, onDiagnostic: () => {} }
const ignore = (): void => {}
const wire = (part: Batch | Reset): string => encodeBatch(part)

describe('a client with a broken connection', () => {
  it('ends with the same view wherever the connection breaks', async () => {
    const stream = await streamOf(turn())
    await stream.log.close()
    const url = await listen(serveStream(stream))
    const uncut = await watch(url, ignore)
    expect(uncut).toEqual(foldedBy(stream, turn()))

    const diagnostics: string[] = []
    const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic.code)
    let most = 0
    for (let first = 150; first < 2500; first += 61) {
      let connections = 0
      // Each connection gets further than the one before, so that every run ends.
      const cut = await breakingProxy(url, () => first + 300 * connections++)
      expect(await watch(cut, ignore, { ...quickly, onDiagnostic })).toEqual(uncut)
      most = Math.max(most, connections)
    }
    expect(most).toBeGreaterThan(3)
    expect(new Set(diagnostics)).toEqual(new Set(['incomplete-message']))
  })

  it('gets the events appended while it is disconnected', async () => {
    const stream = openStream('context/ctx-1')
    let connections = 0
    const url = await breakingProxy(await listen(serveStream(stream)), () => 250 + 400 * connections++)
    const shown: View[] = []
    const watching = watch(url, (view) => shown.push(view), quickly)
    for (const event of turn(40)) {
      await stream.append(event)
      await new Promise(setImmediate)
    }
    await stream.log.close()
    expect(await watching).toEqual(foldedBy(stream, turn(40)))
    expect(shown.at(-1)).toEqual(await watching)
    expect(connections).toBeGreaterThan(2)
  })

  it('continues from a snapshot after eviction or a new epoch', async () => {
    const events = turn(20)
    let stream = openStream('context/ctx-1', { maxEvents: 4 })
    const resets: Reset[] = []
    const reporting = (inner: Stream): Stream => ({
      ...inner,
      withSnapshot: (reset) => {
        resets.push(reset)
        return inner.withSnapshot(reset)
      },
    })
    let server = serveStream(reporting(stream))
    const front = await listen(server)
    const { port } = new URL(front)
    await stream.append(events[0] as ContextAnyEvent)
    const controller = new AbortController()
    let reached: () => void = ignore
    const first = new Promise<void>((resolve) => {
      reached = resolve
    })
    const watching = watch(front, () => reached(), { ...quickly, signal: controller.signal })
    await first
    // The server stops and is replaced by another process with another log.
    server.close()
    server.closeAllConnections()
    stream = await streamOf(events, { maxEvents: 4 })
    server = serveStream(reporting(stream))
    server.listen(Number(port), '127.0.0.1')
    opened.push(() => {
      server.close()
      server.closeAllConnections()
    })
    await once(server, 'listening')
    await stream.log.close()
    expect(await watching).toEqual(foldedBy(stream, events))
    expect(await watch(front, ignore, quickly)).toEqual(foldedBy(stream, events))
    expect(resets.map(({ reason }) => reason)).toEqual(['epoch-changed', 'evicted'])
  })

  it('reconnects after a gap', async () => {
    const now = (): number => 0
    const before = createMemoryLog({ stream: 'context/ctx-1', epoch: 'before', now })
    await before.append(turn()[0] as ContextAnyEvent)
    const stream = await streamOf(turn())
    await stream.log.close()
    const { filter } = stream
    const healthy = serveStream(stream)
    const requested: string[] = []
    const url = await listen(
      createHttpServer(async (request, response) => {
        requested.push(String(request.headers['last-event-id'] ?? ''))
        if (requested.length > 1) healthy.emit('request', request, response)
        // A faulty server that switches to another log without a reset.
        else
          response.end(
            [await before.read('', { filter }), await stream.log.read('', { filter })].map(wire).join(''),
          )
      }),
    )
    expect(await watch(url, ignore, quickly)).toEqual(foldedBy(stream, turn()))
    expect(requested).toEqual([
      '',
      formatEventId({ stream: 'context/ctx-1', epoch: 'before', seq: 0, filter: filter.id }),
    ])
  })
})

describe('the server', () => {
  it('answers 204 only to clients that have all events of a closed stream', async () => {
    const stream = await streamOf(turn())
    const url = await listen(serveStream(stream))
    const head = await stream.log.append({ ...turn()[0], kind: 'internal:checkpoint', iteration: 2 } as never)
    await stream.log.close()
    const body = await (await fetch(url)).text()
    const ids = body.split('\n').flatMap((line) => (line.startsWith('id: ') ? [line.slice(4)] : []))
    const statusFor = async (id: string): Promise<number> => {
      const response = await fetch(url, { headers: { 'last-event-id': id } })
      await response.body?.cancel()
      return response.status
    }
    expect(await statusFor(ids.at(-1) ?? '')).toBe(204)
    expect(await statusFor(ids.at(-2) ?? '')).toBe(200)
    // The same position with another filter: a reset with a snapshot.
    expect(await statusFor(formatEventId(head))).toBe(200)
    expect(body).toContain('event: stream-closed')
    expect(body).not.toMatch(/Hidden|internal/)
  })

  it('sends heartbeats while there are no events', async () => {
    const url = await listen(serveStream(openStream('context/ctx-1'), { heartbeatMs: 1 }))
    const { body } = await fetch(url)
    let text = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.includes(': ping\n\n')) break
    }
    expect(text).toMatch(/^id: context%2Fctx-1:[-0-9a-f]+:-1:\w+\n\n/)
  })

  it('buffers nothing for a client that does not read, and lets it catch up', async () => {
    const stream = openStream('context/ctx-1', { maxBytes: 1_000_000 })
    const written: number[] = []
    const server = serveStream(stream)
    server.prependListener('request', (_request, response) => {
      const write = response.write.bind(response) as (text: string) => boolean
      response.write = ((text: string) => {
        written.push(text.length)
        return write(text)
      }) as typeof response.write
    })
    const response = await fetch(await listen(server))
    const { emit } = createEmitter({
      contextId: 'ctx-1',
      taskId: 'task-1',
      now: () => '2026-05-01T08:00:00Z',
    })
    const page = 'x'.repeat(100_000)
    const events = Array.from({ length: 300 }, (_, n) =>
      emit({ kind: 'data-write', artifactId: 'a', data: { n, page } }),
    )
    for (const event of events) {
      await stream.append(event)
      await new Promise(setImmediate)
    }
    await stream.log.close()
    // 30 MB were appended. What exceeds the socket buffers stays in the log and is evicted.
    expect(written.reduce((sum, length) => sum + length, 0)).toBeLessThan(20_000_000)

    const client = run(pipe(batchDecoder(), receiver()))
    let view = emptyView
    const types = new Set<string>()
    for await (const chunk of response.body ?? []) {
      for (const received of client.push(chunk)) {
        types.add(received.type)
        if (received.type === 'events') for (const event of received.events) view = foldEvent(view, event)
        if (received.type === 'reset') view = received.snapshot as View
      }
    }
    expect(types).toEqual(new Set(['events', 'reset', 'closed']))
    expect(view).toEqual(foldedBy(stream, events))
  })

  it('merges deltas for a client that is behind', async () => {
    const stream = await streamOf(turn(60))
    await stream.log.close()
    const url = await listen(serveStream(stream))
    const body = await (await fetch(url)).text()
    expect(body.match(/event: content-delta/g)).toHaveLength(1)
    expect(body).toContain('"indexEnd":59')
    expect(await watch(url, ignore)).toEqual(foldedBy(stream, turn(60)))
  })
})

it('renders a view as text', () => {
  const parent = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now: () => '2026-05-01T08:00:00Z' })
  const child = parent.child({ taskId: 'task-2' })
  const events: ContextAnyEvent[] = [
    parent.emit({ kind: 'task-created', initiator: 'user' }),
    parent.emit({
      kind: 'thought-stream',
      thoughtType: 'planning',
      verbosity: 'brief',
      content: 'Ask for help',
    }),
    parent.emit({ kind: 'tool-start', toolCallId: 'c-1', toolName: 'bash', arguments: {} }),
    parent.emit({
      kind: 'tool-progress',
      toolCallId: 'c-1',
      progress: 0.5,
      metadata: { stream: 'stdout', chunk: 'a.txt' },
    }),
    parent.emit({ kind: 'subtask-created', subtaskId: 'task-2', prompt: 'Write it down' }),
    child.emit({ kind: 'task-created', initiator: 'agent' }),
    child.emit({
      kind: 'file-write',
      artifactId: 'f-1',
      name: 'diagnostic.txt',
      data: 'Hello',
      complete: true,
    }),
    child.emit({ kind: 'task-status', status: 'working' }),
    child.emit({ kind: 'content-delta', delta: 'Written' }),
    parent.emit({ kind: 'input-required', inputId: 'i-1', inputType: 'confirmation', prompt: 'Go on?' }),
    parent.emit({ kind: 'task-error', error: { code: 'rate-limited', message: 'Slow', retry: 'retrying' } }),
    parent.emit({ kind: 'task-status', status: 'waiting-input' }),
  ]
  expect(linesOf(events.reduce<View>((view, event) => foldEvent(view, event), emptyView))).toEqual([
    'task-1: waiting-input',
    '  (Ask for help)',
    '  bash running',
    '  a.txt',
    '  task-2: working',
    '    diagnostic.txt v1: Hello',
    '    Written…',
    '  ? Go on?',
    '  ! Slow',
  ])
})
