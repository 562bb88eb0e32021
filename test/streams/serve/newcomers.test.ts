// Proves that a reader without a cursor gets the newest tasks of a long stream, and can get all others.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { run } from 'turnstream'
import {
  batchDecoder,
  createStream,
  createViewStore,
  type EventLog,
  emptyView,
  foldEvents,
  historyPage,
  project,
  type Received,
  receiver,
  type Stream,
  type View,
  watchStream,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { restored } from '../view/restored.ts'

const user = { audience: 'user' } as const
const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString()

interface Turn {
  /** How long its answer is, in KiB. */
  readonly size: number
  readonly isOpen: boolean
  readonly isHidden: boolean
}

/** The events of a conversation. */
function eventsOf(turns: readonly Turn[]): ContextAnyEvent[] {
  return turns.flatMap(({ size, isOpen, isHidden }, n) => {
    const base = { contextId: 'c', taskId: `t${n}`, timestamp: at(n) }
    const label = isHidden ? { metadata: { audience: ['operator'] } } : {}
    const text = `${n} `.padEnd(size * 1024, 'x')
    return [
      { ...base, kind: 'task-created', initiator: 'user', ...label },
      { ...base, kind: 'task-status', status: 'working', ...label },
      { ...base, kind: 'content-delta', delta: text, index: 0, ...label },
      ...(isOpen
        ? []
        : [
            { ...base, kind: 'content-complete', content: text, ...label },
            { ...base, kind: 'task-status', status: 'completed', ...label },
          ]),
    ] as ContextAnyEvent[]
  })
}

async function streamOf(events: readonly ContextAnyEvent[]): Promise<Stream> {
  const limits = { maxBytes: 2 ** 30, maxEvents: 100_000, maxAgeMs: 1e12 }
  const stream = createStream({ stream: 's', epoch: 'e', limits })
  for (const event of events) await stream.append(event)
  return stream
}

/** What a body says until it has everything, and its size. */
async function read(stream: Stream, options: object = {}): Promise<{ received: Received[]; bytes: number }> {
  const decoder = run(batchDecoder())
  const client = run(receiver())
  const received: Received[] = []
  let bytes = 0
  await stream.close()
  const { body } = stream.respond(null, { viewer: user, ...options })
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    for (const part of decoder.push(chunk)) received.push(...client.push(part as never))
  }
  return { received, bytes }
}

/** What a page shows of a stream that is closed. */
async function shown(stream: Stream, options: object = {}): Promise<View> {
  await stream.close()
  const connect = async (): Promise<Response> => {
    const { body, headers } = stream.respond(null, { viewer: user, ...options })
    return new Response(body, { headers })
  }
  let view = emptyView
  for await (const watched of watchStream(connect)) ({ view } = watched)
  return view
}

const turnsOf = fc.array(
  fc.record({
    size: fc.constantFrom(1, 20, 200, 400, 1200),
    isOpen: fc.nat(4).map((n) => n === 0),
    isHidden: fc.nat(4).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 8 },
)

describe('a reader without a cursor', () => {
  it('gets what many deltas add up to', async () => {
    const delta = (index: number): object => ({
      ...{ kind: 'content-delta', delta: `word ${index} `, index },
    })
    const base = { contextId: 'c', taskId: 't', timestamp: at(0) }
    const events = [
      { kind: 'task-created', initiator: 'user' },
      { kind: 'task-status', status: 'working' },
      ...Array.from({ length: 12_000 }, (_, i) => delta(i)),
    ].map((event) => ({ ...base, ...event })) as ContextAnyEvent[]
    const [merged, first] = [
      await read(await streamOf(events)),
      await read(await streamOf(events), { start: 'first' }),
    ]
    expect(merged.received[0]).toMatchObject({ type: 'reset', reason: 'evicted' })
    expect(first.received[0]?.type).toBe('events')
    expect(merged.bytes * 10).toBeLessThan(first.bytes)
    const viewOf = (received: readonly Received[]): View =>
      received.reduce(
        (view, each) => ('events' in each ? foldEvents(view, each.events ?? []) : view),
        emptyView,
      )
    expect(restored(viewOf(merged.received), true)).toEqual(restored(viewOf(first.received), true))
  })

  it('gets the newest tasks that it may see within the limit, those that are open, and all others as pages', async () => {
    await fc.assert(
      fc.asyncProperty(turnsOf, async (turns) => {
        const events = eventsOf(turns)
        const whole = foldEvents(
          emptyView,
          events.flatMap((event) => project(event, user) ?? []),
        )
        const stream = await streamOf(events)
        const view = await shown(stream)
        const size = Buffer.byteLength(JSON.stringify(view.tasks))
        if (view.tasks.length > 1) expect(size).toBeLessThanOrEqual(2 ** 20)
        expect(view.tasks.at(-1)).toEqual(whole.tasks.at(-1))
        const missing = whole.tasks.filter(({ taskId }) => !view.tasks.some((task) => task.taskId === taskId))
        expect(view.older !== undefined).toBe(missing.length > 0 || view.tasks.length < whole.tasks.length)
        // Whatever is not there is before it.
        const oldest = whole.tasks.findIndex(({ taskId }) => taskId === view.older)
        for (const task of missing) expect(whole.tasks.indexOf(task)).toBeLessThan(oldest)
        const store = createViewStore(view)
        for (let { older } = view; older !== undefined; ) {
          const page = historyPage(whole, { before: older })
          store.prepend(page)
          older = page.older
        }
        const { older, tasks } = store.getSnapshot()
        expect(older).toBeUndefined()
        expect(new Map(tasks.map((task) => [task.taskId, task]))).toEqual(
          new Map(whole.tasks.map((task) => [task.taskId, task])),
        )
      }),
      { numRuns: runs(60, 300) },
    )
  })

  it('gets a task that waits, however many have come after it', async () => {
    const waits = { size: 1, isOpen: true, isHidden: false }
    const over = { size: 400, isOpen: false, isHidden: false }
    const view = await shown(await streamOf(eventsOf([over, waits, over, over, over, over])))
    expect(view.tasks.map(({ taskId }) => taskId)).toEqual(['t1', 't4', 't5'])
    expect(view.older).toBe('t4')
  })

  it('gets all events of a short stream', async () => {
    const short = await read(await streamOf(eventsOf([{ size: 1, isOpen: false, isHidden: false }])))
    expect(short.received[0]).toMatchObject({ type: 'events', events: { length: 5 } })
  })

  it.each<[string, Partial<EventLog>]>([
    ['has no snapshot', {}],
    ['fails to make one', { snapshot: () => Promise.reject(new Error('gone')) }],
    ['makes none in time', { snapshot: () => new Promise(() => {}) }],
  ])('needs no snapshot: the log %s', async (_, more) => {
    const { log } = await streamOf(eventsOf([{ size: 100, isOpen: false, isHidden: false }]))
    const own: EventLog = {
      ...{ append: log.append, close: log.close, read: (...args) => log.read(...args) },
      ...more,
    }
    const [first] = (await read(createStream({ log: own }))).received
    expect(first).toMatchObject({ type: 'reset', events: expect.any(Array) })
  })

  it('gets no snapshot that is ahead of the log', async () => {
    const { log } = await streamOf(eventsOf([{ size: 100, isOpen: false, isHidden: false }]))
    const evicted = { type: 'reset', reason: 'evicted', stream: 's', epoch: 'e', through: 4, earliest: 2 }
    const own: EventLog = {
      ...{ append: log.append, close: log.close },
      read: async (cursor, options) =>
        cursor ? log.read(cursor, options) : ({ ...evicted, filter: options?.filter?.id } as never),
      snapshot: async () => ({ epoch: 'e', through: 90, events: [] }),
    }
    const { received } = await read(createStream({ log: own }))
    expect(received.map(({ type }) => type)).toEqual(
      ['reset', 'events', 'closed'].filter((type) => type !== 'events'),
    )
    expect(received[0]).not.toHaveProperty('events')
  })

  it('shares what it gets with others who see the same', async () => {
    const { log } = await streamOf(eventsOf([{ size: 100, isOpen: false, isHidden: false }]))
    let pages = 0
    const counted: EventLog = {
      ...{ append: log.append, close: log.close },
      read(...args) {
        pages++
        return log.read(...args)
      },
    }
    await read(createStream({ log: counted }))
    const alone = pages
    pages = 0
    const stream = createStream({ log: counted })
    await Promise.all(Array.from({ length: 48 }, () => read(stream)))
    // Each reads the first pages, and the end.
    expect(pages).toBeLessThan(48 * alone)
  })

  it('sees an artifact as it was before a hidden write', async () => {
    const base = { contextId: 'c', timestamp: at(0) }
    const write = (n: number, label: object = {}): object => ({
      ...{ ...base, taskId: `t${n}`, kind: 'data-write', artifactId: 'd', data: { n } },
      ...label,
    })
    const turn = { size: 50, isOpen: false, isHidden: false }
    const events = [
      ...eventsOf([turn, turn, turn]),
      ...[write(0), write(1), write(2, { metadata: { audience: ['operator'] } })],
    ] as ContextAnyEvent[]
    const open = (): Promise<Stream> =>
      streamOf(
        events
          .toSorted((a, b) => a.taskId.localeCompare(b.taskId))
          .filter(({ kind }) => kind !== 'task-status'),
      )
    expect((await shown(await open())).artifacts).toEqual(
      (await shown(await open(), { start: 'first' })).artifacts,
    )
  })

  it('learns of no hidden task, neither as older nor by when it gets the newest alone', async () => {
    const hidden = { size: 1200, isOpen: false, isHidden: true }
    const visible = { size: 5, isOpen: false, isHidden: false }
    const view = await shown(await streamOf(eventsOf([hidden, visible, hidden])))
    expect(view).toEqual(await shown(await streamOf(eventsOf([hidden, visible, hidden])), { start: 'first' }))
    expect(view.older).toBeUndefined()
  })

  it('chooses between two starts', async () => {
    const stream = createStream({ stream: 's' })
    expect(() => stream.respond(null, { start: 'last' as never })).toThrow(
      '"start" must be "merged" or "first", got "last".',
    )
  })
})
