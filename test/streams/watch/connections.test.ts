// Proves what watchStream makes of each response, rejection and silence, and how long it waits before the next connection.
import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { type ContextAnyEvent, type Diagnostic, ResponseError } from 'turnstream'
import {
  type Cursor,
  createMemoryLog,
  emptyView,
  encodeBatch,
  foldEvents,
  UnknownStreamError,
  type Watched,
  watchStream,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { sleep } from '../../../src/core/timer.ts'
import { retryAfter } from '../../../src/streams/watch/backoff.ts'
import type { WatchOptions } from '../../../src/streams/watch/watch-stream.ts'
import { runs } from '../../support/runs.ts'
import { delta } from '../log/support.ts'
import { settled, VirtualTime } from './virtual-time.ts'

type Connect = Parameters<typeof watchStream>[0]
type Answer = (lastEventId: string | undefined, signal: AbortSignal) => unknown

const events: readonly ContextAnyEvent[] = [delta(0), delta(1), delta(2)]
const whole = foldEvents(emptyView, events)
const text = await textOfLog()
const eventStream = { headers: { 'content-type': 'text/event-stream' } }
const served: Answer = () => new Response(text, eventStream)
const status =
  (code: number, headers = {}): Answer =>
  () =>
    new Response(null, { status: code, headers })

async function textOfLog(): Promise<string> {
  const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
  for (const event of events) await log.append(event)
  await log.close()
  return encodeBatch(await log.read(''), { viewer: 'all' })
}

interface Outcome {
  readonly items: Watched[]
  readonly diagnostics: Diagnostic[]
  readonly asked: (string | undefined)[]
  /** How long each wait before a connection was, in milliseconds. */
  readonly delays: number[]
  readonly time: VirtualTime
  readonly error?: unknown
}

/** Watches a server that gives these answers, the last of them over and over. */
async function watch(answers: readonly Answer[], options: WatchOptions = {}): Promise<Outcome> {
  const time = new VirtualTime()
  const items: Watched[] = []
  const diagnostics: Diagnostic[] = []
  const asked: (string | undefined)[] = []
  const connect: Answer = (lastEventId, signal) => {
    asked.push(lastEventId)
    return answers[Math.min(asked.length, answers.length) - 1]?.(lastEventId, signal)
  }
  const onDiagnostic = (one: Diagnostic): void => void diagnostics.push(one)
  const { now, sleep } = time
  const watching = (async () => {
    const all = watchStream(connect as Connect, { now, sleep, random: () => 1, onDiagnostic, ...options })
    for await (const item of all) items.push(item)
  })()
  let error: unknown
  await time.until(watching).catch((thrown) => {
    error = thrown
  })
  await settled()
  expect(time.running).toBe(0)
  const delays = diagnostics.flatMap(({ code, detail }) =>
    code === 'disconnected' ? [(detail as { delayMs: number }).delayMs] : [],
  )
  return { items, diagnostics, asked, delays, time, ...(error !== undefined && { error }) }
}

const reasonsOf = ({ diagnostics }: Outcome): unknown[] =>
  diagnostics.flatMap(({ code, detail }) =>
    code === 'disconnected' ? [(detail as { reason: string }).reason] : [],
  )

describe('a connection', () => {
  const bytes = new TextEncoder().encode(text)
  it.each<[name: string, answer: Answer]>([
    ['a response', served],
    ['a promise of a response', async () => new Response(text, eventStream)],
    [
      'a response of another type of object',
      () => ({ status: 200, ok: true, headers: new Headers(eventStream.headers), body: [bytes] }),
    ],
    ['a stream of bytes', () => new Response(text).body],
    ['a stream of text', () => new Response(text).body?.pipeThrough(new TextDecoderStream())],
    [
      'an async iterable of bytes',
      async function* () {
        yield bytes
      },
    ],
    ['an iterable of text', () => [text]],
    ['a promise of an iterable', async () => [...text]],
  ])('may be %s', async (_, answer) => {
    const { items, error, asked } = await watch([answer])
    expect(error).toBeUndefined()
    expect(items.at(-1)?.view).toEqual(whole)
    expect(items.at(-1)?.received.type).toBe('closed')
    expect(asked).toEqual([undefined])
  })

  it.each([undefined, null, 7, '/stream', true, {}, () => [], new Uint8Array(3), Promise])(
    'may not be %s',
    async (value) => {
      const { error, asked } = await watch([() => value])
      expect(error).toBeInstanceOf(TypeError)
      expect((error as TypeError).message).toMatch(/^"connect\(\)" must be a Response, .*, got .+\.$/)
      expect(asked).toHaveLength(1)
    },
  )

  it('of chunks that are neither text nor bytes is a TypeError', async () => {
    expect((await watch([() => [7]])).error).toBeInstanceOf(TypeError)
  })

  it('is canceled when its chunks cannot be read', async () => {
    let isCanceled = false
    const body = new ReadableStream({
      start: (controller) => controller.enqueue({}),
      cancel() {
        isCanceled = true
      },
    })
    expect((await watch([() => body])).error).toBeInstanceOf(TypeError)
    expect(isCanceled).toBe(true)
  })
})

describe('a status', () => {
  const retried = [408, 425, 429, 500, 501, 502, 503, 504, 507, 520, 599]
  const final = [
    201, 202, 206, 300, 301, 304, 400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 415, 418,
    421, 422, 423, 426, 428, 431, 451,
  ]

  it.each(retried)('%d is retried', async (code) => {
    const outcome = await watch([status(code), served])
    expect(outcome.error).toBeUndefined()
    expect(outcome.items.at(-1)?.view).toEqual(whole)
    expect(outcome.diagnostics).toMatchObject([
      { code: 'disconnected', detail: { reason: 'status', status: code } },
    ])
  })

  it.each(final)('%d is a ResponseError', async (code) => {
    const body = code === 304 ? null : `reason ${code}`
    const { error, asked, items } = await watch([
      () => new Response(body, { status: code, headers: { 'content-type': 'text/plain' } }),
    ])
    expect(error).toBeInstanceOf(ResponseError)
    expect(error).toMatchObject({ status: code, contentType: 'text/plain', excerpt: body ?? '' })
    expect([asked.length, items.length]).toEqual([1, 0])
  })

  it('200 of another content type is a ResponseError', async () => {
    const page = () => new Response('<p>', { headers: { 'content-type': 'text/html' } })
    expect((await watch([page])).error).toMatchObject({ name: 'ResponseError', status: 200, excerpt: '<p>' })
  })

  it('204 ends the stream, also at the first connection', async () => {
    expect(await watch([status(204)])).toMatchObject({ items: [], diagnostics: [], asked: [undefined] })
    const cut: Answer = () => [text.slice(0, text.indexOf('event: stream-closed'))]
    const { items, asked } = await watch([cut, status(204)])
    expect(items.at(-1)?.view).toEqual(whole)
    expect(asked).toEqual([undefined, 's:e:2'])
  })

  it('closes the body of a response that is not read', async () => {
    for (const code of [503, 200]) {
      let canceled = 0
      const body = new ReadableStream({ cancel: () => void canceled++ })
      const type = { 'content-type': 'text/plain' }
      await watch([() => new Response(body, { status: code, headers: type }), served])
      expect(canceled).toBe(1)
    }
    let isCanceled = false
    const body = new ReadableStream({
      cancel() {
        isCanceled = true
      },
    })
    await watch([() => ({ status: 204, ok: true, headers: new Headers(), body })])
    expect(isCanceled).toBe(true)
  })
})

describe('a failure is reported, and the connection opened again', () => {
  const part = text.slice(0, text.indexOf('id: s:e:1'))
  it.each<[reason: string, answer: Answer]>([
    ['rejected', () => Promise.reject(new TypeError('fetch failed'))],
    [
      'rejected',
      () => {
        throw new Error('offline')
      },
    ],
    ['rejected', () => Promise.reject(undefined)],
    ['status', status(502)],
    ['ended', () => [part]],
    ['ended', () => new Response(null)],
    ['ended', () => []],
    [
      'broken',
      async function* () {
        yield part
        throw new TypeError('terminated')
      },
    ],
    ['idle', () => new Promise(() => {})],
    ['idle', () => new ReadableStream()],
    ['gap', () => [text.slice(text.indexOf('event: content-delta', 10)).replaceAll(':e:', ':f:')]],
  ])('%s', async (reason, answer) => {
    const cursor: Cursor = { stream: 's', epoch: 'e', seq: -1 }
    const outcome = await watch([answer, served], { cursor })
    expect(outcome.error).toBeUndefined()
    expect(reasonsOf(outcome)).toEqual([reason])
    expect(outcome.items.at(-1)?.view).toEqual(whole)
    for (const { message } of outcome.diagnostics) expect(message).not.toMatch(/undefined ms|NaN/)
  })

  it('within a message, which is reported as well', async () => {
    const { diagnostics } = await watch([() => [text.slice(0, 30)], served])
    expect(diagnostics.map(({ code }) => code)).toEqual(['incomplete-message', 'disconnected'])
  })
})

describe('a snapshot', () => {
  const large = events.map((event) => ({ ...event, delta: '.'.repeat(200_000) }))
  const end = { stream: 's', epoch: 'f', through: 2, earliest: 3 }
  const snapshot = encodeBatch(
    {
      type: 'reset',
      reason: 'epoch-changed',
      ...end,
      events: large as typeof events,
    },
    { viewer: 'all' },
  )
  const closed = encodeBatch(
    { type: 'batch', ...end, after: 2, events: [], seqs: [], closed: true },
    { viewer: 'all' },
  )
  const parts = snapshot.split(/(?<=\n\n)/)
  const cursor: Cursor = { stream: 's', epoch: 'e', seq: 2 }

  it.each([...parts.keys()])(
    'without message %d keeps the view, and comes on the next connection',
    async (lost) => {
      const cut: Answer = () => [parts.filter((_, i) => i !== lost).join('') + closed]
      const outcome = await watch([cut, cut, () => [snapshot + closed]], { view: whole, cursor })
      expect(outcome.items.map(({ received }) => received.type)).toEqual(['gap', 'gap', 'reset', 'closed'])
      expect(outcome.items[1]).toMatchObject({ view: whole, cursor })
      expect(outcome.items.at(-1)?.view).toEqual(foldEvents(emptyView, large as typeof events))
      expect([outcome.asked, outcome.delays]).toEqual([
        ['s:e:2', 's:e:2', 's:e:2'],
        [500, 1000],
      ])
    },
  )

  it('with messages above maxMessageSize is asked for again with growing delays', async () => {
    const answers: Answer[] = [...Array.from({ length: 9 }, () => () => [snapshot + closed]), status(204)]
    const outcome = await watch(answers, { view: whole, cursor, maxMessageSize: 100_000 })
    expect(outcome.items.every(({ view }) => view === outcome.items[0]?.view)).toBe(true)
    expect(outcome.items[0]).toMatchObject({ view: whole, cursor })
    expect(outcome.delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })
})

describe('waiting', () => {
  it('is a share of the time between half of the least and the least, doubled with each failure up to the maximum', async () => {
    const options = { min: 1, max: 5000 }
    await fc.assert(
      fc.asyncProperty(
        fc.integer(options),
        fc.integer(options),
        fc.nat(12),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (minDelayMs, maxDelayMs, failures, share) => {
          const answers = [...Array.from({ length: failures }, () => status(500)), served]
          const { delays } = await watch(answers, { minDelayMs, maxDelayMs, random: () => share })
          expect(delays).toEqual(
            Array.from({ length: failures }, (_, i) => {
              const floor = Math.min(maxDelayMs, minDelayMs) / 2
              return Math.ceil(floor + share * (Math.min(maxDelayMs, minDelayMs * 2 ** i) - floor))
            }),
          )
        },
      ),
      { numRuns: runs(50) },
    )
  })

  it('starts again after new events, and does not after old ones', async () => {
    const part = text.slice(0, text.indexOf('event: stream-closed'))
    const first = part.slice(0, part.indexOf('event:', 10))
    const answers = [
      status(500),
      status(500),
      () => [first],
      status(500),
      () => [first],
      () => [part],
      served,
    ]
    expect((await watch(answers)).delays).toEqual([500, 1000, 500, 1000, 2000, 500])
  })

  it('does not start again after resets that cannot be read', async () => {
    const head = { type: 'reset', reason: 'evicted', stream: 's', epoch: 'e', through: 2, earliest: 3 }
    const last = `event: stream-reset\nid: s:e:2\ndata: ${JSON.stringify({ ...head, part: 1, events: [] })}\n\n`
    const broken: Answer = () => [last]
    expect((await watch([broken, broken, broken, broken, served])).delays).toEqual([500, 1000, 2000, 4000])
  })

  it('starts again after a connection that lasted', async () => {
    const quiet: Answer = async function* (_, signal) {
      for (let i = 0; i < 3; i++) {
        await time.sleep(10_000, signal as AbortSignal)
        yield ': ping\n\n'
      }
    }
    const time = new VirtualTime()
    const options = { sleep: time.sleep, now: time.now }
    const diagnostics: Diagnostic[] = []
    const answers = [status(500), status(500), quiet, status(500), served]
    const connect = ((id: string | undefined, signal: AbortSignal) =>
      answers.shift()?.(id, signal)) as Connect
    const watching = (async () => {
      const onDiagnostic = (one: Diagnostic): void => void diagnostics.push(one)
      for await (const _ of watchStream(connect, { ...options, random: () => 1, onDiagnostic }));
    })()
    await time.until(watching)
    expect(diagnostics.map(({ detail }) => (detail as { delayMs: number }).delayMs)).toEqual([
      500, 1000, 500, 1000,
    ])
  })

  it('does not start again after a connection that was silent, however long', async () => {
    const silent: Answer = () => new ReadableStream()
    const outcome = await watch([silent, silent, () => [], silent, () => [], served])
    expect(reasonsOf(outcome)).toEqual(['idle', 'idle', 'ended', 'idle', 'ended'])
    expect(outcome.delays).toEqual([500, 1000, 2000, 4000, 8000])
  })

  it('does not start again after the cursor of an empty stream', async () => {
    const empty: Answer = () => ['id: s:e:-1\n\n']
    const { delays, items } = await watch([status(500), empty, empty, served])
    expect(items[0]).toMatchObject({ received: { type: 'events', events: [] }, cursor: { seq: -1 } })
    expect(delays).toEqual([500, 1000, 2000])
  })

  it('takes a longer retry of the server as its base', async () => {
    const answers: Answer[] = [
      () => ['retry: 700\n\n'],
      status(500),
      () => ['retry: 0\n\n'],
      () => [': ping\n\n'],
      served,
    ]
    expect((await watch(answers)).delays).toEqual([700, 1400, 2000, 4000])
  })

  it('is never short: whatever the server sends, two connections are half of minDelayMs apart', async () => {
    /** Answers that end at once, by the number of the connection. */
    const answers: ((n: number) => unknown)[] = [
      () => [],
      () => [''],
      () => [text.slice(0, 30)],
      () => ['data: 7\n\n'],
      () => Promise.reject(new Error('refused')),
      () => new Response(null, { status: 503, headers: { 'retry-after': '0' } }),
      () => [
        encodeBatch(
          { type: 'reset', reason: 'evicted', stream: 's', epoch: 'e', through: 4, earliest: 5 },
          { viewer: 'all' },
        ),
      ],
      // New events each time, with ids of one epoch, of many, or without.
      (n) => [`id: s:e:${n}\ndata: ${JSON.stringify(delta(n))}\n\n`],
      (n) => [`id: s:e${n}:0\ndata: ${JSON.stringify(delta(0))}\n\n`],
      (n) => [`data: ${JSON.stringify(delta(n))}\n\n`],
    ]
    const plan = fc.array(
      fc.record({
        answer: fc.constantFrom(...answers),
        retry: fc.constantFrom('', 'retry: 0\n\n', 'retry: 1\n\n', 'retry: 9999\n\n'),
      }),
      { minLength: 1, maxLength: 8 },
    )
    const share = fc.constantFrom(0, 0.01, 1)
    const delay = fc.integer({ min: 1, max: 2000 })
    await fc.assert(
      fc.asyncProperty(plan, share, delay, delay, async (steps, random, minDelayMs, maxDelayMs) => {
        const time = new VirtualTime()
        const times: number[] = []
        const controller = new AbortController()
        const connect = (() => {
          const n = times.push(time.time) - 1
          if (n === 30) controller.abort()
          const { answer, retry } = steps[n % steps.length] ?? { answer: () => [], retry: '' }
          const body = answer(n)
          return Array.isArray(body) ? [retry, ...body] : body
        }) as Connect
        const { now, sleep } = time
        const delays = { minDelayMs, maxDelayMs, random: () => random }
        const watching = (async () => {
          for await (const _ of watchStream(connect, { now, sleep, signal: controller.signal, ...delays }));
        })().catch((error: unknown) => error)
        await time.until(watching)
        const error = await watching
        if (error === undefined) expect(times).toHaveLength(31)
        else expect(error).toBeInstanceOf(UnknownStreamError)
        const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0))
        expect(Math.min(...pauses)).toBeGreaterThanOrEqual(Math.min(minDelayMs, maxDelayMs) / 2)
      }),
      { numRuns: runs(50) },
    )
  })

  it.each([
    ['7', 7000],
    [' 7 ', 7000],
    ['Thu, 01 Jan 1970 00:00:09 GMT', 9000],
    ['Thu, 01 Jan 1960 00:00:00 GMT', 0],
    ['99999999999999999999', 3_600_000],
    ['Thu, 01 Jan 2970 00:00:00 GMT', 3_600_000],
    ['soon', 0],
    ['-5', 0],
    ['2031-01-01', 0],
    ['1.5e3', 0],
  ])('adds a Retry-After of %s', async (value, ms) => {
    const { delays } = await watch([status(503, { 'retry-after': value }), served])
    expect(delays).toEqual([500 + ms])
  })

  it('takes the date of a Retry-After by the clock', () => {
    const date = 'Thu, 01 Jan 1970 00:00:09 GMT'
    expect([8000, 8999, 9000, 9001].map((now) => retryAfter(date, () => now))).toEqual([1000, 1, 0, 0])
    expect(retryAfter(null, () => 0)).toBe(0)
  })

  it('checks what random and now return', async () => {
    for (const random of [() => 2, () => -0.1, () => Number.NaN, () => undefined as unknown as number]) {
      expect((await watch([status(500)], { random })).error).toMatchObject({
        message: expect.stringMatching(/^"random\(\)" must be a number from 0 to 1, got /),
      })
    }
    expect((await watch([served], { now: () => Number.NaN })).error).toBeInstanceOf(TypeError)
  })

  it('rejects if sleep does', async () => {
    const broken = new Error('sleep')
    expect((await watch([status(500)], { sleep: () => Promise.reject(broken) })).error).toBe(broken)
  })
})

describe('a server of another protocol', () => {
  const foreign = 'data: {"choices":[]}\n\n'

  const unplaced = `data: ${JSON.stringify(delta(0))}\n\n`
  const kinds: [what: string, message: string, dropped: string][] = [
    ['are no events', foreign, 'invalid-event'],
    ['have no position', unplaced, 'no-event-id'],
  ]

  it.each(kinds)('whose messages %s is asked once', async (_, message, dropped) => {
    const answer: Answer = () => new Response(message.repeat(500), eventStream)
    const { asked, delays, diagnostics, items, error } = await watch([answer])
    expect([asked, delays, items]).toEqual([[undefined], [], []])
    const ofOne = [...Array.from({ length: 31 }, () => dropped), 'unknown-stream']
    expect(diagnostics.map(({ code }) => code)).toEqual(ofOne)
    expect(error).toBeInstanceOf(UnknownStreamError)
    expect(error).toMatchObject({ code: 'unknown-stream', dropped: 500, last: { code: dropped } })
    expect((error as Error).message).toMatch(
      /^Expected messages of a stream, .* got 500 other messages\. .+\.$/,
    )
  })

  it('is asked once with one message, and with a cursor of before', async () => {
    const cursor = { stream: 's', epoch: 'e', seq: 1 }
    for (const options of [{}, { cursor }]) {
      const { asked, error } = await watch([() => new Response(unplaced, eventStream)], options)
      expect(asked).toHaveLength(1)
      expect(error).toMatchObject({ code: 'unknown-stream', dropped: 1 })
    }
  })

  it.each(kinds)('whose messages %s is asked again if a connection breaks', async (_, message, dropped) => {
    const broken: Answer = async function* () {
      yield message.repeat(500)
      throw new Error('reset by peer')
    }
    const answers = [...Array.from({ length: 6 }, () => broken), served]
    const { delays, diagnostics, items, error } = await watch(answers)
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000])
    const ofOne = [...Array.from({ length: 31 }, () => dropped), 'unknown-stream', 'disconnected']
    expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => ofOne).flat())
    expect([items.at(-1)?.view, error]).toEqual([whole, undefined])
  })

  it('is asked again if it has brought something before, or brings nothing', async () => {
    const first = text.split(/(?<=\n\n)/)[0] ?? ''
    const once = await watch([() => [first], () => new Response(foreign, eventStream), served])
    expect([once.asked.length, once.error, once.items.at(-1)?.view]).toEqual([3, undefined, whole])
    const empty = await watch([() => [], () => [': comment\n\n'], served])
    expect([empty.asked.length, empty.error]).toEqual([3, undefined])
  })

  it('is asked with growing delays although its connections last', async () => {
    const time = new VirtualTime()
    const slow: Answer = async function* (_, signal) {
      for (let i = 0; i < 4; i++) {
        await time.sleep(10_000, signal as AbortSignal)
        yield foreign
      }
      throw new Error('reset by peer')
    }
    const answers = [slow, slow, slow, served]
    const connect = ((id: string | undefined, signal: AbortSignal) =>
      answers.shift()?.(id, signal)) as Connect
    const failures: unknown[] = []
    const onDiagnostic = ({ code, detail }: Diagnostic): void => {
      if (code === 'disconnected') failures.push((detail as { failures: number }).failures)
    }
    const options = { sleep: time.sleep, now: time.now, random: () => 1, onDiagnostic }
    const watching = (async () => {
      for await (const _ of watchStream(connect, options));
    })()
    await time.until(watching)
    expect(failures).toEqual([1, 2, 3])
  })

  it('is one of this protocol from its first event: all that is dropped is reported again', async () => {
    const chunks = [foreign.repeat(40), text.split(/(?<=\n\n)/)[0] ?? '', foreign.repeat(40)]
    const { diagnostics } = await watch([() => chunks, served])
    const codes = diagnostics.map(({ code }) => code)
    expect(codes.filter((code) => code === 'invalid-event')).toHaveLength(31 + 40)
    expect(codes.filter((code) => code === 'unknown-stream')).toHaveLength(1)
  })
})

describe('silence', () => {
  it('is measured while the watch waits for data, not while the caller is busy', async () => {
    const time = new VirtualTime()
    const diagnostics: Diagnostic[] = []
    const connect = ((): string[] => text.split(/(?<=\n\n)/)) as Connect
    const { now, sleep } = time
    const watching = (async () => {
      const all = watchStream(connect, { now, sleep, onDiagnostic: (one) => diagnostics.push(one) })
      for await (const _ of all) await sleep(1_000_000)
    })()
    await time.until(watching)
    expect(diagnostics).toEqual([])
  })

  it.each([1, 45_000])(
    'of %d ms that a sleep without a clock measures does not count',
    async (idleTimeoutMs) => {
      const slow: Answer = async function* () {
        await settled()
        yield text
      }
      let sleeps = 0
      const sleep = async (): Promise<void> => void sleeps++
      const outcome = await watch([slow], { sleep, idleTimeoutMs })
      expect([reasonsOf(outcome), outcome.items.at(-1)?.view]).toEqual([[], whole])
      sleeps = 0
      const all = watchStream(() => new Promise(() => {}), { sleep, now: () => 0, idleTimeoutMs })
      const waiting = all.next()
      await settled()
      // It would sleep forever, and nothing else would run.
      expect(sleeps).toBe(10)
      await all.return()
      await waiting
    },
  )

  it('is noticed although the clock is set back or forward', async () => {
    const jumps = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(jumps, fc.integer({ min: 1, max: 60_000 }), async (steps, idleTimeoutMs) => {
        const time = new VirtualTime()
        let offset = 0
        const left = [...steps]
        const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
          offset += left.shift() ?? 0
          return time.sleep(ms, signal)
        }
        const reasons: unknown[] = []
        const answers: Answer[] = [() => new ReadableStream(), served]
        const connect = ((...args: Parameters<Answer>) => answers.shift()?.(...args)) as Connect
        const onDiagnostic = ({ detail }: Diagnostic): void =>
          void reasons.push((detail as { reason: string }).reason)
        const now = (): number => time.now() + offset
        const watching = (async () => {
          const options = { idleTimeoutMs, minDelayMs: 1, sleep, now, onDiagnostic, random: () => 0 }
          const all = watchStream(connect, options)
          for await (const _ of all);
        })()
        await time.until(watching)
        expect(reasons).toEqual(['idle'])
        // Never before the time, and each step back delays it by no more than the time again.
        expect(time.time).toBeGreaterThanOrEqual(idleTimeoutMs)
        const back = steps.filter((step) => step < 0).length
        expect(time.time).toBeLessThanOrEqual(idleTimeoutMs * (back + 1) + 1)
      }),
      { numRuns: runs(100), examples: [[[0, -30_000], 45_000]] },
    )
  })

  it('may last forever', async () => {
    const late: Answer = async () => {
      for (let i = 0; i < 20; i++) await settled()
      return [text]
    }
    const sleeps: number[] = []
    const sleep = async (ms: number): Promise<void> => void sleeps.push(ms)
    const all = watchStream(late as Connect, { idleTimeoutMs: Number.POSITIVE_INFINITY, sleep })
    for await (const _ of all);
    expect(sleeps).toEqual([])
  })
})

describe('a caller that aborts', () => {
  it.each<[when: string, (abort: () => void) => [Answer, WatchOptions]]>([
    ['while it is called with a diagnostic', (abort) => [status(500), { onDiagnostic: abort }]],
    [
      'while it opens a connection',
      (abort) => [
        () => {
          abort()
          return new Promise(() => {})
        },
        {},
      ],
    ],
  ])('%s waits for nothing, and leaves no listener', async (_, script) => {
    const controller = new AbortController()
    const { signal } = controller
    const listeners: number[] = []
    const [answer, options] = script(() => {
      listeners.push(getEventListeners(signal, 'abort').length)
      controller.abort()
    })
    const { asked, items, time } = await watch([answer], { ...options, signal })
    expect([asked.length, items, time.time, listeners]).toEqual([1, [], 0, [1]])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('not leaves no listener either', async () => {
    const { signal } = new AbortController()
    await watch([served], { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a connection that comes too late', () => {
  it('is canceled, and its signal is aborted', async () => {
    let canceled = 0
    const body = (): Response =>
      new Response(new ReadableStream({ cancel: () => void canceled++ }), eventStream)
    let give: (response: Response) => void = () => {}
    const signals: AbortSignal[] = []
    const connect: Connect = (_, signal) => {
      signals.push(signal)
      return new Promise((resolve) => {
        give = resolve
      })
    }
    const all = watchStream(connect)
    const pending = all.next()
    await settled()
    await all.return()
    expect(await pending).toEqual({ done: true, value: undefined })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    give(body())
    await settled()
    expect(canceled).toBe(1)
  })

  it('is nothing if it is left before it begins', async () => {
    let calls = 0
    const connect = (): never[] => {
      calls++
      return []
    }
    const all = watchStream(connect)
    expect(await all.return()).toEqual({ done: true, value: undefined })
    expect(await all.next()).toEqual({ done: true, value: undefined })
    const aborted = watchStream(connect, { signal: AbortSignal.abort() })
    expect(await aborted.next()).toEqual({ done: true, value: undefined })
    expect(calls).toBe(0)
  })
})

describe('a server of a later version', () => {
  it('sends kinds, reasons and stream messages that are not known', async () => {
    const reset = {
      type: 'reset',
      reason: 'moved',
      stream: 's',
      epoch: 'g',
      through: 1,
      earliest: 2,
      later: true,
      events: [events[0], { ...delta(0), kind: 'content-spark' }, events[1]],
    }
    const message = (id: string, data: object, name = 'message'): string =>
      `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
    const { items, error, asked } = await watch([
      () => [
        message('s:g:1', reset, 'stream-reset'),
        message('s:g:1', { type: 'hint', shard: 7 }, 'stream-hint'),
        message('s:g:2', { ...delta(9), kind: 'content-spark' }, 'content-spark'),
        message('s:g:3', { ...events[2], later: { a: 1 } }),
        message('s:g:3', { type: 'closed', reason: 'done' }, 'stream-closed'),
      ],
    ])
    expect([error, asked]).toEqual([undefined, [undefined]])
    expect(items.map(({ received }) => received.type)).toEqual(['reset', 'events', 'events', 'closed'])
    expect(items[0]?.received).toMatchObject({ reason: 'moved' })
    expect(items.at(-1)?.view.tasks).toEqual(whole.tasks)
  })
})

it('a reset without events empties the view', async () => {
  const reset = {
    type: 'reset',
    reason: 'evicted',
    stream: 's',
    epoch: 'g',
    through: 4,
    earliest: 5,
  } as const
  const view = whole
  const { items } = await watch([() => [encodeBatch(reset, { viewer: 'all' })], status(204)], {
    view,
    cursor: { stream: 's', epoch: 'e', seq: 2 },
  })
  expect(items).toMatchObject([
    { view: emptyView, received: { type: 'reset' }, cursor: { epoch: 'g', seq: 4 } },
  ])
})

it('errors of the caller end the watch, and the connection', async () => {
  let canceled = 0
  const body = new ReadableStream({ start: (c) => c.enqueue('data: 7\n\n'), cancel: () => void canceled++ })
  const onDiagnostic = (): never => {
    throw new Error('mine')
  }
  expect((await watch([() => body], { onDiagnostic })).error).toMatchObject({ message: 'mine' })
  expect(canceled).toBe(1)
})

it('waits with timers of the platform', async () => {
  const answers: Answer[] = [status(500), () => new ReadableStream(), served]
  const connect = (() => answers.shift()?.(undefined, new AbortController().signal)) as Connect
  const reasons: unknown[] = []
  const onDiagnostic = ({ detail }: Diagnostic): void =>
    void reasons.push((detail as { reason: string }).reason)
  let view = emptyView
  const options = { minDelayMs: 1, maxDelayMs: 2, idleTimeoutMs: 5, onDiagnostic }
  for await (const item of watchStream(connect, options)) view = item.view
  expect([reasons, view]).toEqual([['status', 'idle'], whole])
})

describe('options', () => {
  const connect = (() => [text]) as Connect

  it.each<[options: unknown, message: RegExp]>([
    [null, /^"options" must be an object, got null\.$/],
    [{ signal: {} }, /^"signal" must be an AbortSignal, got /],
    [{ view: null }, /^"view" must be an object, got null\.$/],
    [{ view: {} }, /^"view\.tasks" must be an array, got undefined\.$/],
    [{ view: { tasks: [] } }, /^"view\.artifacts" must be an array, got undefined\.$/],
    [{ cursor: 7 }, /^"cursor" must be .*, got 7\.$/],
    [{ onDiagnostic: 'log' }, /^"onDiagnostic" must be a function, got "log"\.$/],
    ...(['minDelayMs', 'maxDelayMs', 'idleTimeoutMs'] as const).flatMap((name) =>
      [0, 1.5, '5'].map((value): [object, RegExp] => [
        { [name]: value },
        new RegExp(`^"${name}" must be an integer >= 1, got ${JSON.stringify(value)}\\.$`),
      ]),
    ),
    ...(['sleep', 'random', 'now'] as const).map((name): [object, RegExp] => [
      { [name]: 5 },
      new RegExp(`^"${name}" must be a function, got 5\\.$`),
    ]),
    [{ maxDepth: 0 }, /^"maxDepth" must be .*, got 0\.$/],
    [{ maxMessageSize: 0 }, /^"maxMessageSize" must be .*, got 0\.$/],
  ])('%j is refused at once', (options, message) => {
    expect(() => watchStream(connect, options as WatchOptions)).toThrow(TypeError)
    expect(() => watchStream(connect, options as WatchOptions)).toThrow(message)
  })

  it('connect must be a function', () => {
    expect(() => watchStream('/stream' as never)).toThrow(/^"connect" must be a function, got "\/stream"\.$/)
  })

  it('may be at their bounds', async () => {
    const least = { minDelayMs: 1, maxDelayMs: 1, idleTimeoutMs: 1 }
    expect((await watch([served], least)).items.at(-1)?.view).toEqual(whole)
  })

  it('limit the depth and the size of a message', async () => {
    const deep = { ...delta(0), metadata: { a: { b: { c: {} } } } }
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    await log.append(deep as ContextAnyEvent)
    await log.close()
    const answer = encodeBatch(await log.read(''), { viewer: 'all' })
    for (const options of [{ maxDepth: 3 }, { maxMessageSize: 60 }]) {
      const limited = await watch([() => [answer], status(404)], options)
      expect(limited.diagnostics).not.toEqual([])
      expect(limited.items.at(-1)?.view.tasks ?? []).toEqual([])
    }
    expect((await watch([() => [answer]])).diagnostics).toEqual([])
  })
})

describe('the diagnostic of a lost connection', () => {
  it.each<[answer: Answer, message: string]>([
    [() => Promise.reject(new Error('offline.')), 'Expected a connection, got an error: offline.'],
    [() => Promise.reject(7), 'Expected a connection, got an error: 7.'],
    [() => Promise.reject(new Error('x'.repeat(500))), `got an error: ${'x'.repeat(200)}.`],
    [status(502), 'Expected an event stream, got status 502.'],
    [() => [], 'Expected the end of the stream, got the end of the connection.'],
    [
      async function* () {
        yield ''
        throw new TypeError('terminated')
      },
      'Expected the end of the stream, got an error of the connection: terminated.',
    ],
    [() => new Promise(() => {}), 'Expected data within 45000 ms, got none.'],
    [
      () => [text.slice(text.indexOf('event: content-delta', 10)).replaceAll(':e:', ':f:')],
      'Expected the next events, got later ones or those of another epoch.',
    ],
  ])('%#', async (answer, message) => {
    const cursor: Cursor = { stream: 's', epoch: 'e', seq: -1 }
    const { diagnostics } = await watch([answer, served], { cursor })
    const [found] = diagnostics.filter(({ code }) => code === 'disconnected')
    expect(found?.message).toContain(`${message} Reconnecting in `)
  })
})

describe('the timer of the platform', () => {
  it('leaves no listener, whether it ends or is aborted', async () => {
    const { signal } = new AbortController()
    await sleep(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    const controller = new AbortController()
    const waiting = sleep(2 ** 40, controller.signal)
    controller.abort()
    await waiting
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})

it('a sleep is silence only if at least half of its time has passed', async () => {
  for (const [share, reasons] of [
    [0.4, []],
    [0.5, ['idle']],
  ] as const) {
    let time = 0
    let sleeps = 0
    const slow: Answer = async function* () {
      await settled()
      await settled()
      yield text
    }
    const answers = [slow, served]
    const found: unknown[] = []
    const options = {
      now: () => time,
      async sleep(ms: number) {
        if (sleeps++ === 1) time += ms * share
        else if (sleeps !== 2) await settled().then(settled)
      },
      onDiagnostic: ({ detail }: Diagnostic) => void found.push((detail as { reason: string }).reason),
    }
    const connect = (() => (answers.shift() ?? served)(undefined, new AbortController().signal)) as Connect
    for await (const _ of watchStream(connect, options));
    expect([share, found]).toEqual([share, reasons])
  }
})
