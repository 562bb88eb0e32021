/** The laws of {@link eventLogLaw}, each with the calls that test it. */
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { type Batch, cursorAfter, type Reset } from '../batch.ts'
import type { Cursor, Position } from '../cursor.ts'
import type { EventLog } from '../event-log.ts'
import { type ReadFilter, readFilter } from '../read-filter.ts'
import { DEFAULT_MAX_BYTES } from '../read-options.ts'

/** What a law gets. */
export interface LawContext {
  /** Name of a stream for this law alone. */
  readonly stream: string
  /** Opens the log of a stream, by default of this one. */
  readonly open: (stream?: string) => Promise<EventLog>
  readonly seed: number
}

const user = readFilter({ audience: 'user' })
const filters: readonly (ReadFilter | undefined)[] = [
  undefined,
  user,
  readFilter({ audience: 'operator' }, { kinds: ['thought-stream'] }),
]

export const eventLogLaws: Readonly<Record<string, (context: LawContext) => Promise<void>>> = {
  async 'an event has the position after the one before'({ stream, open }) {
    const log = await open()
    const { epoch } = await log.read()
    for (let seq = 0; seq < 9; seq++) {
      expectEqual(await log.append(eventOf(seq)), { stream, epoch, seq }, 'the position')
    }
  },

  async 'reading gives all visible events in order, without gaps'({ open, seed }) {
    const { log, events, at } = await filled(open, seed)
    const other = await open()
    for (const filter of filters) {
      for (const seq of [-1, 0, 7]) {
        for (const reader of [log, other]) {
          const { shown, seqs } = visible(events, filter, seq)
          const read = await readAll(reader, cursorOf(at, seq, filter), filter)
          expectEqual(read, { events: shown, seqs }, `the events after ${seq}`)
        }
      }
      const { shown, seqs } = visible(events, filter, -1)
      for (const start of [undefined, null, '']) {
        expectEqual(
          await readAll(log, start, filter),
          { events: shown, seqs },
          'the events from the beginning',
        )
      }
    }
  },

  async 'a batch holds at most maxBytes of events, or one event'({ open, seed }) {
    const { log, events, at } = await filled(open, seed)
    for (const filter of filters) {
      for (const maxBytes of [1, 900, 5000, undefined]) {
        const { shown, seqs } = visible(events, filter, -1)
        const read = await readAll(log, cursorOf(at, -1, filter), filter, maxBytes)
        expectEqual(
          read,
          { events: shown, seqs },
          `all events, in pages of ${maxBytes ?? DEFAULT_MAX_BYTES} bytes`,
        )
      }
    }
  },

  async 'a cursor that cannot be continued gives a reset with the reason'({ open, seed }) {
    const { log, events, at } = await filled(open, seed)
    const last = cursorOf(at, events.length - 1)
    const cases: [string, Cursor | string, ReadFilter?][] = [
      ['malformed', 'not a cursor'],
      ['malformed', { ...last, seq: 0.5 }],
      ['unknown-stream', { ...last, stream: `${last.stream}-other` }],
      ['epoch-changed', { ...last, epoch: `${last.epoch}-other` }],
      ['filter-changed', last, user],
      ['filter-changed', { ...last, filter: user.id }],
      ['ahead', { ...last, seq: events.length }],
    ]
    for (const [reason, cursor, filter] of cases) {
      const part = await log.read(cursor, { wait: true, ...(filter && { filter }) })
      const { stream, epoch, seq: through } = last
      const source = { stream, epoch, ...(filter && { filter: filter.id }) }
      expectEqual(
        part,
        { type: 'reset', reason, ...source, through, earliest: 0 },
        `the answer to ${JSON.stringify(cursor)}`,
      )
    }
  },

  async 'a reader that waits is woken by an event and by the end, in every process'({ stream, open }) {
    const [log, other] = [await open(), await open()]
    const { epoch } = await log.read()
    expectEqual(summaryOf(await log.read()), [-1, []], 'a read without waiting')
    for (let seq = 0; seq < 5; seq++) {
      const at = { stream, epoch, seq: seq - 1 }
      const waiting = [log, log, other].map((reader) => reader.read(at, { wait: true }))
      await other.append(eventOf(seq))
      for (const part of waiting) expectEqual(summaryOf(await part), [seq, [eventOf(seq)]], 'the next event')
    }
    const waiting = [log, other].map((reader) => reader.read({ stream, epoch, seq: 4 }, { wait: true }))
    await other.close()
    for (const part of waiting) expectEqual(await part, endAt({ stream, epoch, seq: 4 }), 'the end')
  },

  async 'a reader that waits for hidden events moves on'({ stream, open }) {
    const log = await open()
    const { epoch } = await log.read()
    const waiting = log.read({ stream, epoch, seq: -1, filter: user.id }, { wait: true, filter: user })
    await log.append(thoughtOf(0))
    expectEqual(summaryOf(await waiting), [0, []], 'an empty batch through 0')
  },

  async 'aborting ends the wait with an empty batch'({ stream, open }) {
    const log = await open()
    const { epoch } = await log.read()
    const at = { stream, epoch, seq: -1 }
    const controller = new AbortController()
    const { signal } = controller
    const waiting = [log.read(at, { wait: true, signal }), log.read(at, { wait: true, signal })]
    controller.abort()
    waiting.push(log.read(at, { wait: true, signal }))
    for (const part of waiting) expectEqual(summaryOf(await part), [-1, []], 'an empty batch')
    await log.append(eventOf(0))
    expectEqual(summaryOf(await log.read(at, { signal })), [0, [eventOf(0)]], 'the event, without waiting')
  },

  async 'a closed stream ends for every reader and takes no events'({ open, seed }) {
    const { log, events, at } = await filled(open, seed)
    await log.close()
    await log.close()
    const other = await open()
    for (const handle of [log, other]) {
      const error = await handle.append(eventOf(0)).then(
        () => 'a position',
        (reason: unknown) => reason,
      )
      if (!(error instanceof TypeError))
        throw new Error(`Expected append to reject with a TypeError, got ${String(error)}.`)
      const end = { ...at, seq: events.length - 1 }
      expectEqual(await handle.read(end, { wait: true }), endAt(end), 'the end')
      const page = await handle.read({ ...at, seq: 0 }, { maxBytes: 1 })
      expectEqual([page.through, 'closed' in page], [1, false], 'a page before the end, not closed')
      expectEqual((await readAll(handle, undefined)).seqs.length, events.length, 'the number of events')
    }
  },

  async 'concurrent writers get one order'({ open }) {
    const logs = [await open(), await open(), await open()]
    const count = 60
    const positions = await Promise.all(
      Array.from({ length: count }, (_, n) => (logs[n % logs.length] as EventLog).append(eventOf(n))),
    )
    const order: number[] = []
    for (const [n, { seq }] of positions.entries()) order[seq] = n
    const expected = Array.from({ length: count }, (_, seq) => eventOf(order[seq] ?? -1))
    expectEqual(
      (await readAll(logs[0] as EventLog, undefined)).events,
      expected,
      'the events in the order of their positions',
    )
  },

  async 'events of a subtask have its parentTaskId once an event stated it'({ open }) {
    const [log, other] = [await open(), await open()]
    const base = eventOf(0)
    const child = { ...base, taskId: 'child' }
    const created = { ...base, kind: 'subtask-created', subtaskId: 'child', prompt: 'Go' } as ContextAnyEvent
    for (const event of [child, created, child]) await log.append(event)
    await other.append(child)
    const { events } = await readAll(log, undefined)
    const parents = events.map((event) => ('parentTaskId' in event ? event.parentTaskId : null))
    expectEqual(parents, [null, null, base.taskId, base.taskId], 'the parents')
  },

  async 'a snapshot is at a position that the log continues'({ open, seed }) {
    const { log, events, at } = await filled(open, seed)
    const snapshot = await log.snapshot?.()
    if (snapshot === undefined) return
    const { epoch, through } = snapshot
    expectEqual(epoch, at.epoch, 'the epoch of the snapshot')
    if (!(Number.isInteger(through) && through >= -1 && through < events.length)) {
      throw new Error(`Expected "through" from -1 to ${events.length - 1}, got ${through}.`)
    }
    for (const event of snapshot.events)
      expectEqual(decodeEvent(event).status, 'known', 'the status of an event')
    const part = await log.read({ ...at, seq: through })
    expectEqual(
      [part.type, part.type === 'batch' && part.after],
      ['batch', through],
      'the batch after the snapshot',
    )
  },
}

/** A log of 40 events, some large and some hidden from users. */
async function filled(
  open: LawContext['open'],
  seed: number,
): Promise<{ log: EventLog; events: ContextAnyEvent[]; at: Position }> {
  const logs = [await open(), await open()]
  const events: ContextAnyEvent[] = []
  let at: Position | undefined
  // Multiplier and modulus of MINSTD.
  for (let random = seed + 1; events.length < 40; random = (random * 48_271) % 2_147_483_647) {
    const n = events.length
    const event = random % 3 === 0 ? thoughtOf(n) : eventOf(n, random % 7 === 0 ? 1000 : 1)
    events.push(event)
    at = await (logs[random % 2] as EventLog).append(event)
  }
  return { log: logs[0] as EventLog, events, at: at as Position }
}

function visible(events: readonly ContextAnyEvent[], filter: ReadFilter | undefined, after: number) {
  const shown: ContextAnyEvent[] = []
  const seqs: number[] = []
  for (const [seq, event] of events.entries()) {
    const one = seq <= after ? undefined : filter === undefined ? event : filter.apply(event)
    if (one === undefined) continue
    shown.push(one)
    seqs.push(seq)
  }
  return { shown, seqs }
}

/** Reads to the present end. Checks that batches are contiguous, and that each fits. */
async function readAll(
  log: EventLog,
  start: Cursor | string | null | undefined,
  filter?: ReadFilter,
  maxBytes?: number,
): Promise<{ events: ContextAnyEvent[]; seqs: number[] }> {
  const options = { ...(filter && { filter }), ...(maxBytes !== undefined && { maxBytes }) }
  const encoder = new TextEncoder()
  const events: ContextAnyEvent[] = []
  const seqs: number[] = []
  let at = start
  for (;;) {
    const part = await log.read(at, options)
    if (part.type === 'reset') throw new Error(`Expected a batch, got a reset: ${part.reason}.`)
    if (typeof at === 'object' && at !== null) expectEqual(part.after, at.seq, '"after" of the batch')
    expectEqual(part.filter, filter?.id, '"filter" of the batch')
    const size = part.events.reduce((sum, event) => sum + encoder.encode(JSON.stringify(event)).length, 0)
    const limit = maxBytes ?? DEFAULT_MAX_BYTES
    if (part.events.length > 1 && size > limit) {
      throw new Error(`Expected at most ${limit} bytes of events, got ${size}.`)
    }
    events.push(...part.events)
    seqs.push(...part.seqs)
    if (part.after === part.through) return { events, seqs }
    at = cursorAfter(part)
  }
}

function cursorOf({ stream, epoch }: Position, seq: number, filter?: ReadFilter): Cursor {
  return filter === undefined ? { stream, epoch, seq } : { stream, epoch, seq, filter: filter.id }
}

function endAt({ stream, epoch, seq }: Position): Batch {
  return { type: 'batch', stream, epoch, after: seq, through: seq, events: [], seqs: [], closed: true }
}

function summaryOf(part: Batch | Reset): [number, unknown] {
  return [part.through, part.type === 'batch' ? part.events : part.reason]
}

const envelope = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-03-14T09:26:53.589Z' } as const

function eventOf(index: number, length: number = 1): ContextAnyEvent {
  return { kind: 'content-delta', ...envelope, delta: 'é'.repeat(length), index }
}

/** A thought that users do not see. */
function thoughtOf(index: number): ContextAnyEvent {
  const labels = { thoughtId: `thought-${index}`, thoughtType: 'planning', verbosity: 'detailed' } as const
  return { kind: 'thought-stream', ...envelope, ...labels, content: 'Not for users', index }
}

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [canonical(actual), canonical(expected)]
  if (got === wanted) return
  const start = Math.max(0, firstDifference(got, wanted) - CONTEXT)
  throw new Error(`Expected ${what} to be ${excerpt(wanted, start)}, got ${excerpt(got, start)}.`)
}

/** Length of a value in a message, and of what is shown of it before the first difference, in characters. */
const MAX_EXCERPT = 500
const CONTEXT = 200

/** A text that is too long for a message, from `start` on. */
function excerpt(text: string, start: number): string {
  if (text.length <= MAX_EXCERPT) return text
  const shown = text.slice(start, start + MAX_EXCERPT)
  return `${start > 0 ? '…' : ''}${shown}${start + MAX_EXCERPT < text.length ? '…' : ''}`
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** A value as JSON that does not depend on the order of keys. */
function canonical(value: unknown): string {
  const sorted = (_key: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  return String(JSON.stringify(value, sorted))
}
