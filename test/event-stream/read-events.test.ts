// Proves that readEvents delivers the events of a response, refuses what is no event stream, and reports early ends.

import fc from 'fast-check'
import { type ContextAnyEvent, type Diagnostic, ResponseError, readEvents } from 'turnstream'
import { encodeEvent } from 'turnstream/sse'
import { createMemoryLog, createStream, type EventLog, encodeBatch } from 'turnstream/streams'
import { describe, expect, it, vi } from 'vitest'
import type { ReadEventsOptions } from '../../src/event-stream/read-events.ts'
import { bytesOf, cutBytes, cuts } from '../sse/streams.ts'
import { runs } from '../support/runs.ts'

const timestamp = '2026-01-31T10:30:00Z'
const delta = (index: number, task = 'task-1', more = {}): ContextAnyEvent => ({
  kind: 'content-delta',
  contextId: 'ctx-1',
  taskId: task,
  delta: `word ${index}`,
  index,
  timestamp,
  ...more,
})
const status = (
  value: 'working' | 'completed' | 'failed' | 'canceled',
  taskId = 'task-1',
): ContextAnyEvent => ({
  kind: 'task-status',
  contextId: 'ctx-1',
  taskId,
  status: value,
  timestamp,
})
const textOf = (events: readonly ContextAnyEvent[]): string =>
  events.map((event) => encodeEvent(event, { viewer: 'all' })).join('')

const EVENT_STREAM = { headers: { 'content-type': 'text/event-stream' } }

/** A stream of chunks that does not end. */
function open(chunks: readonly Uint8Array[]): {
  body: ReadableStream<Uint8Array<ArrayBuffer>>
  canceled: unknown[]
} {
  const canceled: unknown[] = []
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk))
    },
    cancel(reason) {
      canceled.push(reason)
    },
  })
  return { body, canceled }
}

async function all(
  source: Parameters<typeof readEvents>[0],
  options: ReadEventsOptions = {},
): Promise<ContextAnyEvent[]> {
  const events: ContextAnyEvent[] = []
  for await (const event of readEvents(source, options)) events.push(event)
  return events
}

async function diagnosticsOf(events: readonly ContextAnyEvent[]): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  await all(new Response(textOf(events), EVENT_STREAM), { onDiagnostic: (one) => diagnostics.push(one) })
  return diagnostics
}

describe('a response', () => {
  it.each(['text/event-stream', 'text/event-stream; charset=utf-8', 'Text/Event-Stream ;charset=utf-8'])(
    'of type %s is read',
    async (type) => {
      const response = new Response(textOf([delta(0)]), { headers: { 'content-type': type } })
      expect(await all(response)).toEqual([delta(0)])
      expect([response.bodyUsed, response.body?.locked]).toEqual([true, false])
    },
  )

  it.each<[what: string, init: ResponseInit]>([
    ['an error', { status: 500, ...EVENT_STREAM }],
    ['no permission', { status: 401, headers: { 'content-type': 'application/json' } }],
    ['a page', { headers: { 'content-type': 'text/html; charset=utf-8' } }],
    ['a type that starts alike', { headers: { 'content-type': 'text/event-streams' } }],
  ])('with %s throws a ResponseError before the first event', async (_what, init) => {
    const { body, canceled } = open([bytesOf('<html>é🦊'), bytesOf('x'.repeat(5000))])
    const response = new Response(body, init)
    const error = await readEvents(response)
      .next()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ResponseError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'ResponseError',
      status: init.status ?? 200,
      contentType: new Headers(init.headers).get('content-type'),
      excerpt: `<html>é🦊${'x'.repeat(1015)}`,
    })
    expect([canceled, body.locked]).toEqual([[undefined], false])
  })

  it('without a content type, or with one of a text, is refused', async () => {
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => controller.close() })
    await expect(all(new Response(stream))).rejects.toMatchObject({ contentType: null, excerpt: '' })
    await expect(all(new Response(textOf([delta(0)])))).rejects.toMatchObject({
      contentType: 'text/plain;charset=UTF-8',
      excerpt: textOf([delta(0)]),
    })
  })

  it('of another type is read if that is accepted', async () => {
    const response = (type: string): Response =>
      new Response(textOf([delta(0)]), { headers: { 'content-type': type } })
    expect(await all(response('text/plain'), { contentTypes: 'any' })).toEqual([delta(0)])
    expect(await all(response('text/Plain; a=b'), { contentTypes: ['x/y', 'TEXT/plain'] })).toEqual([
      delta(0),
    ])
    await expect(all(response('text/html'), { contentTypes: ['text/plain'] })).rejects.toThrow(ResponseError)
    await expect(
      all(new Response('', { status: 404, ...EVENT_STREAM }), { contentTypes: 'any' }),
    ).rejects.toMatchObject({ status: 404, excerpt: '' })
  })

  it('without a body has no events', async () => {
    expect(await all(new Response(null, { status: 204 }))).toEqual([])
    expect(await all(new Response(null))).toEqual([])
    await expect(all(new Response(null, { status: 503 }))).rejects.toMatchObject({ status: 503, excerpt: '' })
  })

  it('whose excerpt cannot be read still throws its status', async () => {
    const failing = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error('lost')),
    })
    await expect(all(new Response(failing, { status: 502 }))).rejects.toMatchObject({
      status: 502,
      excerpt: '',
    })
    const used = new Response('x', { status: 502 })
    used.body?.getReader()
    await expect(all(used)).rejects.toMatchObject({ status: 502, excerpt: '' })
  })

  it('that cannot be read as it arrives throws, and so does a request', () => {
    const unreadable = { ok: true, status: 200, headers: new Headers(), body: undefined }
    expect(() => readEvents(unreadable as never)).toThrow('"source" must be a Response with a readable body')
    expect(() => readEvents(new Request('https://example.com') as never)).toThrow(
      '"source" must be a Response,',
    )
  })

  it('throws what came of an excerpt that hangs', async () => {
    vi.useFakeTimers()
    try {
      const { body, canceled } = open([new TextEncoder().encode('Sorry')])
      const reading = readEvents(new Response(body, { status: 500 })).next()
      const thrown = expect(reading).rejects.toMatchObject({ status: 500, excerpt: 'Sorry' })
      await vi.advanceTimersByTimeAsync(1000)
      await thrown
      expect([canceled.length, body.locked]).toEqual([1, false])
    } finally {
      vi.useRealTimers()
    }
  })

  it('whose body consists of empty chunks without end throws its status', async () => {
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>(
      { pull: (controller) => controller.enqueue(new Uint8Array()) },
      { highWaterMark: 0 },
    )
    await expect(all(new Response(endless, { status: 503 }))).rejects.toMatchObject({
      status: 503,
      excerpt: '',
    })
  })

  it('can be left while its excerpt hangs', async () => {
    for (const leave of ['abort', 'return'] as const) {
      const { body, canceled } = open([])
      const controller = new AbortController()
      const reading = readEvents(new Response(body, { status: 500 }), { signal: controller.signal })
      const pending = reading.next()
      if (leave === 'abort') {
        controller.abort('enough')
        await expect(pending).rejects.toBe('enough')
      } else {
        await reading.return()
        expect(await pending).toEqual({ done: true, value: undefined })
      }
      expect([canceled.length, body.locked]).toEqual([1, false])
    }
  })
})

it('delivers what came before an abort, at whichever event and wherever the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(9), fc.nat(9), cuts, async (count, at, where) => {
      const events = Array.from({ length: count }, (_, index) => delta(index))
      const { body, canceled } = open(cutBytes(bytesOf(textOf(events)), where))
      const controller = new AbortController()
      const reading = readEvents(new Response(body, EVENT_STREAM), { signal: controller.signal })
      const seen: unknown[] = []
      while (seen.length < Math.min(count, at)) seen.push((await reading.next()).value)
      controller.abort('enough')
      await expect(reading.next()).rejects.toBe('enough')
      expect(seen).toEqual(events.slice(0, at))
      expect([canceled, body.locked]).toEqual([['enough'], false])
    }),
    { numRuns: runs(100) },
  )
})

it('calls back in the order of the stream', async () => {
  const later = { ...delta(1), kind: 'later' } as unknown as ContextAnyEvent
  const order: unknown[] = []
  const response = new Response(`${textOf([delta(0), later])}data: {\n\n${textOf([delta(2)])}`, EVENT_STREAM)
  const options: ReadEventsOptions = {
    onUnknown: ({ kind }) => order.push(kind),
    onInvalid: ({ value }) => order.push(value),
  }
  for await (const event of readEvents(response, options)) order.push('index' in event && event.index)
  expect(order).toEqual([0, 'later', '{', 2])
})

it.each([['data: {}'], [7], [null], [undefined], [{}], [new Uint8Array(9)], [Promise.resolve()]])(
  'rejects the source %o at the call',
  (source) => {
    expect(() => readEvents(source as never)).toThrow(
      /^"source" must be a Response, a ReadableStream, .*, got /,
    )
  },
)

it.each([['text/plain'], [[7]], [['']], [null]])(
  'rejects the content types %o at the call',
  (contentTypes) => {
    expect(() => readEvents([], { contentTypes } as never)).toThrow(
      /^"contentTypes" must be "any" or .*, got /,
    )
  },
)

describe('ended-early', () => {
  const taskIds = (diagnostics: readonly Diagnostic[]): unknown =>
    diagnostics.map(({ code, detail }) => [code, (detail as { taskIds: string[] }).taskIds])

  it('is reported if a task has not ended', async () => {
    expect(taskIds(await diagnosticsOf([status('working'), delta(0)]))).toEqual([['ended-early', ['task-1']]])
    expect(taskIds(await diagnosticsOf([delta(0, 'b'), delta(0, 'a'), status('failed', 'b')]))).toEqual([
      ['ended-early', ['a']],
    ])
  })

  it.each<[what: string, end: ContextAnyEvent]>([
    ['is completed', status('completed')],
    ['failed', status('failed')],
    ['is canceled', status('canceled')],
    ['has its result', { kind: 'task-complete', contextId: 'ctx-1', taskId: 'task-1', timestamp }],
  ])('is not reported for a task that %s, also if an event comes late', async (_what, end) => {
    expect(await diagnosticsOf([delta(0), end])).toEqual([])
    expect(await diagnosticsOf([delta(0), end, delta(1)])).toEqual([])
  })

  it('is not reported for a body without tasks, or that is left or fails', async () => {
    expect(await diagnosticsOf([])).toEqual([])
    const codes: string[] = []
    const onDiagnostic = ({ code }: Diagnostic): unknown => codes.push(code)
    for await (const _event of readEvents([textOf([delta(0), delta(1)])], { onDiagnostic })) break
    const failing = (async function* () {
      yield textOf([delta(0)])
      throw new Error('lost')
    })()
    await expect(all(failing, { onDiagnostic })).rejects.toThrow('lost')
    expect(codes).toEqual([])
  })

  it('names the open subtasks of an open task, and none of one that has ended', async () => {
    const child = delta(0, 'child', { parentTaskId: 'task-1' })
    const grandchild = delta(0, 'grandchild', { parentTaskId: 'child' })
    const open = [delta(0), child, grandchild]
    expect(taskIds(await diagnosticsOf(open))).toEqual([['ended-early', ['task-1', 'child', 'grandchild']]])
    expect(await diagnosticsOf([...open, status('completed')])).toEqual([])
    expect(taskIds(await diagnosticsOf([...open, status('completed', 'child')]))).toEqual([
      ['ended-early', ['task-1']],
    ])
  })

  it('is reported for tasks that are above each other', async () => {
    const circle = [delta(0, 'a', { parentTaskId: 'b' }), delta(0, 'b', { parentTaskId: 'a' })]
    expect(taskIds(await diagnosticsOf(circle))).toEqual([['ended-early', ['a', 'b']]])
  })

  it('lists a bounded number of tasks', async () => {
    const events = Array.from({ length: 3000 }, (_, i) => delta(0, `task-${i}`))
    const [diagnostic] = await diagnosticsOf([delta(0, 'x'.repeat(5000)), ...events])
    const listed = Array.from({ length: 32 }, (_, i) => `task-${i}`)
    expect(diagnostic?.detail).toEqual({ taskIds: listed, omitted: 1000 - 32 })
    const ends = events.map(({ taskId }) => status('completed', taskId))
    expect(await diagnosticsOf(events.flatMap((event, i) => [event, ends[i] as ContextAnyEvent]))).toEqual([])
  })
})

describe('a connection to a log', () => {
  /** Reads the answer to a reader with this cursor. */
  async function read(
    log: EventLog,
    lastEventId: string,
    profile: 'named' | 'data-only',
  ): Promise<{ events: ContextAnyEvent[]; diagnostics: Diagnostic[]; invalid: unknown[] }> {
    const { headers, body } = createStream({ log }).respond(lastEventId, {
      viewer: { audience: 'user' },
      profile,
    })
    const diagnostics: Diagnostic[] = []
    const invalid: unknown[] = []
    const events: ContextAnyEvent[] = []
    const options: ReadEventsOptions = {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      onInvalid: ({ issues }) => invalid.push(issues),
    }
    for await (const event of readEvents(new Response(body, { headers }), options)) events.push(event)
    return { events, diagnostics, invalid }
  }

  const end = status('completed')
  const profiles = ['named', 'data-only'] as const

  it.each(profiles)('has an end that is neither invalid nor reported (%s)', async (profile) => {
    const log = createMemoryLog({ stream: 's', epoch: 'e', now: () => 0 })
    for (const event of [delta(0), end]) await log.append(event)
    await log.close()
    expect(await read(log, '', profile)).toEqual({ events: [delta(0), end], diagnostics: [], invalid: [] })
  })

  it.each(profiles)('reports a reset once, whose snapshot is of several messages (%s)', async (profile) => {
    const stream = createStream({ stream: 's', epoch: 'e', limits: { maxEvents: 2 } })
    const long = 'x'.repeat(200_000)
    for (let n = 0; n < 4; n++) await stream.append({ ...delta(0, `t${n}`), delta: long } as ContextAnyEvent)
    await stream.append(end)
    await stream.close()
    const { events, diagnostics, invalid } = await read(stream.log, 's:before:7', profile)
    expect(invalid).toEqual([])
    expect(events).toEqual([])
    expect(diagnostics).toEqual([
      {
        code: 'stream-reset',
        message:
          'Expected the next events, got a reset for the reason "epoch-changed". Its snapshot was dropped.',
        detail: { reason: 'epoch-changed', stream: 's', epoch: 'e', through: 4, earliest: 3 },
      },
    ])
  })

  it.each(profiles)('reports a loss (%s)', async (profile) => {
    const part = {
      type: 'batch',
      stream: 's',
      epoch: 'e',
      after: -1,
      through: 1,
      events: [end],
      seqs: [1],
    } as const
    const text = encodeBatch(
      { ...part, loss: { 'content-delta': 3, 'tool-progress': 1 } },
      { viewer: 'all', profile },
    )
    const diagnostics: Diagnostic[] = []
    const invalid: unknown[] = []
    const options: ReadEventsOptions = {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      onInvalid: (decoded) => invalid.push(decoded),
    }
    const events: ContextAnyEvent[] = []
    for await (const event of readEvents(new Response(text, EVENT_STREAM), options)) events.push(event)
    expect([events, invalid]).toEqual([[end], []])
    expect(diagnostics).toMatchObject([
      { code: 'stream-loss', detail: { loss: { 'content-delta': 3, 'tool-progress': 1 } } },
    ])
  })

  it.each([
    '{"type":"loss"}',
    '{"type":"later"}',
    '{"type":"closed","kind":"content-delta"}',
    '{"type":"reset","kind":"content-delta"}',
    '["reset"]',
  ])('does not take %s for a message about the stream', async (data) => {
    const invalid: unknown[] = []
    const diagnostics: Diagnostic[] = []
    const options: ReadEventsOptions = {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      onInvalid: ({ value }) => invalid.push(value),
    }
    for await (const event of readEvents(new Response(`data: ${data}\n\n`, EVENT_STREAM), options))
      expect(event).toBe(0)
    expect([invalid, diagnostics]).toEqual([[JSON.parse(data)], []])
  })
})
