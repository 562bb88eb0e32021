// The live example: every client gets the whole stream, wherever it resumes.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ContextAnyEvent, pipe, run } from 'turnstream'
import {
  batchDecoder,
  createMemoryLog,
  emptyView,
  foldEvent,
  receiver,
  type View,
  verifier,
} from 'turnstream/streams'
import { afterEach, describe, expect, it } from 'vitest'
import { answer } from '../../examples/live/answer.ts'
import { liveServer } from '../../examples/live/server.ts'
import { streamsInMemory } from '../../examples/live/streams.ts'
import { cutInto, readRecording } from '../../examples/recording.ts'
import { hastenWaits } from '../support/fake-time.ts'

hastenWaits()

const recording = readRecording(new URL('../../examples/recordings/chat.sse', import.meta.url))
let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function started(delay = 0, heartbeat?: number): Promise<string> {
  server = await liveServer({ streams: streamsInMemory(), recording, delay, ...(heartbeat && { heartbeat }) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a turn and returns the URL of its events. */
async function ask(url: string): Promise<string> {
  const response = await fetch(`${url}/turns`, { method: 'POST' })
  expect(response.status).toBe(201)
  return url + response.headers.get('location')
}

function from(id: string): RequestInit {
  return id === '' ? {} : { headers: { 'last-event-id': id } }
}

describe('the live server', () => {
  it('resumes after the last complete message of a broken connection', async () => {
    const turn = await ask(await started())
    const whole = await (await fetch(turn)).text()
    const fold = run(pipe(batchDecoder(), receiver()))
    const take = (view: View, text: string): View =>
      fold
        .push(text)
        .reduce((at, got) => (got.type === 'events' ? got.events.reduce(foldEvent, at) : at), view)

    let view = emptyView
    let connections = 0
    for (let isOpen = true; isOpen && connections < 100; connections++) {
      const response = await fetch(turn, from(fold.state[0].lastEventId))
      isOpen = response.status === 200
      view = take(view, (await response.text()).slice(0, 300 * connections))
      fold.end()
    }
    expect(connections).toBeGreaterThan(5)
    const uncut = run(pipe(batchDecoder(), receiver())).push(whole)
    const events = uncut.flatMap((got): readonly ContextAnyEvent[] =>
      got.type === 'events' ? got.events : [],
    )
    expect(view).toEqual(events.reduce(foldEvent, emptyView))
    expect(view.tasks).toMatchObject([{ status: 'completed' }])
    expect(whole).not.toContain('internal:')
    expect(whole).toContain(`event: stream-closed`)
  })

  it('sends a snapshot to a client with an unknown cursor', async () => {
    const turn = await ask(await started())
    const whole = await (await fetch(turn)).text()
    const late = run(pipe(batchDecoder(), receiver()))
    const [reset] = late.push(await (await fetch(turn, from('turn:gone:7'))).text())
    const events = run(pipe(batchDecoder(), receiver()))
      .push(whole)
      .flatMap((got): readonly ContextAnyEvent[] => (got.type === 'events' ? got.events : []))
    expect(reset).toMatchObject({ type: 'reset', reason: 'unknown-stream' })
    const { events: snapshot = [] } = reset as { events?: readonly ContextAnyEvent[] }
    expect(snapshot.reduce(foldEvent, emptyView).tasks).toEqual(events.reduce(foldEvent, emptyView).tasks)
  })

  it('sends heartbeats while there are no events', async () => {
    const hour = 3_600_000
    const turn = await ask(await started(hour, 1))
    let text = ''
    const utf8 = new TextDecoder()
    for await (const bytes of (await fetch(turn)).body ?? []) {
      text += utf8.decode(bytes, { stream: true })
      if (text.includes('event: ') && text.split(': ping\n').length > 3) break
    }
    expect(text).toMatch(/^retry: \d+\n\n/)
    expect(text.match(/^event: .*$/gm)).toEqual(['event: task-created'])
  })

  it('serves its page, and 404 or 405 for other requests', async () => {
    const url = await started()
    expect(await (await fetch(url)).text()).toContain('batchDecoder')
    expect(await (await fetch(`${url}/turnstream.js`)).text()).toMatch(/export\s*\{/)
    expect((await fetch(`${url}/turns/none`)).status).toBe(404)
    expect((await fetch(`${url}/turns/none`, { method: 'PUT' })).status).toBe(405)
  })
})

it('ends open tasks and calls when the agent fails', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield* [...cutInto(recording, [500])].slice(0, 20)
    throw new Error('Connection to the model server lost.')
  }
  const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
  await answer(log, { taskId: 't', model: failing(), tags: ['thinking'], delay: 0 })
  const part = await log.read()
  if (part.type === 'reset') throw new Error(part.reason)
  expect(part.closed).toBe(true)
  expect(part.events.at(-1)).toMatchObject({
    status: 'failed',
    metadata: { reason: expect.stringContaining('Connection to the model server lost.') },
  })
  const check = run(verifier())
  expect([...part.events.flatMap((event) => check.push(event)), ...check.end()]).toEqual([])
})
