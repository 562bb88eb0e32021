// The stream server and client of docs/streams/server.md and client.md resume over real connections that break at any byte.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { type ContextAnyEvent, createEmitter } from 'turnstream'
import { createStream, emptyView, foldEvents, project, type Stream, type View } from 'turnstream/streams'
import { afterEach, describe, expect, it } from 'vitest'
import { showStream } from '../../examples/docs/stream-client.ts'
import { openStream, serveStream } from '../../examples/docs/stream-server.ts'
import { linesOf } from '../../examples/docs/view-text.ts'
import { hastenWaits } from '../support/fake-time.ts'

hastenWaits()

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

/** What a user has folded that has seen all events. */
function foldedBy(events: readonly ContextAnyEvent[]): View {
  return foldEvents(
    emptyView,
    events.flatMap((event) => project(event, { audience: 'user' }) ?? []),
  )
}

const ignore = (): void => {}
const silent = { onDiagnostic: ignore }

describe('a client of the server', () => {
  it('ends with the same view wherever the connection breaks', async () => {
    const stream = openStream('ctx-1')
    for (const event of turn()) await stream.append(event)
    await stream.close()
    const url = await listen(serveStream(stream))
    expect((await showStream(url, ignore)).view).toEqual(foldedBy(turn()))
    for (let first = 400; first < 2500; first += 700) {
      let connections = 0
      // Each connection gets further than the one before, so that every run ends.
      const cut = await breakingProxy(url, () => first + 900 * connections++)
      expect((await showStream(cut, ignore, silent)).view).toEqual(foldedBy(turn()))
    }
  })

  it('gets the events appended while it is disconnected', async () => {
    const stream = openStream('ctx-1')
    let connections = 0
    const url = await breakingProxy(await listen(serveStream(stream)), () => 250 + 3000 * connections++)
    const watching = showStream(url, ignore, silent)
    for (const event of turn(40)) {
      await stream.append(event)
      await new Promise(setImmediate)
    }
    await stream.close()
    expect((await watching).view).toEqual(foldedBy(turn(40)))
  })

  it('continues from a snapshot if the server has evicted events', async () => {
    const stream = createStream({ stream: 's', epoch: 'e', limits: { maxEvents: 4 } })
    for (const event of turn(20)) await stream.append(event)
    await stream.close()
    const { view } = await showStream(await listen(serveStream(stream)), ignore)
    const { tasks } = foldedBy(turn(20))
    expect(view.tasks.map((task) => ({ ...task, updatedAt: null }))).toEqual(
      tasks.map((task) => ({ ...task, updatedAt: null })),
    )
  })

  it('gets status 204 after the end', async () => {
    const stream: Stream = openStream('ctx-1')
    for (const event of turn()) await stream.append(event)
    await stream.close()
    const url = await listen(serveStream(stream))
    const body = await (await fetch(url)).text()
    expect(body).not.toMatch(/Hidden|internal/)
    const [id = ''] = [...body.matchAll(/^id: (.*)$/gm)].map((match) => match[1] ?? '').slice(-1)
    expect((await fetch(url, { headers: { 'last-event-id': id } })).status).toBe(204)
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
  expect(linesOf(foldEvents(emptyView, events))).toEqual([
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
