/** What readers get. */
import { decodeEvent } from '../events/decode.ts'
import type { Cursor } from '../streams/log/cursor.ts'
import { type ReadFilter, readFilter } from '../streams/log/read-filter.ts'
import { DEFAULT_MAX_BYTES } from '../streams/log/read-options.ts'
import { expectEqual } from './expect-equal.ts'
import type { Laws } from './law.ts'
import { cursorOf, eventOf, filled, readAll, visible } from './sample-log.ts'

const user = readFilter({ audience: 'user' })
const filters: readonly (ReadFilter | undefined)[] = [
  undefined,
  user,
  readFilter({ audience: 'operator' }, { kinds: ['thought-stream'] }),
]

export const readingLaws: Laws = {
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

  async 'a snapshot has no more than was asked for, or one task'({ open }) {
    const log = await open()
    for (const taskId of ['task-1', 'task-2', 'task-3']) await log.append({ ...eventOf(0, 500), taskId })
    const maxBytes = 2500
    const snapshot = await log.snapshot?.(undefined, { maxBytes })
    if (snapshot === undefined) return 'skipped'
    const size = new TextEncoder().encode(JSON.stringify(snapshot.events)).length
    const tasks = new Set(snapshot.events.map(({ taskId }) => taskId))
    if (tasks.size > 1 && size > maxBytes) {
      throw new Error(`Expected at most ${maxBytes} bytes of events, got ${size}.`)
    }
  },

  async 'a snapshot is at a position that the log continues'({ open, seed }) {
    const { log, events, at } = await filled(open, seed)
    const snapshot = await log.snapshot?.()
    if (snapshot === undefined) return 'skipped'
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
    if (through >= 0 && snapshot.events.length === 0) {
      throw new Error(`Expected events in the snapshot through ${through}, got none.`)
    }
  },
}
