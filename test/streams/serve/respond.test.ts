// The responses of createStream: status, headers, heartbeats, pages, resets, the end, cancelling and aborting.
import { getEventListeners } from 'node:events'
import { type ContextAnyEvent, pipe, run } from 'turnstream'
import {
  batchDecoder,
  createMemoryLog,
  createStream,
  type EventLog,
  formatEventId,
  type Reset,
  receiver,
  type Stream,
} from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RespondOptions } from '../../../src/streams/serve/stream.ts'
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

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

  it('states the retry time once, before its first message', async () => {
    const stream = open()
    await stream.append(delta(0))
    const { next, cancel } = reading(stream, '', { retry: 700 })
    expect(await next()).toMatch(/^retry: 700\n\nevent: content-delta\n/)
    await stream.append(delta(1))
    expect(await next()).toMatch(/^event: content-delta\n/)
    await cancel()
    const silent = reading(stream)
    expect(await silent.next()).not.toContain('retry:')
    await silent.cancel()
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

  it.each([1, 40])('is 204 as soon as the stream is closed, after %d events', async (count) => {
    const stream = open()
    for (let i = 0; i < count; i++) await stream.append({ ...delta(i), delta: 'x'.repeat(9000) })
    const { next, cancel } = reading(stream)
    let id = ''
    while (!id.includes(`:${count - 1}:`))
      id =
        (await next())
          .match(/^id: .*$/gm)
          ?.at(-1)
          ?.slice(4) ?? ''
    await cancel()
    await stream.close()
    expect(stream.respond(id, user).status).toBe(204)
  })

  it.each([0, 1, 3])(
    'is 204 for a reader that has all it may see, of a stream that ends with %d hidden events',
    async (hidden) => {
      const stream = open()
      await stream.append(delta(0))
      const { next, cancel } = reading(stream)
      const id = /^id: (.*)$/m.exec(await next())?.[1] ?? ''
      await cancel()
      const label = { metadata: { audience: ['operator'] } }
      for (let i = 0; i < hidden; i++) await stream.append({ ...delta(i + 1), ...label } as ContextAnyEvent)
      expect(stream.respond(id, user).status).toBe(200)
      await stream.close()
      expect(stream.respond(id, user).status).toBe(204)
      expect(stream.respond(id.replace(':0:', ':-1:'), user).status).toBe(200)
      expect(stream.respond(id.replace(':0:', `:${hidden + 1}:`), user).status).toBe(200)
    },
  )

  it('is 204 after the end of a log that another process has closed, once a reader has seen the end', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    const stream = createStream({ log })
    await log.append(delta(0))
    await log.close()
    const [, id = ''] = /^id: (.*)\n.*closed/m.exec(await whole(stream)) ?? []
    expect(stream.respond(id, user).status).toBe(204)
  })

  it('sends a comment with the newest position for each heartbeat without events', async () => {
    const stream = open()
    const { next, cancel } = reading(stream, '', { heartbeatMs: 1 })
    const first = await next()
    expect(first).toMatch(/^id: \S+:-1:\w+\n\n$/)
    const ping = `: ping\n${first}`
    expect([await next(), await next(), await next()]).toEqual([ping, ping, ping])
    await stream.append(delta(0))
    let text = ping
    while (text === ping) text = await next()
    expect(text).toContain('<0>')
    await stream.append(thought(1, 'detailed'))
    const moved = ping.replace(':-1:', ':1:')
    while (text !== moved) {
      text = await next()
      expect([moved, ping.replace(':-1:', ':0:')]).toContain(text)
    }
    expect(stream.respond(moved.slice(11).trim()).status).toBe(200)
    await cancel()
  })

  it('pads heartbeats with a comment that no reader sees, if it is asked to', async () => {
    const stream = open()
    const paddingBytes = 8192
    const { next, cancel } = reading(stream, '', { heartbeatMs: 1, paddingBytes })
    const first = await next()
    expect(first.length).toBeLessThan(100)
    const padded = `: ping${' '.repeat(paddingBytes)}\n${first}`
    expect(await next()).toBe(padded)
    const decoder = run(batchDecoder())
    expect(decoder.push(padded)).toEqual(run(batchDecoder()).push(first))
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

  it('sends heartbeats only to a reader that waits', async () => {
    const stream = open()
    const { next, cancel } = reading(stream, '', { heartbeatMs: 50 })
    await next()
    for (let i = 0; i < 2; i++) {
      const waiting = next()
      await stream.append({ ...delta(2 * i), delta: 'x'.repeat(60_000) })
      let text = await waiting
      while (text.startsWith(': ping\n')) text = await next()
      expect(text).toContain('content-delta')
      await stream.append(delta(2 * i + 1))
      await pause(80)
      expect(await next()).toContain(`<${2 * i + 1}>`)
    }
    await cancel()
  })

  it('sends a heartbeat after 15 seconds by default', async () => {
    const delays = vi.spyOn(globalThis, 'setTimeout')
    try {
      const { next, cancel } = reading(open())
      await next()
      const waiting = next()
      await cancel()
      await waiting
      expect(delays.mock.calls.map(([, ms]) => ms)).toContain(15_000)
    } finally {
      delays.mockRestore()
    }
  })

  it('has internal events only for those who may see them and ask for them', async () => {
    const stream = open()
    const { index, delta: _, ...envelope } = delta(0)
    const call = {
      ...envelope,
      kind: 'internal:llm-call',
      model: 'm',
      iteration: 0,
      messageCount: 1,
      toolCount: 0,
    }
    await stream.append(call as unknown as ContextAnyEvent)
    await stream.close()
    const operator = { viewer: { audience: 'operator' } } as const
    expect(await whole(stream, '', operator)).toContain('internal:llm-call')
    for (const options of [{}, user, { ...operator, filter: { internal: false } }]) {
      expect(await whole(stream, '', options)).not.toContain('internal:llm-call')
    }
  })

  it('reads nothing before it is read, and then a page at a time', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    let reads = 0
    const counted: EventLog = { ...log, read: (...args) => log.read(...args).finally(() => reads++) }
    const stream = createStream({ log: counted })
    for (let i = 0; i < 50; i++) await stream.append({ ...delta(i), delta: 'x'.repeat(10_000) })
    const { next, cancel } = reading(stream, '', { start: 'first' })
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

describe('what readers of a reset hold', () => {
  const call = (i: number): ContextAnyEvent =>
    ({
      ...delta(i),
      kind: 'tool-complete',
      toolCallId: `call-${i}`,
      toolName: 't',
      success: true,
      result: 'x'.repeat(1000),
    }) as unknown as ContextAnyEvent

  it('is one snapshot for a second, as long as the log continues it', async () => {
    const stream = open({ maxEvents: 5 })
    for (let i = 0; i < 20; i++) await stream.append(call(i))
    const first = await stream.log.snapshot?.()
    await stream.append(call(20))
    expect(await stream.log.snapshot?.()).toBe(first)
    expect(first).toMatchObject({ through: 19, events: { length: 20 } })
    const { push } = run(pipe(batchDecoder(), receiver()))
    await stream.close()
    expect(push(await whole(stream))).toMatchObject([
      { type: 'reset', cursor: { seq: 19 }, events: { length: 20 } },
      { type: 'events', events: { length: 1 } },
      { type: 'closed' },
    ])
  })

  it('is another one once the log has evicted the event after it, or a second has passed', async () => {
    const evicting = open({ maxEvents: 5 })
    for (let i = 0; i < 20; i++) await evicting.append(call(i))
    const first = await evicting.log.snapshot?.()
    for (let i = 20; i < 25; i++) await evicting.append(call(i))
    expect(await evicting.log.snapshot?.()).toBe(first)
    await evicting.append(call(25))
    expect(await evicting.log.snapshot?.()).toMatchObject({ through: 25 })

    let now = 5
    const keeping = createStream({ stream: 's', epoch: 'e', now: () => now })
    for (let i = 0; i < 3; i++) await keeping.append(call(i))
    const small = await keeping.log.snapshot?.()
    expect(small).toMatchObject({ through: 2, events: { length: 3 } })
    for (let i = 3; i < 30; i++) await keeping.append(call(i))
    now = 1004
    expect(await keeping.log.snapshot?.()).toBe(small)
    now = 1005
    const later = await keeping.log.snapshot?.()
    expect(later).toMatchObject({ through: 29, events: { length: 30 } })
    now = 5 // The clock was set back.
    expect(await keeping.log.snapshot?.()).not.toBe(later)
  })

  it('is not encoded before it is read, although a heartbeat was', async () => {
    const source = open()
    let give: (part: Reset) => void = () => {}
    let asked = 0
    const event = Object.defineProperty(delta(0), 'kind', {
      enumerable: true,
      get() {
        asked++
        return 'content-delta'
      },
    })
    const log: EventLog = {
      ...source.log,
      read: () => new Promise((resolve) => (give = resolve)),
      snapshot: async () => ({ epoch: 'e', through: 0, events: [event] }),
    }
    const { next, cancel } = reading(createStream({ log }), 's:e0:0', { heartbeatMs: 1 })
    expect(await next()).toBe(': ping\n\n')
    give({ type: 'reset', reason: 'evicted', stream: 's', epoch: 'e', through: 0, earliest: 1 })
    await pause(5)
    expect(asked).toBe(0)
    expect(await next()).toContain('<0>')
    await cancel()
  })

  it('is not a projection of all of it: events are projected when they are sent', async () => {
    const source = open()
    let projected = 0
    const events = Array.from({ length: 12_000 }, (_, i) => {
      const get = (): string => {
        projected++
        return 'tool-complete'
      }
      return Object.defineProperty({ ...call(i) }, 'kind', { enumerable: true, get })
    }) as unknown as ContextAnyEvent[]
    const log: EventLog = {
      ...source.log,
      snapshot: async () => ({ epoch: 'e', through: -1, events }),
    }
    const { next, cancel } = reading(createStream({ log }), 'malformed', { viewer: { audience: 'observer' } })
    const first = await next()
    expect(first).toContain('"more":true')
    const sent = first.split('"kind":').length - 1
    // Each event is looked at several times.
    const each = projected / sent
    expect(sent).toBeGreaterThan(100)
    expect(each).toBeLessThan(10)
    await cancel()
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

  it('when it is cancelled, and aborts the read that waits', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    const signals: (AbortSignal | undefined)[] = []
    const watched: EventLog = {
      ...log,
      read(cursor, options) {
        signals.push(options?.signal)
        return log.read(cursor, options)
      },
    }
    const { next, cancel } = reading(createStream({ log: watched }))
    await next()
    const waiting = next()
    await new Promise((resolve) => setImmediate(resolve))
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
    await cancel()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
    expect(await waiting).toBe('')
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

  it('with the error of a log that fails between two pages, which is reported once for each reader', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    await log.append(delta(0))
    let isDown = false
    const down = new Error('down')
    const failing: EventLog = {
      ...log,
      read: (...args) => (isDown ? Promise.reject(down) : log.read(...args)),
    }
    const errors: unknown[] = []
    const stream = createStream({ log: failing, onError: (error) => errors.push(error) })
    const readers = [reading(stream), reading(stream), reading(stream)]
    for (const { next } of readers) expect(await next()).toContain('content-delta')
    expect(errors).toEqual([])
    isDown = true
    await readers[0]?.cancel()
    for (const { next } of readers.slice(1)) await expect(next()).rejects.toBe(down)
    expect(errors).toEqual([down, down])
    isDown = false
    expect(await reading(stream).next()).toContain('content-delta')
  })

  it('with the error of a snapshot that cannot be read, which is reported', async () => {
    const errors: unknown[] = []
    const log = createMemoryLog({ stream: 's', epoch: 'e', limits: { maxEvents: 1 }, now: () => 0 })
    await log.append(delta(0))
    await log.append(delta(1))
    const failing: EventLog = { ...log, snapshot: () => Promise.reject(new Error('down')) }
    const { next } = reading(createStream({ log: failing, onError: (error) => errors.push(error) }))
    await expect(next()).rejects.toThrow('down')
    expect(errors).toEqual([new Error('down')])
  })

  it('appends no event that JSON cannot hold', async () => {
    const stream = createStream({ stream: 's', epoch: 'e', now: () => 0 })
    const deep = Array.from({ length: 200_000 }).reduce<object>((inner) => ({ inner }), {})
    for (const metadata of [deep, { size: 1n }]) {
      const appended = stream.append({ ...delta(0), metadata } as ContextAnyEvent)
      await expect(appended).rejects.toThrow(/^"event" must be JSON, got an object\.$/)
    }
  })

  it('with the error of an event that cannot be encoded', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    const event = { ...delta(0), metadata: { size: 1n } } as unknown as ContextAnyEvent
    const part = {
      type: 'batch',
      stream: 's',
      epoch: 'e',
      after: -1,
      through: 0,
      events: [event],
      seqs: [0],
    } as const
    const { next } = reading(createStream({ log: { ...log, read: async () => part } }))
    await expect(next()).rejects.toThrow(TypeError)
  })

  it('and no heartbeat is sent after it was cancelled, aborted or has failed', async () => {
    const source = open().log
    for (const how of ['cancel', 'abort', 'fail', 'abort before']) {
      const controller = new AbortController()
      let fail: (error: Error) => void = () => {}
      const log: EventLog = { ...source, read: () => new Promise((_, reject) => (fail = reject)) }
      const options = { heartbeatMs: 40, signal: controller.signal }
      const { next, cancel } = reading(createStream({ log }), '', options)
      if (how === 'abort before') controller.abort()
      const waiting = next().catch(() => 'failed')
      if (how === 'cancel') await cancel()
      else if (how === 'abort') controller.abort()
      else fail(new Error('down'))
      expect([how === 'fail' ? 'failed' : '', ': ping\n\n']).toContain(await waiting)
      // A timer that is left would write to a body that has ended, and the process would end with the error.
      await pause(60)
    }
  })

  it('without waiting for a log that fails after it was cancelled', async () => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    let fail: (error: Error) => void = () => {}
    const slow: EventLog = { ...log, read: () => new Promise((_, reject) => (fail = reject)) }
    const errors: unknown[] = []
    const { next, cancel } = reading(createStream({ log: slow, onError: (error) => errors.push(error) }))
    const waiting = next()
    await cancel()
    fail(new Error('down'))
    expect(await waiting).toBe('')
    expect(errors).toEqual([])
  })
})

it('refuses a draft, and names what it lacks', async () => {
  const { contextId, index, ...draft } = delta(0)
  await expect(open().append(draft as never)).rejects.toThrow(
    new TypeError(
      '"event" must be an event with context, got a draft or an invalid event. /index: Missing: expected an integer. ' +
        '/contextId: Missing: expected a string.',
    ),
  )
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

describe('options', () => {
  const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })

  it.each([
    [undefined, '"options" must be an object, got undefined.'],
    [{}, '"stream" must be a non-empty string, got undefined.'],
    [{ stream: 's', epoch: '' }, '"epoch" must be a non-empty string, got "".'],
    [{ stream: 's', epoch: 'e', now: 0 }, '"now" must be a function, got 0.'],
    [{ log: null }, '"log" must be a log, got null.'],
  ])('of createStream: %j is refused', (options, message) => {
    expect(() => createStream(options as never)).toThrow(new TypeError(message))
  })

  it.each(['append', 'read', 'close'])('of createStream: a log needs %s', (method) => {
    const partial = { ...log, [method]: undefined }
    expect(() => createStream({ log: partial as never })).toThrow(/^"log" must be a log, got /)
  })

  it.each([
    [{ stream: 's', epoch: 'e', maxEvents: 5 }, /^"options" must be an object of .*, got "maxEvents"\.$/],
    [
      { log, limits: {} },
      /^"options" must be an object of "log", "onError" and "onDiagnostic", got "limits"\.$/,
    ],
    [
      { log, epoch: 'e' },
      /^"options" must be an object of "log", "onError" and "onDiagnostic", got "epoch"\.$/,
    ],
    [{ log, onError: 'log' }, /"onError"/],
    [{ stream: 's', epoch: 'e', onError: null }, /"onError"/],
  ])('of createStream: %j has an unknown one', (options, name) => {
    expect(() => createStream(options as never)).toThrow(name)
    expect(() => createStream(options as never)).toThrow(TypeError)
  })

  it.each([
    [{ viewer: undefined }, /"viewer/],
    [{ viewer: { audience: 'usr' } }, /"viewer\.audience" must be .*, got "usr"/],
    [{ filter: { kind: [] } }, /"filter.*kind/],
    [{ signal: {} }, /^"signal" must be an AbortSignal, got /],
    [{ heartbeatMs: 0 }, /^"heartbeatMs" must be an integer >= 1, got 0\.$/],
    [{ heartbeatMs: 1.5 }, /^"heartbeatMs" must be an integer >= 1, got 1\.5\.$/],
    [{ paddingBytes: -1 }, /^"paddingBytes" must be an integer from 0 to 65536, got -1\.$/],
    [{ paddingBytes: 65_537 }, /^"paddingBytes" must be an integer from 0 to 65536, got 65537\.$/],
    [{ retry: -1 }, /^"retry" must be an integer >= 0, got -1\.$/],
    [{ internal: true }, /^"options" must be an object of .*, got "internal"\.$/],
    [{ profile: 'named-only' }, /^"profile" must be .*, got "named-only"\.$/],
    [{ heartbeat: 5 }, /^"options" must be an object of .*, got "heartbeat"\.$/],
  ])('of respond: %j is refused', (options, message) => {
    const respond = () => open().respond('', { ...user, ...options } as never)
    expect(respond).toThrow(TypeError)
    expect(respond).toThrow(message)
  })

  it('of respond: all may be stated, also at their bounds', () => {
    const { signal } = new AbortController()
    const filter = { kinds: ['content-*'] } as const
    for (const profile of ['named', 'data-only'] as const) {
      const options = { ...user, filter, signal, heartbeatMs: 1, paddingBytes: 65_536, retry: 0, profile }
      expect(open().respond('', options).status).toBe(200)
    }
  })
})
