/** The laws of {@link eventLogLaw}, each with the calls that test it. */
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { type Batch, cursorAfter, type Reset } from '../batch.ts'
import type { Cursor, Position } from '../cursor.ts'
import type { EventLog } from '../event-log.ts'
import { type ReadFilter, readFilter } from '../read-filter.ts'
import { DEFAULT_MAX_BYTES } from '../read-options.ts'
import { envelope, eventOf, expectEqual, type LawContext, readAll } from './law-context.ts'
import { stateLogLaws } from './state-log-laws.ts'

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

  async 'a reader that waits is woken by an event and by the end, in every process'({
    stream,
    open,
    settle,
  }) {
    const [log, other] = [await open(), await open()]
    const { epoch } = await log.read()
    expectEqual(summaryOf(await log.read()), [-1, []], 'a read without waiting')
    for (let seq = 0; seq < 5; seq++) {
      const at = { stream, epoch, seq: seq - 1 }
      const waiting = [log, log, other].map((reader) => reader.read(at, { wait: true }))
      if (seq === 0) await settle()
      await other.append(eventOf(seq))
      for (const part of waiting) expectEqual(summaryOf(await part), [seq, [eventOf(seq)]], 'the next event')
    }
    const waiting = [log, other].map((reader) => reader.read({ stream, epoch, seq: 4 }, { wait: true }))
    // One that asks only now would see the end, woken or not.
    await settle()
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

  async 'concurrent writers get one order, that of its calls for each'({ open }) {
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
    for (const writer of logs.keys()) {
      const own = positions.map(({ seq }) => seq).filter((_, n) => n % logs.length === writer)
      expectEqual(
        own,
        own.toSorted((a, b) => a - b),
        `the positions of writer ${writer}`,
      )
    }
  },

  async 'what was read stays, and what was appended can be read, while others append'({ stream, open }) {
    const logs = [await open(), await open(), await open()]
    const reader = await open()
    const count = 60
    const { epoch } = await reader.read()
    const writing = Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const { seq } = await (logs[n % logs.length] as EventLog).append(eventOf(n))
        if (n % 7 !== 0) return
        const part = await reader.read({ stream, epoch, seq: seq - 1 })
        const found = part.type === 'batch' && part.seqs[0]
        expectEqual(found, seq, 'the position of an event that was appended, when it is read')
      }),
    )
    const read: Pick<Batch, 'events' | 'seqs'>[] = []
    const reading = async (): Promise<void> => {
      let at: Cursor = { stream, epoch, seq: -1 }
      while (at.seq < count - 1) {
        const part = await reader.read(at, { wait: true })
        if (part.type === 'reset') throw new Error(`Expected a batch, got a reset: ${part.reason}.`)
        read.push(part)
        at = cursorAfter(part)
      }
    }
    // Together: whichever fails first is the failure, and the other is not left unhandled.
    await Promise.all([writing, reading()])
    const all = { events: read.flatMap(({ events }) => events), seqs: read.flatMap(({ seqs }) => seqs) }
    expectEqual(all, await readAll(reader, undefined), 'the events that were read meanwhile')
  },

  async 'an event that is appended again after its answer was lost is stored once, in order'({
    stream,
    open,
    openUnreliable,
  }) {
    if (openUnreliable === undefined) return
    const [log, reader] = [await persist(openUnreliable), await open()]
    const events = Array.from({ length: 40 }, (_, n) => eventOf(n))
    const { epoch } = await reader.read()
    for (const [seq, event] of events.entries()) {
      const position = await persist(() => log.append(event))
      expectEqual(position, { stream, epoch, seq }, 'the position')
    }
    expectEqual((await readAll(reader, undefined)).events, events, 'the events')
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

  ...stateLogLaws,

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

  async 'names and ids may have any characters'({ stream, open }) {
    const names = ['\0', '\0\0', '%00', '"', '{a}', '}', '%7d', '%7D', '\\', '\ufffd', '\ud800', '\udc00']
    for (const [n, name] of names.entries()) {
      const log = await open(`${stream}/${name}`).catch((error: unknown) => {
        // Half surrogates are not Unicode.
        if (error instanceof TypeError && /\p{Surrogate}/u.test(name)) return undefined
        throw error
      })
      const position = await log?.append(eventOf(n))
      if (position === undefined || log === undefined) continue
      const what = `the stream with the name ${JSON.stringify(name)}`
      expectEqual([position.stream, position.seq], [`${stream}/${name}`, 0], what)
      expectEqual((await log.read()).events, [eventOf(n)], what)
    }
    const log = await open()
    const ids = ['\0', '\u0001', '\ud800', '\udc00', '\ufffd', '"', '\\', '\n', ']', '__proto__']
    const events = ids.flatMap((id, index): ContextAnyEvent[] => [
      { ...eventOf(index), taskId: id, metadata: { [id]: id } } as ContextAnyEvent,
      { ...eventOf(index), contextId: id, delta: id } as ContextAnyEvent,
    ])
    for (const event of events) await log.append(event)
    expectEqual((await readAll(log, undefined)).events, events, 'the events')
    const base = eventOf(0)
    for (const id of ids.slice(0, -1)) {
      const child = { ...base, contextId: 'links', taskId: id, parentTaskId: `parent of ${id}` }
      await log.append(child as ContextAnyEvent)
    }
    const { seqs } = await readAll(log, undefined)
    for (const id of ids) await log.append({ ...base, contextId: 'links', taskId: id })
    const { events: last } = await readAll(log, cursorOf(await log.append(base), seqs.length - 1))
    expectEqual(
      last.slice(0, -1).map((event) => ('parentTaskId' in event ? event.parentTaskId : null)),
      [...ids.slice(0, -1).map((id) => `parent of ${id}`), null],
      'the parents of subtasks',
    )
  },
}

/** Calls until it succeeds: requests and answers are lost. A TypeError is no loss. */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof TypeError || attempt === 1000) throw error
    }
  }
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

function cursorOf({ stream, epoch }: Position, seq: number, filter?: ReadFilter): Cursor {
  return filter === undefined ? { stream, epoch, seq } : { stream, epoch, seq, filter: filter.id }
}

function endAt({ stream, epoch, seq }: Position): Batch {
  return { type: 'batch', stream, epoch, after: seq, through: seq, events: [], seqs: [], closed: true }
}

function summaryOf(part: Batch | Reset): [number, unknown] {
  return [part.through, part.type === 'batch' ? part.events : part.reason]
}

/** A thought that users do not see. */
function thoughtOf(index: number): ContextAnyEvent {
  const labels = { thoughtId: `thought-${index}`, thoughtType: 'planning', verbosity: 'detailed' } as const
  return { kind: 'thought-stream', ...envelope, ...labels, content: 'Not for users', index }
}
