// The log value: what its limits keep, and that a reader gets all events or a reset. readFilter.

import fc from 'fast-check'
import { type Batch, type Reset, readFilter } from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import type { ContextAnyEvent } from '../../../../src/events/event.ts'
import { cursorAfter } from '../../../../src/streams/log/batch.ts'
import type { Cursor } from '../../../../src/streams/log/cursor.ts'
import { LogBuffer } from '../../../../src/streams/log/memory/log-buffer.ts'
import type { LogState } from '../../../../src/streams/log/memory/log-state.ts'
import { runs } from '../../../support/runs.ts'
import { closedLogOf, delta, logOf, openLog, thought } from '../support.ts'

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
        let log = openLog(limits)
        let now = 0
        let appended = 0
        for (const { append: isAppend, wait, text } of steps) {
          now += wait
          if (isAppend) log.append({ ...delta(appended++), delta: text }, now)
          else log.evict(now)
          const { state } = log
          if (wait === 0) log = new LogBuffer(JSON.parse(JSON.stringify(state)))
          const kept = state.entries
          const sizes = kept.map(({ event }) => Buffer.byteLength(JSON.stringify(event)))
          expect(kept.map(({ bytes }) => bytes)).toEqual(sizes)
          expect(kept.length).toBeLessThanOrEqual(limits.maxEvents)
          expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limits.maxBytes)
          for (const entry of kept) expect(now - entry.at).toBeLessThanOrEqual(limits.maxAgeMs)
          expect(kept.map(({ event }) => 'index' in event && event.index)).toEqual(
            Array.from({ length: kept.length }, (_, i) => appended - kept.length + i),
          )
          expect(state.earliest).toBe(appended - kept.length)
          expect(log.head).toEqual(at(appended - 1))
        }
      }),
      { numRuns: Math.min(runs(150), 2000) },
    )
  })

  it('evicts the oldest events beyond each limit', () => {
    const times = (log: LogBuffer): number[] => log.state.entries.map((entry) => entry.at)
    expect(times(logOf(10, { maxEvents: 4 }))).toEqual([6, 7, 8, 9])
    expect(times(logOf(10, { maxAgeMs: 2 }))).toEqual([7, 8, 9])
    const aged = logOf(10)
    aged.evict(3_600_004)
    expect(times(aged)).toEqual([4, 5, 6, 7, 8, 9])
    const size = Buffer.byteLength(JSON.stringify(delta(0)))
    expect(times(logOf(10, { maxBytes: 3 * size }))).toEqual([7, 8, 9])
  })

  it('numbers an event above maxBytes and evicts it at once', () => {
    const log = logOf(3, { maxBytes: 1000 })
    log.append({ ...delta(3), delta: 'é'.repeat(500) }, 3)
    expect(log.state).toMatchObject({ next: 4, entries: [] })
    expect(log.read(at(2))).toMatchObject({ type: 'reset', reason: 'evicted', through: 3, earliest: 4 })
    log.append(delta(4), 4)
    expect(batchOf(log.read(at(3))).events).toEqual([delta(4)])
  })

  it('reports each event before it is evicted, once and in order', () => {
    const log = openLog({ maxEvents: 3 })
    const evicted: unknown[] = []
    log.onEvict = ({ event }) => evicted.push([log.earliest, event])
    for (let i = 0; i < 200; i++) log.append(delta(i), i)
    expect(evicted).toEqual(Array.from({ length: 197 }, (_, i) => [i, delta(i)]))
  })

  it('continues from its JSON', () => {
    const log = logOf(100, { maxEvents: 60 })
    const stored = new LogBuffer(JSON.parse(JSON.stringify(log.state)) as LogState)
    for (const each of [log, stored]) each.append(delta(100), 100)
    expect(stored.state).toEqual(log.state)
  })

  it('throws a TypeError for invalid options and arguments', () => {
    const limits = [{ maxEvents: 0 }, { maxBytes: 1.5 }, { maxAgeMs: Number.POSITIVE_INFINITY }]
    for (const bad of limits) expect(() => openLog(bad)).toThrow(TypeError)
    expect(() => closedLogOf(1).append(delta(1), 1)).toThrow(TypeError)
    expect(() => logOf(1).append(delta(1), Number.NaN)).toThrow(TypeError)
    expect(() => logOf(1).append(undefined as never, 1)).toThrow(TypeError)
    expect(() => logOf(1).evict(Number.POSITIVE_INFINITY)).toThrow(TypeError)
  })
})

it('assigns sequence numbers up to 2^53−1 and then throws', () => {
  const last = Number.MAX_SAFE_INTEGER
  const full = new LogBuffer({ ...logOf(0).state, earliest: last, next: last })
  full.append(delta(0), 0)
  expect(full.head).toEqual(at(last))
  expect(full.read(at(last - 1))).toMatchObject({ after: last - 1, through: last, seqs: [last] })
  expect(() => full.append(delta(1), 0)).toThrow(TypeError)
})

/** A value that throws on any access. */
function unreadable(): never {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy as never
}

describe('reading a log', () => {
  const log = logOf(10, { maxEvents: 6 })
  const cases: readonly [string, Parameters<LogBuffer['read']>[0], object][] = [
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
    expect(log.read(cursor)).toMatchObject(expected)
  })

  it('returns an empty batch for an empty log', () => {
    expect(logOf(0).read()).toEqual({
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
    const closed = closedLogOf(10, { maxEvents: 6 })
    expect(closed.read(at(8))).toMatchObject({ through: 9, seqs: [9], closed: true })
    expect(closed.read(at(9))).toMatchObject({ through: 9, seqs: [], closed: true })
    expect(closed.read(at(1))).toMatchObject({ reason: 'evicted' })
    expect(log.read(at(9))).not.toHaveProperty('closed')
  })

  it('covers hidden events in the range without revealing them', () => {
    const mixed = openLog()
    const kinds = [delta(0), thought(0, 'detailed'), delta(1), thought(1, 'brief'), thought(2, 'detailed')]
    for (const event of kinds) mixed.append(event, 0)
    expect(mixed.read(undefined, user)).toEqual({
      type: 'batch',
      stream: 's',
      epoch: 'e',
      filter: user.id,
      after: -1,
      through: 4,
      events: [delta(0), delta(1), thought(1, 'brief')],
      seqs: [0, 2, 3],
    })
    expect(mixed.read(at(1, user.id), user)).toMatchObject({ seqs: [2, 3] })
    expect(mixed.read(at(1), user)).toMatchObject({ reason: 'filter-changed', filter: user.id })
    expect(mixed.read(at(1, readFilter({ audience: 'operator' }).id), user)).toMatchObject({
      reason: 'filter-changed',
    })
  })

  it('returns pages of at most maxBytes, which together are the whole', () => {
    const events = fc.array(fc.tuple(fc.boolean(), fc.nat(200)), { maxLength: 60 })
    fc.assert(
      fc.property(events, fc.integer({ min: 1, max: 3000 }), fc.boolean(), (events, maxBytes, isFiltered) => {
        const filter = isFiltered ? user : undefined
        const log = openLog()
        for (const [i, [isHidden, length]] of events.entries()) {
          log.append(isHidden ? thought(i, 'detailed') : { ...delta(i), delta: 'x'.repeat(length) }, i)
        }
        const got: unknown[] = []
        const sizes: number[] = []
        let page = batchOf(log.read(undefined, filter, maxBytes))
        for (let reads = 0; page.through > page.after; reads++) {
          expect(reads).toBeLessThan(events.length)
          const size = page.events.reduce((sum, event) => sum + JSON.stringify(event).length, 0)
          if (page.events.length > 1) expect(size).toBeLessThanOrEqual(maxBytes)
          got.push(...page.events)
          sizes.push(page.events.length)
          page = batchOf(log.read(cursorAfter(page), filter, maxBytes))
        }
        expect(got).toEqual(batchOf(log.read(undefined, filter, 1e9)).events)
        // What is hidden does not move the ends of pages.
        const shown = openLog()
        for (const [i, event] of (got as ContextAnyEvent[]).entries()) shown.append(event, i)
        for (let at: Cursor | undefined; sizes.length > 0; ) {
          const same = batchOf(shown.read(at, filter, maxBytes))
          expect(same.events.length).toBe(sizes.shift())
          at = cursorAfter(same)
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('returns contiguous batches, whatever is hidden', () => {
    const events = fc.array(fc.constantFrom('delta', 'brief', 'detailed'), { minLength: 1, maxLength: 120 })
    fc.assert(
      fc.property(events, fc.array(fc.nat(119)), fc.boolean(), (kinds, cuts, isFiltered) => {
        const filter = isFiltered ? user : undefined
        const all = kinds.map((kind, i) => (kind === 'delta' ? delta(i) : thought(i, kind as 'brief')))
        const log = openLog()
        let cursor = cursorAfter(log.read(undefined, filter))
        const got: unknown[] = []
        for (const [i, event] of all.entries()) {
          log.append(event, i)
          if (!cuts.includes(i)) continue
          const batch = batchOf(log.read(cursor, filter))
          expect(batch.after).toBe(cursor.seq)
          expect(batch.through).toBe(i)
          expect(batch.events).toEqual(batch.seqs.map((seq) => all[seq]))
          got.push(...batch.events)
          cursor = cursorAfter(batch)
        }
        got.push(...batchOf(log.read(cursor, filter)).events)
        expect(got).toEqual(batchOf(log.read(undefined, filter)).events)
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
    expect(readFilter({ audience: 'operator' }, {}).apply(checkpoint)).toBe(checkpoint)
    expect(readFilter({ audience: 'operator' }, { internal: false }).apply(checkpoint)).toBeUndefined()
    expect(readFilter().id).toBe(readFilter({ audience: 'user' }).id)
  })
})

it('a log stamps the parent of a subtask that an earlier event stated, also after it was stored', () => {
  const log = openLog()
  const child = delta(0, 'child')
  log.append(child, 0)
  log.append({ ...delta(0), kind: 'subtask-created', subtaskId: 'child', prompt: 'Go' } as never, 0)
  const stored = new LogBuffer(JSON.parse(JSON.stringify(log.state)) as LogState)
  for (const each of [log, stored]) {
    each.append(child, 0)
    expect(batchOf(each.read(at(1))).events).toEqual([{ ...child, parentTaskId: 'task-1' }])
  }
})

it('a log stamps the parent that the first event of a subtask stated', () => {
  const log = openLog()
  const child = delta(0, 'child')
  for (const event of [{ ...child, parentTaskId: 'task-1' }, child]) log.append(event, 0)
  const stamped = { ...child, parentTaskId: 'task-1' }
  expect(batchOf(log.read()).events).toEqual([stamped, stamped])
})

it('adds the parent that the first event of the log states', () => {
  const log = openLog()
  const timestamp = '2026-01-01T00:00:00Z'
  const created = {
    kind: 'subtask-created',
    contextId: 'c',
    taskId: 'parent',
    subtaskId: 'child',
    prompt: 'p',
    timestamp,
  }
  const status = {
    kind: 'task-status',
    contextId: 'c',
    taskId: 'child',
    status: 'working',
    timestamp,
  } as const
  log.append(created as ContextAnyEvent, 0)
  log.append(status, 1)
  const { events } = batchOf(log.read(at(-1)))
  expect(events).toEqual([created, { ...status, parentTaskId: 'parent' }])
})
