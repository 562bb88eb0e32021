// createMemoryLog and follow.

import { getEventListeners } from 'node:events'
import {
  type Batch,
  createMemoryLog,
  createStream,
  type EventLog,
  encodeBatch,
  follow,
  type MemoryEventLog,
  makeBatch,
  type Reset,
  readFilter,
} from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { LogBuffer } from '../../../src/streams/log/memory/log-buffer.ts'
import type { LogState } from '../../../src/streams/log/memory/log-state.ts'
import { expectToRefuse } from '../../support/event-log-law.ts'
import { runs } from '../../support/runs.ts'
import { closedLogOf, delta, logOf, thought } from './support.ts'

/** A copy of the buffer behind the log. */
const bufferOf = (log: MemoryEventLog): LogBuffer => new LogBuffer(log.state as LogState)
const at = (seq: number) => ({ stream: 's', epoch: 'e', seq })
const open = (limits = {}) => createMemoryLog({ stream: 's', epoch: 'e', limits, now: () => 0 })

describe('createMemoryLog', () => {
  it('returns the same parts as its buffer', async () => {
    const log = open()
    expect(await log.append(delta(0))).toEqual(at(0))
    expect(await log.append(thought(1, 'detailed'))).toEqual(at(1))
    const filter = readFilter({ audience: 'user' })
    expect(await log.read(null, { filter })).toEqual(bufferOf(log).read(null, filter))
    expect(await log.read(at(0))).toEqual(bufferOf(log).read(at(0)))
    expect(await log.read('nonsense', { wait: true })).toMatchObject({ reason: 'malformed' })
    await log.close()
    await log.close()
    expect(await log.read(at(1), { wait: true })).toMatchObject({ events: [], closed: true })
    await expect(log.append(delta(2))).rejects.toThrow(TypeError)
  })

  it('continues a stored log, by the clock it is given', async () => {
    let time = 0
    const log = createMemoryLog({
      state: JSON.parse(JSON.stringify(logOf(3, { maxAgeMs: 5 }).state)),
      now: () => time,
    })
    expect(await log.append(delta(3))).toEqual(at(3))
    time = 6
    await log.append(delta(4))
    expect(await log.read()).toMatchObject({ reason: 'evicted', earliest: 1 })
    time = 8
    expect(await log.read(at(0))).toMatchObject({ reason: 'evicted', earliest: 4 })
    expect(log.state).toMatchObject({ stream: 's', epoch: 'e', earliest: 4, next: 5, closed: false })
  })

  it('does not wait without the option "wait"', async () => {
    expect(await open().read()).toMatchObject({ after: -1, through: -1, events: [] })
  })

  it('wakes all waiting readers on an event and on close', async () => {
    const log = open()
    const waiting = [log.read(undefined, { wait: true }), log.read(at(-1), { wait: true })]
    await log.append(delta(0))
    expect(await Promise.all(waiting)).toMatchObject([{ events: [delta(0)] }, { events: [delta(0)] }])
    const last = log.read(at(0), { wait: true })
    await log.close()
    expect(await last).toMatchObject({ events: [], closed: true })
  })

  it('wakes a reader for hidden events, so that its cursor advances', async () => {
    const log = open()
    const part = log.read(undefined, { wait: true, filter: readFilter({ audience: 'user' }) })
    await log.append(thought(0, 'detailed'))
    expect(await part).toMatchObject({ through: 0, events: [] })
  })

  it('stops waiting when the signal is aborted', async () => {
    const log = open()
    const { signal, abort } = abortable()
    const part = log.read(undefined, { wait: true, signal })
    abort()
    expect(await part).toMatchObject({ after: -1, through: -1 })
    expect(await log.read(undefined, { wait: true, signal })).toMatchObject({ through: -1 })
  })

  it('removes its abort listener after a read, and the waiter after an abort', async () => {
    const log = open()
    const { signal, abort } = abortable()
    const read = log.read(undefined, { wait: true, signal })
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await log.append(delta(0))
    await read
    expect(getEventListeners(signal, 'abort')).toEqual([])

    const aborted = log.read(at(0), { wait: true, signal })
    abort()
    await aborted
    let woken = 0
    signal.removeEventListener = () => woken++
    await log.append(delta(1))
    expect(woken).toBe(0)
  })
})

describe('follow', () => {
  it('yields a part at once, then new events, and ends with the stream', async () => {
    const log = open()
    const parts: (Batch | Reset)[] = []
    const reading = (async () => {
      for await (const part of follow(log)) parts.push(part)
    })()
    for (let i = 0; i < 5; i++) await log.append(delta(i))
    await log.close()
    await reading
    expect(parts[0]).toMatchObject({ after: -1, through: -1 })
    let through = -1
    for (const part of parts.slice(1) as Batch[]) {
      expect(part.after).toBe(through)
      through = part.through
    }
    expect(parts.flatMap((part) => (part.type === 'batch' ? part.events : []))).toEqual(
      [0, 1, 2, 3, 4].map((i) => delta(i)),
    )
    expect(parts.at(-1)).toMatchObject({ through: 4, closed: true })
  })

  /** A log with a snapshot of its own. */
  const withSnapshot = (log: EventLog, snapshot: EventLog['snapshot'] & {}): EventLog => ({
    ...log,
    snapshot,
  })

  it('adds the visible events of the snapshot to a reset and continues after them', async () => {
    const log = createMemoryLog({ state: closedLogOf(5).state, now: () => 9 })
    const events = [delta(0), thought(1, 'detailed')]
    const filter = readFilter({ audience: 'user' })
    const kept = withSnapshot(log, async () => ({ epoch: 'e', through: 2, events }))
    const parts: (Batch | Reset)[] = []
    for await (const part of follow(kept, { ...at(2), epoch: 'old' }, { filter })) parts.push(part)
    expect(parts).toMatchObject([
      { type: 'reset', reason: 'epoch-changed', through: 2, events: [delta(0)] },
      { type: 'batch', after: 2, through: 4, closed: true },
    ])
  })

  it.each([
    ['too old', { epoch: 'e', through: 2, events: [delta(0)] }],
    ['of another epoch', { epoch: 'f', through: 8, events: [delta(0)] }],
    ['missing', undefined],
  ])('yields a reset without events if the snapshot is %s', async (_, snapshot) => {
    const log = createMemoryLog({ state: closedLogOf(9, { maxEvents: 3 }).state, now: () => 9 })
    const parts: (Batch | Reset)[] = []
    for await (const part of follow(withSnapshot(log, async () => snapshot))) parts.push(part)
    expect(parts).toMatchObject([
      { type: 'reset', reason: 'evicted', through: 8 },
      { type: 'batch', after: 8, through: 8, closed: true },
    ])
    expect(parts[0]).not.toHaveProperty('events')
  })

  it('throws if the log answers each reset with another one', async () => {
    const reset = {
      type: 'reset',
      reason: 'evicted',
      stream: 's',
      epoch: 'e',
      through: 2,
      earliest: 3,
    } as const
    const reading = follow({ ...open(), read: async () => reset })
    expect((await reading.next()).value).toEqual(reset)
    await expect(reading.next()).rejects.toThrow(TypeError)
  })

  it('yields another reset if events are evicted while the snapshot is made', async () => {
    const log = createMemoryLog({ state: logOf(9, { maxEvents: 3 }).state, now: () => 9 })
    const parts: (Batch | Reset)[] = []
    let made = 0
    const kept = withSnapshot(log, async () => {
      const through = 8 + made
      for (let i = 0; made < 8 && i < 4; i++) await log.append(delta(9 + made++))
      if (made === 8) await log.close()
      return { epoch: 'e', through, events: [] }
    })
    for await (const part of follow(kept)) parts.push(part)
    expect(parts).toMatchObject([
      { type: 'reset', through: 8 },
      { type: 'reset', through: 12 },
      { type: 'reset', through: 16 },
      { type: 'batch', after: 16, through: 16, closed: true },
    ])
  })

  it('applies the filter to replayed and live events', async () => {
    const log = open()
    const filter = readFilter({ audience: 'user' })
    await log.append(thought(0, 'detailed'))
    const reading = follow(log, undefined, { filter })
    expect((await reading.next()).value).toMatchObject({ through: 0, events: [] })
    const live = reading.next()
    await log.append(thought(1, 'detailed'))
    await log.append(delta(2))
    expect((await live).value).toMatchObject({ through: 2, events: [delta(2)], filter: filter.id })
  })

  it('ends when the signal is aborted', async () => {
    const log = open()
    const { signal, abort } = abortable()
    const reading = follow(log, '', { signal })
    await reading.next()
    const next = reading.next()
    abort()
    expect(await next).toEqual({ value: undefined, done: true })
    expect(await follow(log, '', { signal }).next()).toMatchObject({ done: true })
  })

  it('resumes after the last event id of a broken connection', async () => {
    const log = createMemoryLog({ state: closedLogOf(3).state, now: () => 0 })
    const ids: string[] = []
    for await (const part of follow(log, 's:e:0')) {
      ids.push(
        ...encodeBatch(part, { viewer: 'all' })
          .split('\n')
          .filter((line) => line.startsWith('id: ')),
      )
    }
    expect(ids).toEqual(['id: s:e:1', 'id: s:e:2', 'id: s:e:2'])
  })
})

describe('append', () => {
  it('rejects without a kind', async () => {
    for (const bad of [undefined, null, 'text', [], {}]) {
      await expect(open().append(bad as never)).rejects.toThrow(/^"event/)
    }
  })
  it('of createMemoryLog refuses what is not an event', () =>
    expectToRefuse(async (stream) => createMemoryLog({ stream, epoch: 'e', now: () => 0 }), runs(100)))
  it('of createStream refuses what is not an event', () =>
    expectToRefuse(async (stream) => createStream({ stream, epoch: 'e', now: () => 0 }).log, runs(100)))
})

it('marks only the batch with the last event as closed', () => {
  const log = { stream: 's', epoch: 'e', earliest: 0, next: 4, closed: true }
  expect(makeBatch(log, 0, [delta(1), delta(2)])).toMatchObject({ through: 2, seqs: [1, 2] })
  expect(makeBatch(log, 0, [delta(1), delta(2)])).not.toHaveProperty('closed')
  expect(makeBatch(log, 2, [delta(3)])).toMatchObject({ through: 3, closed: true })
})

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
