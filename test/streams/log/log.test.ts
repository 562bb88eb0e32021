// Proves that a log keeps what its limits allow, shares instead of copying, and that a reader gets all or a reset.

import {
  append,
  type Batch,
  close,
  cursorAfter,
  evict,
  headOf,
  type Log,
  openLog,
  type Reset,
  read,
  readFilter,
} from 'agentwire/streams'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  emptyQueue,
  first,
  itemsFrom,
  push,
  type Queue,
  shift,
  sizeOf,
} from '../../../src/streams/collections/queue.ts'
import { runs } from '../../support/runs.ts'
import { delta, logOf, thought } from './support.ts'

const user = readFilter({ audience: 'user' })
const at = (seq: number, filter?: string) => ({
  stream: 's',
  epoch: 'e',
  seq,
  ...(filter !== undefined && { filter }),
})

function batchOf(part: Batch | Reset): Batch {
  if (part.type !== 'batch') throw new Error(`Not a batch: ${part.reason}.`)
  return part
}

describe('the queue', () => {
  it('does what an array does, at any length', () => {
    const action = fc.oneof(
      fc.record({ push: fc.integer({ min: 1, max: 3000 }) }),
      fc.record({ shift: fc.integer({ min: 1, max: 3000 }) }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 8 }), fc.nat(6000), (actions, from) => {
        let queue: Queue<number> = emptyQueue
        let model: number[] = []
        let next = 0
        for (const step of actions) {
          if ('push' in step) {
            for (let i = 0; i < step.push; i++) {
              queue = push(queue, next)
              model.push(next++)
            }
          } else {
            const count = Math.min(step.shift, model.length)
            for (let i = 0; i < count; i++) queue = shift(queue)
            model = model.slice(count)
          }
          expect(sizeOf(queue)).toBe(model.length)
          expect(first(queue)).toBe(model[0])
          expect(itemsFrom(queue, from)).toEqual(model.slice(from))
        }
        expect(itemsFrom(JSON.parse(JSON.stringify(queue)), 0)).toEqual(model)
        expect(shift(emptyQueue)).toEqual(emptyQueue)
      }),
      { numRuns: Math.min(runs(60), 1000) },
    )
  })

  it('shares all but a block of each level with the queue before', () => {
    let queue: Queue<number> = emptyQueue
    for (let i = 0; i < 40_000; i++) queue = push(queue, i)
    const before = arraysIn(queue)
    const after = [...arraysIn(push(queue, 1))].filter((array) => !before.has(array))
    expect(after.length).toBeLessThanOrEqual(8)
    const rest = [...arraysIn(shift(queue))].filter((array) => !before.has(array))
    expect(rest.length).toBeLessThanOrEqual(8)
  })
})

/** All arrays a value is made of. */
function arraysIn(value: unknown, found: Set<unknown> = new Set()): Set<unknown> {
  if (typeof value !== 'object' || value === null) return found
  if (Array.isArray(value)) found.add(value)
  for (const inner of Object.values(value)) arraysIn(inner, found)
  return found
}

describe('a log', () => {
  it('obeys its limits after every step, and keeps the latest without holes', () => {
    const limits = fc.record({
      maxEvents: fc.integer({ min: 1, max: 80 }),
      maxBytes: fc.integer({ min: 1, max: 4000 }),
      maxAgeMs: fc.integer({ min: 1, max: 60 }),
    })
    const unit = fc.constantFrom(
      '"',
      'a',
      '\u007f',
      '\u0080',
      'é',
      '\u07ff',
      '\u0800',
      '語',
      '\ud800',
      '\udc00',
      '🙂',
    )
    const text = fc.string({ unit, maxLength: 30 })
    const step = fc.record({ append: fc.boolean(), wait: fc.nat(4), text })
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 200 }), (limits, steps) => {
        let log: Log = openLog({ stream: 's', epoch: 'e', limits })
        let now = 0
        let appended = 0
        for (const { append: isAppend, wait, text } of steps) {
          now += wait
          const before = log
          const stored = JSON.stringify(log)
          log = isAppend ? append(log, { ...delta(appended++), delta: text }, now) : evict(log, now)
          expect(JSON.stringify(before)).toBe(stored)
          const kept = itemsFrom(log.entries, 0)
          expect(kept.length).toBeLessThanOrEqual(limits.maxEvents)
          expect(log.bytes).toBeLessThanOrEqual(limits.maxBytes)
          expect(log.bytes).toBe(
            kept.reduce((sum, { event }) => sum + Buffer.byteLength(JSON.stringify(event)), 0),
          )
          for (const entry of kept) expect(now - entry.at).toBeLessThanOrEqual(limits.maxAgeMs)
          expect(kept.map(({ event }) => 'index' in event && event.index)).toEqual(
            Array.from({ length: kept.length }, (_, i) => appended - kept.length + i),
          )
          expect(headOf(log)).toEqual(at(appended - 1))
        }
      }),
      { numRuns: Math.min(runs(150), 2000) },
    )
  })

  it('keeps no more than it must', () => {
    expect(itemsFrom(logOf(10, { maxEvents: 4 }).entries, 0).map((entry) => entry.at)).toEqual([6, 7, 8, 9])
    expect(itemsFrom(logOf(10, { maxAgeMs: 2 }).entries, 0).map((entry) => entry.at)).toEqual([7, 8, 9])
    expect(itemsFrom(evict(logOf(10), 3_600_004).entries, 0).map((entry) => entry.at)).toEqual([
      4, 5, 6, 7, 8, 9,
    ])
    const size = Buffer.byteLength(JSON.stringify(delta(0)))
    expect(itemsFrom(logOf(10, { maxBytes: 3 * size }).entries, 0).map((entry) => entry.at)).toEqual([
      7, 8, 9,
    ])
  })

  it('counts an event that is too large, and lets go of it at once', () => {
    const log = append(logOf(3, { maxBytes: 1000 }), { ...delta(3), delta: 'é'.repeat(500) }, 3)
    expect(log).toMatchObject({ next: 4, bytes: 0 })
    expect(read(log, at(2))).toMatchObject({ type: 'reset', reason: 'evicted', through: 3, earliest: 4 })
    expect(batchOf(read(append(log, delta(4), 4), at(3))).events).toEqual([delta(4)])
  })

  it('stays the same value when nothing is to be evicted or closed', () => {
    const log = close(logOf(3))
    expect(evict(log, 3)).toBe(log)
    expect(close(log)).toBe(log)
  })

  it('goes on from its JSON', () => {
    const log = logOf(100)
    const stored: Log = JSON.parse(JSON.stringify(log))
    expect(append(stored, delta(100), 100)).toEqual(append(log, delta(100), 100))
  })

  it('refuses what only a mistake in the calling code can ask for', () => {
    const limits = [{ maxEvents: 0 }, { maxBytes: 1.5 }, { maxAgeMs: Number.POSITIVE_INFINITY }]
    for (const bad of limits)
      expect(() => openLog({ stream: 's', epoch: 'e', limits: bad })).toThrow(TypeError)
    expect(() => openLog({ stream: '', epoch: 'e' })).toThrow(TypeError)
    expect(() => openLog({ stream: 's', epoch: '' })).toThrow(TypeError)
    expect(() => append(close(logOf(1)), delta(1), 1)).toThrow(TypeError)
    expect(() => append(logOf(1), delta(1), Number.NaN)).toThrow(TypeError)
    expect(() => append(logOf(1), undefined as never, 1)).toThrow(TypeError)
    expect(() => evict(logOf(1), Number.POSITIVE_INFINITY)).toThrow(TypeError)
  })
})

it('counts as far as numbers go, and no further', () => {
  const last = Number.MAX_SAFE_INTEGER
  const full = append({ ...logOf(0), earliest: last, next: last }, delta(0), 0)
  expect(headOf(full)).toEqual(at(last))
  expect(read(full, at(last - 1))).toMatchObject({ after: last - 1, through: last, seqs: [last] })
  expect(() => append(full, delta(1), 0)).toThrow(TypeError)
})

/** A value that throws when it is looked at. */
function unreadable(): never {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy as never
}

describe('read', () => {
  const log = logOf(10, { maxEvents: 6 })
  const cases: readonly [string, Parameters<typeof read>[1], object][] = [
    ['from the beginning, which is gone', undefined, { reason: 'evicted', through: 9, earliest: 4 }],
    ['an empty header', '', { reason: 'evicted' }],
    ['no header', null, { reason: 'evicted' }],
    ['just before what is kept', at(3), { after: 3, through: 9, seqs: [4, 5, 6, 7, 8, 9] }],
    ['one event too far back', at(2), { reason: 'evicted' }],
    ['from an id', 's:e:7', { after: 7, through: 9, seqs: [8, 9] }],
    ['from the end', at(9), { after: 9, through: 9, seqs: [] }],
    ['from beyond the end', at(10), { reason: 'ahead' }],
    ['from another epoch', { ...at(7), epoch: 'f' }, { reason: 'epoch-changed', epoch: 'e' }],
    ['from another stream', { ...at(7), stream: 't' }, { reason: 'unknown-stream', stream: 's' }],
    ['from under a view', at(7, 'v'), { reason: 'filter-changed' }],
    ['from something else', 'event-7', { reason: 'malformed' }],
    ['from a cursor that is none', { ...at(7), seq: 0.5 }, { reason: 'malformed' }],
    ['from no object', 7 as never, { reason: 'malformed' }],
    ['from what cannot be looked at', unreadable(), { reason: 'malformed' }],
    ['from a cursor of JSON', { ...at(7), filter: null } as never, { after: 7, through: 9 }],
  ]
  test.each(cases)('%s', (_, cursor, expected) => {
    expect(read(log, cursor)).toMatchObject(expected)
  })

  it('of an empty log tells where it stands', () => {
    expect(read(logOf(0))).toEqual({
      type: 'batch',
      stream: 's',
      epoch: 'e',
      after: -1,
      through: -1,
      events: [],
      seqs: [],
    })
  })

  it('says that the stream is closed, to whoever asks and with what it misses', () => {
    const closed = close(log)
    expect(read(closed, at(8))).toMatchObject({ through: 9, seqs: [9], closed: true })
    expect(read(closed, at(9))).toMatchObject({ through: 9, seqs: [], closed: true })
    expect(read(closed, at(1))).toMatchObject({ reason: 'evicted' })
    expect(read(log, at(9))).not.toHaveProperty('closed')
  })

  it('covers hidden events without telling of them', () => {
    let mixed: Log = openLog({ stream: 's', epoch: 'e' })
    const kinds = [delta(0), thought(0, 'detailed'), delta(1), thought(1, 'brief'), thought(2, 'detailed')]
    for (const event of kinds) mixed = append(mixed, event, 0)
    expect(read(mixed, undefined, user)).toEqual({
      type: 'batch',
      stream: 's',
      epoch: 'e',
      filter: user.id,
      after: -1,
      through: 4,
      events: [delta(0), delta(1), thought(1, 'brief')],
      seqs: [0, 2, 3],
    })
    expect(read(mixed, at(1, user.id), user)).toMatchObject({ seqs: [2, 3] })
    expect(read(mixed, at(1), user)).toMatchObject({ reason: 'filter-changed', filter: user.id })
    expect(read(mixed, at(1, readFilter({ audience: 'operator' }).id), user)).toMatchObject({
      reason: 'filter-changed',
    })
  })

  it('lays batches end to end, whatever is hidden and wherever they are cut', () => {
    const events = fc.array(fc.constantFrom('delta', 'brief', 'detailed'), { minLength: 1, maxLength: 120 })
    fc.assert(
      fc.property(events, fc.array(fc.nat(119)), fc.boolean(), (kinds, cuts, isViewed) => {
        const filter = isViewed ? user : undefined
        const all = kinds.map((kind, i) => (kind === 'delta' ? delta(i) : thought(i, kind as 'brief')))
        let log: Log = openLog({ stream: 's', epoch: 'e' })
        let cursor = cursorAfter(read(log, undefined, filter))
        const got: unknown[] = []
        for (const [i, event] of all.entries()) {
          log = append(log, event, i)
          if (!cuts.includes(i)) continue
          const batch = batchOf(read(log, cursor, filter))
          expect(batch.after).toBe(cursor.seq)
          expect(batch.through).toBe(i)
          expect(batch.events).toEqual(batch.seqs.map((seq) => all[seq]))
          got.push(...batch.events)
          cursor = cursorAfter(batch)
        }
        got.push(...batchOf(read(log, cursor, filter)).events)
        expect(got).toEqual(batchOf(read(log, undefined, filter)).events)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('viewFor', () => {
  it('names equal views alike and others differently', () => {
    const views = [
      readFilter({ audience: 'user' }),
      readFilter({ audience: 'operator' }),
      readFilter({ audience: 'user' }, {}),
      readFilter({ audience: 'user' }, { kinds: ['content-delta'] }),
      readFilter({ audience: 'user' }, { kinds: ['content-complete'] }),
      readFilter({ audience: 'user', thoughts: { maxVerbosity: 'none' } }),
    ]
    expect(new Set(views.map((filter) => filter.id)).size).toBe(views.length)
    const thoughts = { maxVerbosity: 'brief', minConfidence: 0.5 } as const
    const again = { minConfidence: 0.5, maxVerbosity: 'brief' } as const
    expect(readFilter({ thoughts, audience: 'user' }).id).toBe(
      readFilter({ audience: 'user', thoughts: again }).id,
    )
  })

  it('shows a filter only what the viewer may see', () => {
    const asks = { kinds: ['internal:checkpoint', 'content-delta'] }
    const checkpoint = { ...delta(0), kind: 'internal:checkpoint', iteration: 1 } as const
    expect(readFilter({ audience: 'user' }, asks).see(checkpoint)).toBeUndefined()
    expect(readFilter({ audience: 'operator' }, asks).see(checkpoint)).toBe(checkpoint)
    expect(readFilter({ audience: 'operator' }, asks).see(thought(0))).toBeUndefined()
    expect(readFilter({ audience: 'operator' }).see(checkpoint)).toBe(checkpoint)
    expect(readFilter({ audience: 'operator' }, {}).see(checkpoint)).toBeUndefined()
  })
})
