// createMemoryLog, hand-written EventLogs built from resolveCursor and makeBatch, and follow.

import { getEventListeners, once } from 'node:events'
import {
  type Batch,
  createMemoryLog,
  type EventLog,
  encodeBatch,
  follow,
  type LogExtent,
  type MemoryEventLog,
  makeBatch,
  type Reset,
  readFilter,
  resolveCursor,
} from 'agentwire/streams'
import { describe, expect, it } from 'vitest'
import { closeLog, type LogState, readLog } from '../../../src/streams/log/log-state.ts'
import {
  expectOneOrder,
  expectSameAsMemoryLog,
  expectToWake,
  type Opener,
} from '../../support/event-log-law.ts'
import { runs } from '../../support/runs.ts'
import { delta, logOf, thought } from './support.ts'

/** The log value behind the opaque state. */
const stateOf = (log: MemoryEventLog): LogState => log.state as LogState
const at = (seq: number) => ({ stream: 's', epoch: 'e', seq })
const open = (limits = {}) => createMemoryLog({ stream: 's', epoch: 'e', limits, now: () => 0 })

describe('createMemoryLog', () => {
  it('returns the same parts as readLog', async () => {
    const log = open()
    expect(await log.append(delta(0))).toEqual(at(0))
    expect(await log.append(thought(1, 'detailed'))).toEqual(at(1))
    const filter = readFilter({ audience: 'user' })
    expect(await log.read(null, { filter })).toEqual(readLog(stateOf(log), null, filter))
    expect(await log.read(at(0))).toEqual(readLog(stateOf(log), at(0)))
    expect(await log.read('nonsense', { wait: true })).toMatchObject({ reason: 'malformed' })
    await log.close()
    await log.close()
    expect(await log.read(at(1), { wait: true })).toMatchObject({ events: [], closed: true })
    await expect(log.append(delta(2))).rejects.toThrow(TypeError)
  })

  it('continues a stored log, by the clock it is given', async () => {
    let time = 0
    const log = createMemoryLog({
      state: JSON.parse(JSON.stringify(logOf(3, { maxAgeMs: 5 }))),
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

  it('yields the reset returned by onReset and continues after it', async () => {
    const log = createMemoryLog({ state: closeLog(logOf(5)), now: () => 9 })
    const parts: (Batch | Reset)[] = []
    const onReset = (reset: Reset) => ({ ...reset, through: 2, snapshot: 'of 0 to 2' })
    for await (const part of follow(log, { ...at(2), epoch: 'old' }, { onReset })) parts.push(part)
    expect(parts).toMatchObject([
      { type: 'reset', reason: 'epoch-changed', through: 2, snapshot: 'of 0 to 2' },
      { type: 'batch', after: 2, through: 4, closed: true },
    ])
  })

  it('throws if the snapshots of onReset are too old to continue from', async () => {
    const log = createMemoryLog({ state: logOf(9, { maxEvents: 3 }), now: () => 9 })
    const parts: (Batch | Reset)[] = []
    const onReset = (reset: Reset) => ({ ...reset, through: 2, snapshot: 'of 0 to 2' })
    const reading = (async () => {
      for await (const part of follow(log, undefined, { onReset })) parts.push(part)
    })()
    await expect(reading).rejects.toThrow(TypeError)
    expect(parts).toMatchObject([{ type: 'reset', through: 2 }])
  })

  it('yields another reset if events are evicted while the snapshot is made', async () => {
    const log = createMemoryLog({ state: logOf(9, { maxEvents: 3 }), now: () => 9 })
    const parts: (Batch | Reset)[] = []
    let made = 0
    const onReset = async (reset: Reset) => {
      for (let i = 0; made < 8 && i < 4; i++) await log.append(delta(9 + made++))
      if (made === 8) await log.close()
      return { ...reset, snapshot: reset.through }
    }
    for await (const part of follow(log, undefined, { onReset })) parts.push(part)
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
    expect((await live).value).toMatchObject({ after: 0, through: 1, events: [], filter: filter.id })
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
    const log = createMemoryLog({ state: closeLog(logOf(3)), now: () => 0 })
    const ids: string[] = []
    for await (const part of follow(log, 's:e:0')) {
      ids.push(
        ...encodeBatch(part)
          .split('\n')
          .filter((line) => line.startsWith('id: ')),
      )
    }
    expect(ids).toEqual(['id: s:e:1', 'id: s:e:2', 'id: s:e:2'])
  })
})

/** Opens each stream once and returns the same log afterwards. */
function shared(open: (stream: string) => EventLog): Opener {
  const logs = new Map<string, EventLog>()
  return async (stream) => {
    const log = logs.get(stream) ?? open(stream)
    logs.set(stream, log)
    return log
  }
}

/** A log in an array, as a host might write one. Its batches have at most three events. */
function arrayLog(stream: string): EventLog {
  const events: Parameters<EventLog['append']>[0][] = []
  let closed = false
  const news = new EventTarget()
  const extent = (): LogExtent => ({ stream, epoch: 'e', earliest: 0, next: events.length, closed })
  return {
    async append(event) {
      if (closed) throw new TypeError('closed')
      const seq = events.push(event) - 1
      news.dispatchEvent(new Event('news'))
      return { stream, epoch: 'e', seq }
    },
    async read(cursor, { filter, wait, signal } = {}) {
      for (;;) {
        const after = resolveCursor(extent(), cursor, filter)
        if (typeof after === 'object') return after
        const part = makeBatch(extent(), after, events.slice(after + 1, after + 4), filter)
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

describe.each([
  ['createMemoryLog', shared((stream) => createMemoryLog({ stream, epoch: 'e', now: () => 0 }))],
  ['an EventLog built from resolveCursor and makeBatch', shared(arrayLog)],
])('%s', (_name, open) => {
  it('behaves like createMemoryLog for any sequence of calls', () => expectSameAsMemoryLog(open, runs(200)))
  it('wakes waiting readers', () => expectToWake(open))
  it('gives concurrent writers one order', () => expectOneOrder(open, 3))
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
