/** One stream over time: keeping it, handing it out, reading it, and finding who wants it. */
import { deepStrictEqual, strictEqual } from 'node:assert'
import { type ContextAnyEvent, eventDecoder, run } from '../src/index.ts'
import {
  type Batch,
  batchDecoder,
  createRouter,
  encodeBatch,
  type Pattern,
  parsePattern,
  type Router,
  readFilter,
} from '../src/streams/index.ts'
import { appendEvent, type LogState, openLog, readLog } from '../src/streams/log/log-state.ts'
import { matchesPattern } from '../src/streams/routing/pattern.ts'
import { chunksOf, EVENTS, makeEvents, randomFrom } from './data.ts'
import { nsPer, type Row, race, ratio } from './harness.ts'

const SUBSCRIPTIONS = 100_000
const CONTEXTS = 1000
const ROUTED = 5000
const view = readFilter({ audience: 'user' })

export async function bench(rounds: number): Promise<Row[]> {
  return [...(await logs(rounds)), ...(await wire(rounds)), ...(await routes(rounds))]
}

async function logs(rounds: number): Promise<Row[]> {
  const events = makeEvents(EVENTS, 'ascii')
  const kept = logOf(events, 10_000)
  const all = logOf(events, 1_000_000)
  deepStrictEqual(batchOf(kept, kept.next - 10_001).events, events.slice(-10_000))
  deepStrictEqual(batchOf(all, -1).events, events)

  const writing = await race(rounds, {
    stringify: () => events.reduce((sum, event) => sum + JSON.stringify(event).length, 0),
    bounded: () => logOf(events, 10_000).next,
    growing: () => logOf(events, 1_000_000).next,
  })
  const reading = await race(rounds, {
    tail: () => sumOf(EVENTS, (i) => batchOf(kept, kept.next - 2 - (i % 2)).events.length),
    viewed: () => sumOf(10, () => batchOf(kept, kept.next - 10_001, view).events.length),
    whole: () => sumOf(10, () => batchOf(kept, kept.next - 10_001).events.length),
  })
  return [
    {
      what: 'log append, keeping 10 000 of 100 000 events',
      measured: nsPer('event', writing.bounded, EVENTS),
      ratio: { ...ratio(writing.bounded, writing.stringify), against: 'JSON.stringify of each event' },
    },
    {
      what: 'log append, growing to 100 000 events',
      measured: nsPer('event', writing.growing, EVENTS),
      ratio: { ...ratio(writing.growing, writing.bounded), against: 'keeping 10 000' },
    },
    { what: 'log read, the last one or two of 10 000 events', measured: nsPer('read', reading.tail, EVENTS) },
    {
      what: 'log read, 10 000 events as a user sees them',
      measured: nsPer('event', reading.viewed, 100_000),
      ratio: { ...ratio(reading.viewed, reading.whole), against: 'without a view' },
    },
  ]
}

function logOf(events: readonly ContextAnyEvent[], maxEvents: number): LogState {
  let log: LogState = openLog({ stream: 's', epoch: 'e', limits: { maxEvents, maxBytes: 2 ** 40 } })
  for (const event of events) log = appendEvent(log, event, 0)
  return log
}

function batchOf(log: LogState, seq: number, see?: typeof view): Batch {
  const cursor = { stream: log.stream, epoch: log.epoch, seq, ...(see && { view: see.id }) }
  const part = readLog(log, cursor, see)
  if (part.type === 'batch') return part
  throw new Error(`Not a batch: ${part.reason}.`)
}

function sumOf(times: number, work: (i: number) => number): number {
  let sum = 0
  for (let i = 0; i < times; i++) sum += work(i)
  return sum
}

async function wire(rounds: number): Promise<Row[]> {
  const events = makeEvents(EVENTS, 'ascii')
  const batch = batchOf(logOf(events, EVENTS), -1)
  const chunks = chunksOf(encodeBatch(batch), 16 * 1024)
  const decoder = run(batchDecoder())
  deepStrictEqual(
    chunks
      .flatMap((chunk) => decoder.push(chunk))
      .flatMap((part) => (part.type === 'batch' ? part.events : [])),
    events,
  )
  const times = await race(rounds, {
    events: () => {
      const { push } = run(eventDecoder())
      return chunks.reduce((sum, chunk) => sum + push(chunk).length, 0)
    },
    batches: () => {
      const { push } = run(batchDecoder())
      return chunks.reduce((sum, chunk) => sum + (push(chunk).at(-1)?.through ?? 0), 0)
    },
    encode: () => encodeBatch(batch, { internal: true }).length,
  })
  return [
    {
      what: 'bytes → batches of validated events (100k events, 16 KiB chunks)',
      measured: nsPer('event', times.batches, EVENTS),
      ratio: { ...ratio(times.batches, times.events), against: 'eventDecoder' },
    },
    { what: 'a batch of 100k events → SSE', measured: nsPer('event', times.encode, EVENTS) },
  ]
}

/** How subscribers are spread: all in their contexts, or with some who look at everything. */
const crowds = {
  'a dozen each': 0,
  '250 each': 240,
} as const

async function routes(rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, watchers] of Object.entries(crowds)) {
    const random = randomFrom(3)
    const patterns = Array.from({ length: SUBSCRIPTIONS }, (_, i) => patternOf(i, watchers, random))
    const router = createRouter()
    let delivered = 0
    for (const pattern of patterns) {
      router.subscribe(pattern, {}, () => {
        delivered++
      })
    }
    const events = routedEvents(random)
    for (const event of events) router.route(event)
    checkAgainst(patterns, router, events.slice(0, 20))
    delivered = 0
    for (const event of events) router.route(event)
    const each = delivered / ROUTED
    const few = events.slice(0, 20)
    const times = await race(rounds, {
      router: () => events.reduce((sum, event) => sum + router.route(event).delivered, 0),
      linear: () => few.reduce((sum, event) => sum + wanting(patterns, event).length, 0),
    })
    const ns = (times.router.median * 1e6) / ROUTED
    const linear = { ...times.linear, samples: times.linear.samples.map((sample) => (sample * ROUTED) / 20) }
    const against = { ...ratio({ ...linear, best: (linear.best * ROUTED) / 20 }, times.router) }
    rows.push({
      what: `route, 100k subscriptions, ${name} (${each.toFixed(0)} deliveries an event)`,
      measured: nsPer('event', times.router, ROUTED),
      ratio: { ...against, against: 'less than a look at every pattern' },
      budget: { figure: ns, bound: 'at most', limit: 20_000, unit: 'ns' },
    })
  }
  return rows
}

function patternOf(i: number, watchers: number, random: () => number): Pattern {
  const context = `ctx-${i % CONTEXTS}`
  const task = `task-${Math.floor(random() * 20)}`
  const forms = [
    `${context}/${task}/**`,
    `${context}/${task}`,
    `${context}/*/sub-${i % 5}`,
    `**/${task}-${i}/**`,
  ]
  const text = i < watchers ? '**' : i % 40 === 0 ? `${context}/**` : (forms[i % forms.length] ?? '**')
  const pattern = parsePattern(text)
  if (pattern === undefined) throw new Error(`Not a pattern: ${text}`)
  return pattern
}

function routedEvents(random: () => number): ContextAnyEvent[] {
  const pick = (count: number): number => Math.floor(random() * count)
  return makeEvents(ROUTED, 'ascii').map((event) => {
    const contextId = `ctx-${pick(CONTEXTS)}`
    const parentTaskId = `task-${pick(20)}`
    return random() < 0.5
      ? { ...event, contextId, taskId: parentTaskId }
      : { ...event, contextId, taskId: `${parentTaskId}-sub-${pick(5)}`, parentTaskId }
  })
}

/** The subscriptions that want an event, by looking at all of them. */
function wanting(
  patterns: readonly Pattern[],
  { contextId, taskId, parentTaskId }: ContextAnyEvent,
): Pattern[] {
  const topic = parentTaskId === undefined ? [contextId, taskId] : [contextId, parentTaskId, taskId]
  return patterns.filter((pattern) => matchesPattern(pattern, topic))
}

function checkAgainst(
  patterns: readonly Pattern[],
  router: Router,
  events: readonly ContextAnyEvent[],
): void {
  for (const event of events) strictEqual(router.route(event).delivered, wanting(patterns, event).length)
}
