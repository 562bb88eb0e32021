/** Logs that obey the laws, and faults that break one of them. */
import { once } from 'node:events'
import {
  type Batch,
  type Cursor,
  type EventLog,
  type LogExtent,
  makeBatch,
  type Reset,
  readFilter,
  requireEvent,
  resolveCursor,
} from 'turnstream/streams'
import { createTaskTree } from '../../src/streams/access/task-tree.ts'
import type { EventLogReadOptions } from '../../src/streams/log/read-options.ts'
import { delta } from '../streams/log/support.ts'

type Part = Batch | Reset
type Place = Cursor | string | null | undefined

/** Opens each stream once and returns the same log afterwards. */
export function shared(open: (stream: string) => EventLog): (stream: string) => EventLog {
  const logs = new Map<string, EventLog>()
  return (stream) => {
    const log = logs.get(stream) ?? open(stream)
    logs.set(stream, log)
    return log
  }
}

/** A log in an array, as a host might write one. Its batches have at most three events. */
export function arrayLog(stream: string): EventLog {
  const events: Parameters<EventLog['append']>[0][] = []
  const tree = createTaskTree()
  let closed = false
  const news = new EventTarget()
  const extent = (): LogExtent => ({ stream, epoch: 'e', earliest: 0, next: events.length, closed })
  return {
    async append(event) {
      if (closed) throw new TypeError('closed')
      const seq = events.push(tree.stamp(requireEvent(event))) - 1
      news.dispatchEvent(new Event('news'))
      return { stream, epoch: 'e', seq }
    },
    async read(cursor, { filter, wait, signal, maxBytes = 65_536 } = {}) {
      for (;;) {
        const after = resolveCursor(extent(), cursor, filter)
        if (typeof after === 'object') return after
        const page = events.slice(after + 1, after + 4)
        const size = (): number => Buffer.byteLength(page.map((event) => JSON.stringify(event)).join(''))
        while (page.length > 1 && size() > maxBytes) page.pop()
        const part = makeBatch(extent(), after, page, filter)
        if (part.through > after || closed || wait !== true || signal?.aborted === true) return part
        await once(news, 'news', signal && { signal }).catch(() => {})
      }
    },
    async close() {
      closed = true
      news.dispatchEvent(new Event('news'))
    },
  }
}

/** What a fault knows of the log that it breaks. */
interface Sound extends EventLog {
  /** How many events were appended. */
  readonly count: number
  readonly isClosed: boolean
}

/** A log with something wrong: what it does instead of the sound one. */
type Fault = (log: Sound) => Partial<EventLog>

/** {@link arrayLog} with a fault. */
export function faultyLog(stream: string, fault: Fault): EventLog {
  const log = arrayLog(stream)
  let count = 0
  let isClosed = false
  const sound: Sound = {
    ...log,
    async append(event) {
      const position = await log.append(event)
      count++
      return position
    },
    async close() {
      isClosed = true
      await log.close()
    },
    get count() {
      return count
    },
    get isClosed() {
      return isClosed
    },
  }
  const { append, read, close } = sound
  return { append, read, close, ...fault(sound) }
}

/** Reads, and changes the part. */
const changed =
  (change: (part: Part, cursor: Place, options: EventLogReadOptions, log: Sound) => Part): Fault =>
  (log) => ({
    read: async (cursor, options = {}) => change(await log.read(cursor, options), cursor, options, log),
  })

/** Changes batches, and leaves resets. */
const batches = (
  change: (part: Batch, cursor: Place, options: EventLogReadOptions, log: Sound) => Part,
): Fault => changed((part, ...rest) => (part.type === 'batch' ? change(part, ...rest) : part))

const without = <T>(list: readonly T[]): T[] => list.slice(1)
const fromStart = (cursor: Place): boolean => typeof cursor !== 'object' || cursor === null
const resetOf = ({ stream, epoch, through }: Part): Reset => ({
  type: 'reset',
  reason: 'evicted',
  stream,
  epoch,
  through,
  earliest: 0,
})
const READING = 'reading gives all visible events in order, without gaps'
const filters = [
  undefined,
  readFilter({ audience: 'user' }),
  readFilter({ audience: 'operator' }, { kinds: ['thought-stream'] }),
]
/** The first event of the laws, with sorted keys. */
const FIRST =
  '{"contextId":"ctx-1","delta":"é","index":0,"kind":"content-delta","taskId":"task-1","timestamp":"2026-03-14T09:26:53.589Z"}'
const fault = (name: string, law: string, names: string, change: Fault) => [name, law, names, change] as const
const snapshot = (change: object): Fault => {
  const sound = { epoch: 'e', through: 9, events: [delta(0)] }
  return () => ({ snapshot: async () => ({ ...sound, ...change }) })
}

/** The law that each fault breaks, and what the error names. */
export const faults: readonly (readonly [name: string, law: string, names: string, fault: Fault])[] = [
  [
    'numbers from 1',
    'an event has the position after the one before',
    'Expected the position to be {"epoch":"e","seq":0,',
    (log) => ({
      async append(event) {
        const position = await log.append(event)
        return { ...position, seq: position.seq + 1 }
      },
    }),
  ],
  [
    'a gap',
    'reading gives all visible events in order, without gaps',
    'Expected the events after -1 to be ',
    batches((part) =>
      part.through > 8 ? { ...part, events: without(part.events), seqs: without(part.seqs) } : part,
    ),
  ],
  [
    'wrong numbers of events',
    'reading gives all visible events in order, without gaps',
    'Expected the events after -1 to be ',
    batches((part) => ({ ...part, seqs: part.seqs.map((seq) => seq + 1) })),
  ],
  [
    'no filter',
    'reading gives all visible events in order, without gaps',
    'Expected the events after -1 to be ',
    (log) => ({
      async read(cursor, { filter, ...options } = {}) {
        const all = filter && { id: filter.id, apply: (event: Parameters<EventLog['append']>[0]) => event }
        return log.read(cursor, { ...options, ...(all && { filter: all }) })
      },
    }),
  ],
  ...[undefined, null, ''].map((start) =>
    fault(
      `another beginning for ${JSON.stringify(start)}`,
      READING,
      'Expected the events from the beginning to be {"events":[{"contextId":"ctx-1","delta":"é","index":0,',
      batches((part, cursor) =>
        cursor === start ? { ...part, events: without(part.events), seqs: without(part.seqs) } : part,
      ),
    ),
  ),
  ...[0, 7].map((seq) =>
    fault(
      `a cursor at ${seq} that it cannot continue`,
      READING,
      'Expected a batch, got a reset: evicted.',
      batches((part, cursor) => (Object(cursor).seq === seq ? resetOf(part) : part)),
    ),
  ),
  ...filters.map((filter, n) =>
    fault(
      `no events with filter ${n}`,
      READING,
      'Expected the events after -1 to be {"events":[{',
      batches((part) => (part.filter === filter?.id ? { ...part, events: [], seqs: [] } : part)),
    ),
  ),
  [
    'a batch that starts too early',
    'reading gives all visible events in order, without gaps',
    'Expected "after" of the batch to be 2, got 1.',
    batches((part) => ({ ...part, after: Math.max(-1, part.after - 1) })),
  ],
  [
    'a batch without its filter',
    'reading gives all visible events in order, without gaps',
    'Expected "filter" of the batch to be ',
    batches(({ filter, ...part }) => part),
  ],
  [
    'pages of any size',
    'a batch holds at most maxBytes of events, or one event',
    'Expected at most 1 bytes of events, got ',
    (log) => ({
      read: (cursor, options) => {
        const { maxBytes, ...others } = options ?? {}
        return log.read(cursor, others)
      },
    }),
  ],
  [
    'pages of two events',
    'a batch holds at most maxBytes of events, or one event',
    'Expected at most 1 bytes of events, got ',
    (log) => ({
      async read(cursor, options) {
        const { maxBytes, ...others } = options ?? {}
        const part = await log.read(cursor, others)
        if (part.type === 'reset' || part.through - part.after < 3) return part
        const through = part.after + 2
        const count = part.seqs.filter((seq) => seq <= through).length
        return { ...part, through, events: part.events.slice(0, count), seqs: part.seqs.slice(0, count) }
      },
    }),
  ],
  ...[1, 900, 5000].map((size) =>
    fault(
      `nothing in pages of ${size} bytes`,
      'a batch holds at most maxBytes of events, or one event',
      `Expected all events, in pages of ${size} bytes to be {"events":[{`,
      batches((part, _, { maxBytes }) => (maxBytes === size ? { ...part, events: [], seqs: [] } : part)),
    ),
  ),
  [
    'one reason for all resets',
    'a cursor that cannot be continued gives a reset with the reason',
    'Expected the answer to "not a cursor" to be {"earliest":0,"epoch":"e","reason":"malformed",',
    changed((part) => (part.type === 'reset' ? { ...part, reason: 'evicted' } : part)),
  ],
  ...(
    [
      ['malformed', 'a cursor whose "seq" is no integer', 'seq":0.5'],
      ['unknown-stream', 'a cursor of another stream', '-other","epoch":"e"'],
      ['epoch-changed', 'a cursor of another epoch', '"epoch":"e-other"'],
      ['filter-changed', 'a cursor without the filter', '"seq":39}'],
      ['filter-changed', 'a cursor with a filter', '"filter":"'],
      ['ahead', 'a cursor after the last event', '"seq":40'],
    ] as const
  ).map(
    ([reason, name, text]) =>
      [
        `an end for ${name}`,
        'a cursor that cannot be continued gives a reset with the reason',
        'Expected the answer to {',
        (log: Sound): Partial<EventLog> => ({
          async read(cursor, options) {
            const part = await log.read(cursor, options)
            const isIt = part.type === 'reset' && part.reason === reason
            return isIt && JSON.stringify(cursor).includes(text) ? log.read('') : part
          },
        }),
      ] as const,
  ),
  [
    'an event that nobody appended',
    'a reader that waits is woken by an event and by the end, in every process',
    'Expected a read without waiting to be [-1,[]], got [-1,[{',
    batches((part, _, options, { count }) =>
      count === 0 && options.wait !== true ? { ...part, events: [delta(0)] } : part,
    ),
  ],
  [
    'readers that never wake',
    'a reader that waits is woken by an event and by the end, in every process',
    'Expected an answer within 250 ms, got none.',
    (log) => ({
      async read(cursor, options = {}) {
        const part = await log.read(cursor, { ...options, wait: false })
        const waits = options.wait === true && part.type === 'batch' && part.after === part.through
        return waits && options.signal?.aborted !== true ? new Promise<never>(() => {}) : part
      },
    }),
  ],
  [
    'readers that do not wait',
    'a reader that waits is woken by an event and by the end, in every process',
    'Expected the next event to be [0,[{',
    (log) => ({ read: (cursor, options = {}) => log.read(cursor, { ...options, wait: false }) }),
  ],
  [
    'a reset for readers that wait',
    'a reader that waits is woken by an event and by the end, in every process',
    `Expected the next event to be [0,[${FIRST}]], got [0,"evicted"].`,
    batches((part, _, { wait }) => (wait === true ? resetOf(part) : part)),
  ],
  ...[1, 2].map((which) =>
    fault(
      `a reader ${which} that never wakes`,
      'a reader that waits is woken by an event and by the end, in every process',
      'Expected an answer within 250 ms, got none.',
      (log) => {
        let waits = 0
        return {
          read: (cursor, options) =>
            options?.wait === true &&
            cursor !== 'not a cursor' &&
            log.count === 0 &&
            options.signal === undefined &&
            ++waits === which
              ? new Promise<never>(() => {})
              : log.read(cursor, options),
        }
      },
    ),
  ),
  [
    'no end',
    'a reader that waits is woken by an event and by the end, in every process',
    'Expected the end to be {"after":4,"closed":true,',
    batches(({ closed, ...part }) => part),
  ],
  [
    'readers that hidden events do not move',
    'a reader that waits for hidden events moves on',
    'Expected an empty batch through 0 to be [0,[]], got [-1,[]].',
    batches((part, _, { wait }) =>
      wait === true && part.filter !== undefined ? { ...part, through: part.after } : part,
    ),
  ],
  [
    'readers that cannot be aborted',
    'aborting ends the wait with an empty batch',
    'Expected an answer within 250 ms, got none.',
    (log) => ({
      read(cursor, options) {
        const { signal, ...others } = options ?? {}
        return log.read(cursor, others)
      },
    }),
  ],
  ...[1, 2, 3].map(
    (which) =>
      [
        `a signal that does not end wait ${which}`,
        'aborting ends the wait with an empty batch',
        'Expected an answer within 250 ms, got none.',
        (log: Sound): Partial<EventLog> => {
          let waits = 0
          return {
            read(cursor, options = {}) {
              const { signal, ...others } = options
              if (signal !== undefined && options.wait === true) waits++
              return log.read(cursor, waits === which && options.wait === true ? others : options)
            },
          }
        },
      ] as const,
  ),
  [
    'a wait of readers that get a reset',
    'a cursor that cannot be continued gives a reset with the reason',
    'Expected an answer within 250 ms, got none.',
    (log) => ({
      async read(cursor, options) {
        const part = await log.read(cursor, options)
        return part.type === 'reset' && options?.wait === true ? new Promise<never>(() => {}) : part
      },
    }),
  ],
  [
    'an event for aborted readers',
    'aborting ends the wait with an empty batch',
    'Expected an empty batch to be [-1,[]], got [-1,[{',
    batches((part, _, { wait, signal }) =>
      wait === true && signal?.aborted === true ? { ...part, events: [delta(0)] } : part,
    ),
  ],
  [
    'nothing for readers that are aborted before they read',
    'aborting ends the wait with an empty batch',
    'Expected the event, without waiting to be [0,[{',
    batches((part, _, { signal }) =>
      signal?.aborted === true ? { ...part, through: part.after, events: [], seqs: [] } : part,
    ),
  ],
  [
    'events after the end',
    'a closed stream ends for every reader and takes no events',
    'Expected append to reject with a TypeError, got a position.',
    (log) => ({
      append: (event) => log.append(event).catch(() => ({ stream: 's', epoch: 'e', seq: 0 })),
    }),
  ],
  [
    'another error after the end',
    'a closed stream ends for every reader and takes no events',
    'Expected append to reject with a TypeError, got Error: closed.',
    (log) => ({
      append: (event) =>
        log.append(event).catch(() => {
          throw new Error('closed')
        }),
    }),
  ],
  [
    'no end of a long stream',
    'a closed stream ends for every reader and takes no events',
    'Expected the end to be {"after":39,"closed":true,',
    batches(({ closed, ...part }, _, __, { count }) =>
      closed === undefined || count > 5 ? part : { ...part, closed },
    ),
  ],
  [
    'an end on each page',
    'a closed stream ends for every reader and takes no events',
    'Expected a page before the end, not closed to be [1,false], got [1,true].',
    batches((part, _, __, { isClosed }) => (isClosed ? { ...part, closed: true } : part)),
  ],
  [
    'fewer events once it is closed',
    'a closed stream ends for every reader and takes no events',
    'Expected the number of events to be 40, got 37.',
    batches((part, cursor, _, { isClosed }) =>
      isClosed && fromStart(cursor) ? { ...part, events: [], seqs: [] } : part,
    ),
  ],
  [
    'a close that can fail',
    'a closed stream ends for every reader and takes no events',
    'Cannot close twice.',
    (log) => ({
      async close() {
        if (log.isClosed) throw new TypeError('Cannot close twice.')
        await log.close()
      },
    }),
  ],
  [
    'positions of other events',
    'concurrent writers get one order, that of its calls for each',
    'Expected the events in the order of their positions to be ',
    (log) => {
      const last = { stream: '', epoch: 'e', seq: -1 }
      return {
        async append(event) {
          Object.assign(last, await log.append(event))
          for (let turn = 0; turn < 9; turn++) await undefined
          return { ...last }
        },
      }
    },
  ],
  [
    'subtasks without a parent',
    'events of a subtask have its parentTaskId once an event stated it',
    'Expected the parents to be [null,null,"task-1","task-1"], got [null,null,null,null].',
    batches((part) => ({
      ...part,
      events: part.events.map((event) => {
        if (!('parentTaskId' in event)) return event
        const { parentTaskId, ...others } = event
        return others as typeof event
      }),
    })),
  ],
  ...(
    [
      ['of another epoch', { epoch: 'f' }, 'Expected the epoch of the snapshot to be "e", got "f".'],
      ['before the beginning', { through: -2 }, 'Expected "through" from -1 to 39, got -2.'],
      ['between two events', { through: 0.5 }, 'Expected "through" from -1 to 39, got 0.5.'],
      ['after the last event', { through: 40 }, 'Expected "through" from -1 to 39, got 40.'],
      [
        'of invalid events',
        { events: [{ kind: 'content-delta' }] },
        'Expected the status of an event to be "known", got "invalid".',
      ],
    ] as const
  ).map(
    ([name, change, names]) =>
      [
        `a snapshot ${name}`,
        'a snapshot is at a position that the log continues',
        names,
        snapshot(change),
      ] as const,
  ),
  [
    'a snapshot of all tasks',
    'a snapshot has no more than was asked for, or one task',
    'Expected at most 2500 bytes of events, got ',
    snapshot({
      events: [0, 1, 2].map((n) => ({ ...delta(0), taskId: `task-${n}`, delta: 'x'.repeat(1000) })),
    }),
  ],
  [
    'a snapshot that it cannot continue',
    'a snapshot is at a position that the log continues',
    'Expected the batch after the snapshot to be ["batch",9], got ["reset",false].',
    (log) => {
      let isTaken = false
      return {
        async snapshot() {
          isTaken = true
          return { epoch: 'e', through: 9, events: [] }
        },
        async read(cursor, options) {
          const part = await log.read(cursor, options)
          return isTaken ? resetOf(part) : part
        },
      }
    },
  ],
]
