/** The requirements for every implementation of `EventLog`, checked against `createMemoryLog`. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { eventKinds } from 'turnstream'
import {
  type Batch,
  createMemoryLog,
  createStream,
  type EventLog,
  type ReadFilter,
  type Reset,
  readFilter,
} from 'turnstream/streams'
import { delta, thought } from '../streams/log/support.ts'
import { jsonValue } from './json.ts'

/** Opens the log of a stream. Several calls open the same log, as several processes do. */
export type Opener = (stream: string) => Promise<EventLog>

const filters = [
  undefined,
  readFilter({ audience: 'user' }),
  readFilter({ audience: 'operator' }, { kinds: ['thought-stream'] }),
]
const filter = fc.constantFrom(...filters)
const fields = [
  'kind',
  'contextId',
  'taskId',
  'timestamp',
  'parentTaskId',
  'metadata',
  'delta',
  'arguments',
  'subtaskId',
]
const event = fc.oneof(
  fc.nat(99).map((index) => delta(index)),
  fc.constantFrom('brief' as const, 'detailed' as const).map((verbosity) => thought(0, verbosity)),
)
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('append'), event }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('read'),
      seq: fc.integer({ min: -1, max: 12 }),
      filter,
      from: filter,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read from the beginning'), filter }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('close', 'read with an invalid cursor') }) },
)
type Action = Partial<{
  event: ReturnType<typeof delta>
  seq: number
  filter: ReadFilter
  from: ReadFilter
}> & {
  readonly do: string
}

/** Any sequence of calls has the same results as with `createMemoryLog`. */
export async function expectSameAsMemoryLog(open: Opener, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step as fc.Arbitrary<Action>, { maxLength: 30 }), async (actions) => {
      const stream = `s/${randomUUID()}`
      // Two handles, alternately: results must not depend on which one appended.
      const handles = [await open(stream), await open(stream)] as const
      const { epoch } = await handles[0].read()
      const model = createMemoryLog({ stream, epoch, now: () => 0 })
      for (const [i, action] of actions.entries()) {
        const log = handles[i % 2 === 0 ? 0 : 1]
        deepStrictEqual(await outcome(log, action), await outcome(model, action))
      }
    }),
    { numRuns },
  )
}

async function outcome(log: EventLog, action: Action): Promise<unknown> {
  switch (action.do) {
    case 'append':
      try {
        return action.event && (await log.append(action.event))
      } catch (error) {
        return error instanceof TypeError ? 'rejected' : error
      }
    case 'close':
      return log.close()
    case 'read': {
      const { stream, epoch } = await log.read()
      const from = action.from === undefined ? {} : { filter: action.from.id }
      return readAll(log, { stream, epoch, seq: action.seq ?? -1, ...from }, action.filter)
    }
    case 'read with an invalid cursor':
      return [
        await readAll(log, 'not a cursor'),
        await readAll(log, { stream: 'another', epoch: 'e', seq: 0 }),
        await readAll(log, { stream: (await log.read()).stream, epoch: 'another', seq: 0 }),
      ]
    default:
      return readAll(log, undefined, action.filter)
  }
}

/** Reads to the current end of the stream and joins the batches into one. */
async function readAll(
  log: EventLog,
  cursor: Parameters<EventLog['read']>[0],
  filter?: ReadFilter,
): Promise<Batch | Reset> {
  const options = filter === undefined ? {} : { filter }
  let whole = await log.read(cursor, options)
  while (whole.type === 'batch') {
    const { stream, epoch, after, through, events, seqs } = whole
    const at = { stream, epoch, seq: through, ...(filter && { filter: filter.id }) }
    const next: Batch | Reset = await log.read(at, options)
    if (next.type === 'reset' || next.after === next.through) break
    deepStrictEqual(next.after, through)
    whole = { ...next, after, events: [...events, ...next.events], seqs: [...seqs, ...next.seqs] }
  }
  return whole
}

/** Waiting readers are woken by events from another handle, by the end of the stream, and by their own signal. */
export async function expectToWake(open: Opener, times = 20): Promise<void> {
  const stream = `s/${randomUUID()}`
  const [log, other] = [await open(stream), await open(stream)]
  for (let seq = 0; seq < times; seq++) {
    const at = { stream, epoch: (await log.read()).epoch, seq: seq - 1 }
    const waiting = [
      log.read(at, { wait: true }),
      log.read(at, { wait: true }),
      other.read(at, { wait: true }),
    ]
    await other.append(delta(seq))
    for (const part of await Promise.all(waiting)) deepStrictEqual(summaryOf(part), [seq, [delta(seq)]])
  }
  const at = { stream, epoch: (await log.read()).epoch, seq: times - 1 }
  const controller = new AbortController()
  const aborted = log.read(at, { wait: true, signal: controller.signal })
  const waiting = log.read(at, { wait: true })
  controller.abort()
  deepStrictEqual(summaryOf(await aborted), [times - 1, []])
  await other.close()
  deepStrictEqual((await waiting) satisfies Batch | Reset, {
    type: 'batch',
    stream,
    epoch: at.epoch,
    after: times - 1,
    through: times - 1,
    events: [],
    seqs: [],
    closed: true,
  })
  await rejects(log.append(delta(times)), TypeError)
}

function summaryOf(part: Batch | Reset): [number, unknown] {
  return [part.through, part.type === 'batch' ? part.events : part.reason]
}

/** Concurrent writers get one order, without gaps. */
export async function expectOneOrder(open: Opener, writers: number): Promise<void> {
  const stream = `s/${randomUUID()}`
  const logs = await Promise.all(Array.from({ length: writers }, () => open(stream)))
  const positions = await Promise.all(
    Array.from({ length: writers * 20 }, (_, i) => (logs[i % writers] as EventLog).append(delta(i))),
  )
  const order = positions.map(({ seq }) => seq)
  deepStrictEqual(
    order.toSorted((a, b) => a - b),
    order.map((_, i) => i),
  )
  const whole = await readAll(logs[0] as EventLog, undefined)
  const expected = order.map((_, seq) => delta(order.indexOf(seq)))
  deepStrictEqual(whole.type === 'batch' && whole.events, expected)
}

/** Whatever is appended to a stream of the log is refused with a TypeError, or every reader gets past it. */
export async function expectToRefuse(open: Opener, numRuns: number): Promise<void> {
  const json = jsonValue({ maxDepth: 2 })
  const almost = fc
    .tuple(fc.constantFrom(...eventKinds, 'later-kind'), fc.dictionary(fc.constantFrom(...fields), json))
    .map(([kind, changes]) => ({ ...delta(0), kind, ...changes }))
  const values = fc.array(fc.oneof(json, almost, fc.constant(undefined)), { maxLength: 8 })
  const property = fc.asyncProperty(values, async (appended) => {
    const log = await open(`s/${randomUUID()}`)
    const stream = createStream({ log })
    let next = 0
    for (const value of appended as never[]) {
      await stream.append(value).then(
        ({ seq }) => equal(seq, next++),
        (error: unknown) =>
          ok(error instanceof TypeError && error.message.startsWith('"event"'), String(error)),
      )
    }
    await stream.close()
    for (const audience of ['user', 'observer', 'operator'] as const) {
      const { body } = stream.respond(null, { viewer: { audience } })
      ok((await new Response(body).text()).includes('event: stream-closed'))
    }
    await stream.view()
  })
  await fc.assert(property, { numRuns })
}
