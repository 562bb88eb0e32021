// The log value: what its limits keep, and that a reader gets all events or a reset. readFilter.

import { type Batch, type Reset, readFilter } from 'agentwire/streams'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { queueItems } from '../../../src/streams/collections/queue.ts'
import { cursorAfter } from '../../../src/streams/log/batch.ts'
import {
  appendEvent,
  closeLog,
  evictEvents,
  headOf,
  type LogState,
  openLog,
  readLog,
} from '../../../src/streams/log/log-state.ts'
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

describe('a log', () => {
  it('stays within its limits after every step and keeps the latest events without gaps', () => {
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
        let log: LogState = openLog({ stream: 's', epoch: 'e', limits })
        let now = 0
        let appended = 0
        for (const { append: isAppend, wait, text } of steps) {
          now += wait
          const before = log
          const stored = JSON.stringify(log)
          log = isAppend
            ? appendEvent(log, { ...delta(appended++), delta: text }, now)
            : evictEvents(log, now)
          expect(JSON.stringify(before)).toBe(stored)
          const kept = queueItems(log.entries, 0)
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

  it('evicts the oldest events beyond each limit', () => {
    expect(queueItems(logOf(10, { maxEvents: 4 }).entries, 0).map((entry) => entry.at)).toEqual([6, 7, 8, 9])
    expect(queueItems(logOf(10, { maxAgeMs: 2 }).entries, 0).map((entry) => entry.at)).toEqual([7, 8, 9])
    expect(queueItems(evictEvents(logOf(10), 3_600_004).entries, 0).map((entry) => entry.at)).toEqual([
      4, 5, 6, 7, 8, 9,
    ])
    const size = Buffer.byteLength(JSON.stringify(delta(0)))
    expect(queueItems(logOf(10, { maxBytes: 3 * size }).entries, 0).map((entry) => entry.at)).toEqual([
      7, 8, 9,
    ])
  })

  it('numbers an event above maxBytes and evicts it at once', () => {
    const log = appendEvent(logOf(3, { maxBytes: 1000 }), { ...delta(3), delta: 'é'.repeat(500) }, 3)
    expect(log).toMatchObject({ next: 4, bytes: 0 })
    expect(readLog(log, at(2))).toMatchObject({ type: 'reset', reason: 'evicted', through: 3, earliest: 4 })
    expect(batchOf(readLog(appendEvent(log, delta(4), 4), at(3))).events).toEqual([delta(4)])
  })

  it('returns the same value if nothing is evicted or closed', () => {
    const log = closeLog(logOf(3))
    expect(evictEvents(log, 3)).toBe(log)
    expect(closeLog(log)).toBe(log)
  })

  it('continues from its JSON', () => {
    const log = logOf(100)
    const stored: LogState = JSON.parse(JSON.stringify(log))
    expect(appendEvent(stored, delta(100), 100)).toEqual(appendEvent(log, delta(100), 100))
  })

  it('throws a TypeError for invalid options and arguments', () => {
    const limits = [{ maxEvents: 0 }, { maxBytes: 1.5 }, { maxAgeMs: Number.POSITIVE_INFINITY }]
    for (const bad of limits)
      expect(() => openLog({ stream: 's', epoch: 'e', limits: bad })).toThrow(TypeError)
    expect(() => openLog({ stream: '', epoch: 'e' })).toThrow(TypeError)
    expect(() => openLog({ stream: 's', epoch: '' })).toThrow(TypeError)
    expect(() => appendEvent(closeLog(logOf(1)), delta(1), 1)).toThrow(TypeError)
    expect(() => appendEvent(logOf(1), delta(1), Number.NaN)).toThrow(TypeError)
    expect(() => appendEvent(logOf(1), undefined as never, 1)).toThrow(TypeError)
    expect(() => evictEvents(logOf(1), Number.POSITIVE_INFINITY)).toThrow(TypeError)
  })
})

it('assigns sequence numbers up to 2^53−1 and then throws', () => {
  const last = Number.MAX_SAFE_INTEGER
  const full = appendEvent({ ...logOf(0), earliest: last, next: last }, delta(0), 0)
  expect(headOf(full)).toEqual(at(last))
  expect(readLog(full, at(last - 1))).toMatchObject({ after: last - 1, through: last, seqs: [last] })
  expect(() => appendEvent(full, delta(1), 0)).toThrow(TypeError)
})

/** A value that throws on any access. */
function unreadable(): never {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy as never
}

describe('readLog', () => {
  const log = logOf(10, { maxEvents: 6 })
  const cases: readonly [string, Parameters<typeof readLog>[1], object][] = [
    ['the beginning, evicted', undefined, { reason: 'evicted', through: 9, earliest: 4 }],
    ['an empty header', '', { reason: 'evicted' }],
    ['no header', null, { reason: 'evicted' }],
    ['just before the first kept event', at(3), { after: 3, through: 9, seqs: [4, 5, 6, 7, 8, 9] }],
    ['one event before that', at(2), { reason: 'evicted' }],
    ['an event id', 's:e:7', { after: 7, through: 9, seqs: [8, 9] }],
    ['the end', at(9), { after: 9, through: 9, seqs: [] }],
    ['beyond the end', at(10), { reason: 'ahead' }],
    ['another epoch', { ...at(7), epoch: 'f' }, { reason: 'epoch-changed', epoch: 'e' }],
    ['another stream', { ...at(7), stream: 't' }, { reason: 'unknown-stream', stream: 's' }],
    ['another filter', at(7, 'v'), { reason: 'filter-changed' }],
    ['not an event id', 'event-7', { reason: 'malformed' }],
    ['an invalid cursor', { ...at(7), seq: 0.5 }, { reason: 'malformed' }],
    ['not an object', 7 as never, { reason: 'malformed' }],
    ['an object that throws on access', unreadable(), { reason: 'malformed' }],
    ['a cursor from JSON', { ...at(7), filter: null } as never, { after: 7, through: 9 }],
  ]
  test.each(cases)('%s', (_, cursor, expected) => {
    expect(readLog(log, cursor)).toMatchObject(expected)
  })

  it('returns an empty batch for an empty log', () => {
    expect(readLog(logOf(0))).toEqual({
      type: 'batch',
      stream: 's',
      epoch: 'e',
      after: -1,
      through: -1,
      events: [],
      seqs: [],
    })
  })

  it('marks every batch that reaches the end of a closed log', () => {
    const closed = closeLog(log)
    expect(readLog(closed, at(8))).toMatchObject({ through: 9, seqs: [9], closed: true })
    expect(readLog(closed, at(9))).toMatchObject({ through: 9, seqs: [], closed: true })
    expect(readLog(closed, at(1))).toMatchObject({ reason: 'evicted' })
    expect(readLog(log, at(9))).not.toHaveProperty('closed')
  })

  it('covers hidden events in the range without revealing them', () => {
    let mixed: LogState = openLog({ stream: 's', epoch: 'e' })
    const kinds = [delta(0), thought(0, 'detailed'), delta(1), thought(1, 'brief'), thought(2, 'detailed')]
    for (const event of kinds) mixed = appendEvent(mixed, event, 0)
    expect(readLog(mixed, undefined, user)).toEqual({
      type: 'batch',
      stream: 's',
      epoch: 'e',
      filter: user.id,
      after: -1,
      through: 4,
      events: [delta(0), delta(1), thought(1, 'brief')],
      seqs: [0, 2, 3],
    })
    expect(readLog(mixed, at(1, user.id), user)).toMatchObject({ seqs: [2, 3] })
    expect(readLog(mixed, at(1), user)).toMatchObject({ reason: 'filter-changed', filter: user.id })
    expect(readLog(mixed, at(1, readFilter({ audience: 'operator' }).id), user)).toMatchObject({
      reason: 'filter-changed',
    })
  })

  it('returns contiguous batches, whatever is hidden', () => {
    const events = fc.array(fc.constantFrom('delta', 'brief', 'detailed'), { minLength: 1, maxLength: 120 })
    fc.assert(
      fc.property(events, fc.array(fc.nat(119)), fc.boolean(), (kinds, cuts, isFiltered) => {
        const filter = isFiltered ? user : undefined
        const all = kinds.map((kind, i) => (kind === 'delta' ? delta(i) : thought(i, kind as 'brief')))
        let log: LogState = openLog({ stream: 's', epoch: 'e' })
        let cursor = cursorAfter(readLog(log, undefined, filter))
        const got: unknown[] = []
        for (const [i, event] of all.entries()) {
          log = appendEvent(log, event, i)
          if (!cuts.includes(i)) continue
          const batch = batchOf(readLog(log, cursor, filter))
          expect(batch.after).toBe(cursor.seq)
          expect(batch.through).toBe(i)
          expect(batch.events).toEqual(batch.seqs.map((seq) => all[seq]))
          got.push(...batch.events)
          cursor = cursorAfter(batch)
        }
        got.push(...batchOf(readLog(log, cursor, filter)).events)
        expect(got).toEqual(batchOf(readLog(log, undefined, filter)).events)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('readFilter', () => {
  it('gives equal filters equal ids and others different ids', () => {
    const filters = [
      readFilter({ audience: 'user' }),
      readFilter({ audience: 'operator' }),
      readFilter({ audience: 'user' }, {}),
      readFilter({ audience: 'user' }, { kinds: ['content-delta'] }),
      readFilter({ audience: 'user' }, { kinds: ['content-complete'] }),
      readFilter({ audience: 'user', thoughts: { maxVerbosity: 'none' } }),
    ]
    expect(new Set(filters.map((filter) => filter.id)).size).toBe(filters.length)
    const thoughts = { maxVerbosity: 'brief', minConfidence: 0.5 } as const
    const again = { minConfidence: 0.5, maxVerbosity: 'brief' } as const
    expect(readFilter({ thoughts, audience: 'user' }).id).toBe(
      readFilter({ audience: 'user', thoughts: again }).id,
    )
  })

  it('hides what the viewer may not see, even if the filter asks for it', () => {
    const requested = { kinds: ['internal:checkpoint', 'content-delta'] } as const
    const checkpoint = { ...delta(0), kind: 'internal:checkpoint', iteration: 1 } as const
    expect(readFilter({ audience: 'user' }, requested).apply(checkpoint)).toBeUndefined()
    expect(readFilter({ audience: 'operator' }, requested).apply(checkpoint)).toBe(checkpoint)
    expect(readFilter({ audience: 'operator' }, requested).apply(thought(0))).toBeUndefined()
    expect(readFilter({ audience: 'operator' }).apply(checkpoint)).toBe(checkpoint)
    expect(readFilter({ audience: 'operator' }, {}).apply(checkpoint)).toBeUndefined()
  })
})
