// The responses of createStream: status, headers, heartbeats, pages, resets, the end, cancelling and aborting.
import { getEventListeners } from 'node:events'
import { type ContextAnyEvent, pipe, run } from 'agentwire'
import {
  batchDecoder,
  createMemoryLog,
  createStream,
  type EventLog,
  formatEventId,
  type RespondOptions,
  receiver,
  type Stream,
} from 'agentwire/streams'
import { afterEach, describe, expect, it } from 'vitest'
import { delta, thought } from '../log/support.ts'

const user = { viewer: { audience: 'user' } } as const
const unhandled: unknown[] = []
const warnings: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
process.on('warning', (warning) => warnings.push(warning))
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
  expect(warnings).toEqual([])
})

const open = (limits = {}): Stream =>
  createStream({ stream: 'context/ctx-1', epoch: 'e', limits, now: () => 0 })

/** Reads texts of a response, each what one read returned. */
function reading(stream: Stream, lastEventId?: string, options: Partial<RespondOptions> = {}) {
  const { body } = stream.respond(lastEventId, { ...user, ...options })
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  return {
    next: async () => new TextDecoder().decode((await reader.read()).value ?? new Uint8Array()),
    cancel: () => reader.cancel(),
  }
}

async function whole(
  stream: Stream,
  lastEventId?: string,
  options: Partial<RespondOptions> = {},
): Promise<string> {
  return new Response(stream.respond(lastEventId, { ...user, ...options }).body).text()
}

describe('a response', () => {
  it('has the headers of an event stream, the retry time, the events and the end', async () => {
    const stream = open()
    await stream.append(delta(0))
    await stream.append(thought(1, 'detailed'))
    await stream.close()
    const { status, headers, body } = stream.respond(null, { ...user, retry: 700 })
    const response = new Response(body, { status, headers })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    const text = await response.text()
    expect(text).toMatch(
      /^retry: 700\n\nevent: content-delta\nid: context\S+:e:0:\w+\ndata: \{.*\}\n\nevent: stream-closed\nid: \S+:1:\w+\n/,
    )
    expect(await whole(stream, '', { profile: 'data-only' })).not.toContain('event:')
  })

  it('is 204 only for a reader that has all events of the closed stream', async () => {
    const stream = open()
    await stream.append(delta(0))
    const ids = async (id?: string): Promise<string[]> =>
      [...(await whole(stream, id)).matchAll(/^id: (.*)$/gm)].map((match) => match[1] ?? '')
    const before = reading(stream)
    const [, first = ''] = /^id: (.*)$/m.exec(await before.next()) ?? []
    expect(stream.respond(first, user).status).toBe(200)
    await before.cancel()
    await stream.close()
    const [id = ''] = (await ids()).slice(-1)
    expect(id).toBe(first)
    expect(stream.respond(id, user)).toEqual({ status: 204, headers: {}, body: null })
    for (const other of [
      '',
      undefined,
      null,
      id.replace(':e:', ':f:'),
      id.replace(':0:', ':-1:'),
      'nonsense',
    ]) {
      expect(stream.respond(other, user).status).toBe(200)
    }
    expect(stream.respond(id, { viewer: { audience: 'operator' } }).status).toBe(200)
  })

  it('is 204 after the end of a log that another process has closed, once a reader has seen the end', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    const stream = createStream({ log })
    await log.append(delta(0))
    await log.close()
    const [, id = ''] = /^id: (.*)\n.*closed/m.exec(await whole(stream)) ?? []
    expect(stream.respond(id, user).status).toBe(204)
  })

  it('sends a comment for each heartbeat without events', async () => {
    const stream = open()
    const { next, cancel } = reading(stream, '', { heartbeatMs: 1 })
    expect(await next()).toMatch(/^id: \S+:-1:\w+\n\n$/)
    expect([await next(), await next(), await next()]).toEqual([': ping\n\n', ': ping\n\n', ': ping\n\n'])
    await stream.append(delta(0))
    let text = ': ping\n\n'
    while (text === ': ping\n\n') text = await next()
    expect(text).toContain('<0>')
    await cancel()
  })

  it('sends the next event while it waits for a heartbeat', async () => {
    const stream = open()
    const { next, cancel } = reading(stream, '', { heartbeatMs: 2 ** 40 })
    await next()
    const waiting = next()
    await stream.append(delta(0))
    expect(await waiting).toContain('<0>')
    await cancel()
  })

  it('reads nothing before it is read, and then a page at a time', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    let reads = 0
    const counted: EventLog = { ...log, read: (...args) => log.read(...args).finally(() => reads++) }
    const stream = createStream({ log: counted })
    for (let i = 0; i < 50; i++) await stream.append({ ...delta(i), delta: 'x'.repeat(10_000) })
    const { next, cancel } = reading(stream)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(reads).toBe(0)
    for (let i = 1; i < 5; i++) {
      const text = await next()
      expect(text.length).toBeLessThan(80_000)
      expect(reads).toBe(i)
    }
    await cancel()
  })
})

describe('a reset', () => {
  it('has the events of everything so far, as the viewer may see it', async () => {
    const stream = open({ maxEvents: 2 })
    for (let i = 0; i < 9; i++) await stream.append(delta(i))
    await stream.append(thought(9, 'detailed'))
    await stream.append(delta(9))
    await stream.close()
    const { push } = run(pipe(batchDecoder(), receiver()))
    const received = push(await whole(stream))
    expect(received).toMatchObject([
      { type: 'reset', reason: 'evicted', cursor: { seq: 10 } },
      { type: 'closed' },
    ])
    const events = received[0]?.type === 'reset' ? (received[0].events ?? []) : []
    const text = Array.from({ length: 10 }, (_, i) => `<${i}>`).join('')
    expect(events.map((event) => event.kind === 'content-delta' && event.delta).join('')).toBe(text)
    expect(await whole(stream)).not.toContain('thought 9')
    expect(await whole(stream, '', { viewer: { audience: 'operator' } })).toContain('thought 9')
  })

  it('is sent in parts, one for each read', async () => {
    const stream = open({ maxEvents: 1, maxBytes: 5e6 })
    for (let i = 0; i < 40; i++) {
      const content = `${i}`.repeat(30_000)
      await stream.append({
        ...delta(i),
        kind: 'content-complete',
        content,
        segment: i,
      } as unknown as ContextAnyEvent)
    }
    await stream.close()
    const { next } = reading(stream)
    const texts = [await next()]
    while (texts.at(-1) !== '') texts.push(await next())
    expect(texts.length).toBeGreaterThan(4)
    for (const text of texts) expect(text.length).toBeLessThan(300_000)
    const { push } = run(pipe(batchDecoder(), receiver()))
    const received = texts.flatMap((text) => push(text))
    expect(received.map(({ type }) => type)).toEqual(['reset', 'closed'])
    expect(received[0]).toMatchObject({ events: { length: 40 } })
  })
})

describe('a body ends', () => {
  it('when it is cancelled, and no longer follows the log', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const stream = open()
    const { next, cancel } = reading(stream, '', { signal })
    await next()
    const waiting = next()
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await cancel()
    expect(await waiting).toBe('')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('when the signal is aborted, for any number of readers and without a listener for each', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const stream = open()
    const readers = Array.from({ length: 40 }, () => reading(stream, '', { signal }))
    for (const { next } of readers) await next()
    const waiting = readers.map(({ next }) => next())
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort()
    expect(await Promise.all(waiting)).toEqual(readers.map(() => ''))
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(await reading(stream, '', { signal }).next()).toBe('')
  })

  it('with the error of a log that fails', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    const failing: EventLog = { ...log, read: () => Promise.reject(new Error('down')) }
    const controller = new AbortController()
    const { next } = reading(createStream({ log: failing }), '', { signal: controller.signal })
    await expect(next()).rejects.toThrow('down')
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('without waiting for a log that fails after it was cancelled', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    let fail: (error: Error) => void = () => {}
    const slow: EventLog = { ...log, read: () => new Promise((_, reject) => (fail = reject)) }
    const { next, cancel } = reading(createStream({ log: slow }))
    const waiting = next()
    await cancel()
    fail(new Error('down'))
    expect(await waiting).toBe('')
  })
})

it('resumes a reader that sends its position in the URL', async () => {
  const stream = open()
  for (let i = 0; i < 3; i++) await stream.append(delta(i))
  await stream.close()
  const { push, state } = ((client) => ({ push: client.push, state: () => client.state[1] }))(
    run(pipe(batchDecoder(), receiver())),
  )
  push((await whole(stream)).split('\n\n').slice(0, 2).join('\n\n').concat('\n\n'))
  const at = state().cursor
  if (at === undefined) throw new Error('No cursor.')
  const url = new URL(`https://example.com/stream?lastEventId=${formatEventId(at)}`)
  const text = await whole(stream, url.searchParams.get('lastEventId') ?? '')
  expect(text).not.toContain('stream-reset')
  expect(text).toContain('<2>')
  expect(text).not.toContain('<1>')
})
