// follow as a generator: calls, their order, and how it ends. One law for logs in memory and all others.
import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import {
  type Batch,
  createMemoryLog,
  type EventLog,
  follow,
  type Reset,
  readFilter,
} from 'turnstream/streams'
import { afterEach, describe, expect, it } from 'vitest'
import { Tail } from '../../../../src/streams/log/follow/tail.ts'
import { runs } from '../../../support/runs.ts'
import { delta, thought } from '../support.ts'

type Part = Batch | Reset

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
afterEach(async () => {
  await turn()
  expect(unhandled).toEqual([])
})

const open = (limits = {}) => createMemoryLog({ stream: 's', epoch: 'e', limits, now: () => 0 })
/** The same log, as one that waits by itself. */
const copyOf = (log: EventLog): EventLog => ({ ...log })
const kinds: [string, (log: EventLog) => EventLog][] = [
  ['in memory', (log) => log],
  ['of a host', copyOf],
]

it('yields the same of a log in memory as of any other log', async () => {
  const event = fc.boolean().map((isDelta) => (seq: number): ContextAnyEvent => {
    return isDelta ? delta(seq) : thought(seq, 'detailed')
  })
  const turns = fc.array(fc.array(event, { maxLength: 4 }), { maxLength: 8 })
  const cursor = fc.constantFrom(undefined, '', 's:e:1', 's:e:40', 's:old:1', 'nonsense')
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 6 }),
      turns,
      cursor,
      fc.boolean(),
      fc.constantFrom(1, 300, undefined),
      fc.constantFrom(undefined, 2),
      async (before, later, at, isFiltered, maxBytes, maxEvents) => {
        const log = open({ ...(maxEvents && { maxEvents }) })
        let seq = 0
        for (const make of before) await log.append(make(seq++))
        const options = {
          ...(isFiltered && { filter: readFilter({ audience: 'user' }) }),
          ...(maxBytes && { maxBytes }),
        }
        const logs = kinds.map(([, make]) => make(log))
        const readers = logs.map(async (each) => {
          const parts: Part[] = []
          for await (const part of follow(each, at, options)) parts.push(part)
          return parts
        })
        await turn()
        for (const events of later) {
          for (const make of events) void log.append(make(seq++))
          await turn()
        }
        await log.close()
        const [own, other] = await Promise.all(readers)
        expect(own).toEqual(other)
        expect(own?.at(-1)).toMatchObject({ through: seq - 1, closed: true })
      },
    ),
    { numRuns: runs(100) },
  )
})

describe.each(kinds)('a log %s', (_, make) => {
  it('answers calls in order, also those that were not awaited', async () => {
    const log = open()
    const parts = follow(make(log), null, { maxBytes: 1 })
    for (let i = 0; i < 2000; i++) await log.append(delta(i))
    const calls = Array.from({ length: 2003 }, () => parts.next())
    await turn()
    await log.append(delta(2000))
    const answers = await Promise.all(calls.slice(0, 2001))
    expect(answers.map(({ value }) => value?.through)).toEqual(Array.from({ length: 2001 }, (_, i) => i))
    await log.close()
    expect(await Promise.all(calls.slice(2001))).toEqual([
      { done: false, value: expect.objectContaining({ events: [], closed: true }) },
      { done: true, value: undefined },
    ])
  })

  it.each(['return', 'throw', 'abort'])(
    'ends all waiting calls on %s, and waits for nothing',
    async (how) => {
      const log = open()
      const { signal, abort } = abortable()
      const parts = follow(make(log), null, { signal })
      await parts.next()
      const calls = [parts.next(), parts.next()]
      await turn()
      expect(getEventListeners(signal, 'abort')).toHaveLength(1)
      if (how === 'abort') abort()
      else if (how === 'return')
        expect(await parts.return(undefined)).toEqual({ done: true, value: undefined })
      else await expect(parts.throw(new Error('left'))).rejects.toThrow('left')
      expect(await Promise.all(calls)).toEqual([1, 2].map(() => ({ done: true, value: undefined })))
      expect(getEventListeners(signal, 'abort')).toEqual([])
      await log.append(delta(0))
      expect(await parts.next()).toEqual({ done: true, value: undefined })
    },
  )

  it('does not listen to the signal between two calls', async () => {
    const log = open()
    const { signal } = abortable()
    const parts = follow(make(log), null, { signal })
    await parts.next()
    expect(getEventListeners(signal, 'abort')).toEqual([])
    const waiting = parts.next()
    await turn()
    await log.append(delta(0))
    await waiting
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('throws what the filter throws, once', async () => {
    const log = open()
    const filter = {
      id: 'f',
      apply: (): never => {
        throw new Error('filter')
      },
    }
    const parts = follow(make(log), null, { filter })
    await parts.next()
    const waiting = parts.next()
    await log.append(delta(0))
    await expect(waiting).rejects.toThrow('filter')
    expect(await parts.next()).toEqual({ done: true, value: undefined })
  })

  it('yields events that are appended in one turn as one batch', async () => {
    const log = open()
    const parts = follow(make(log))
    await parts.next()
    const waiting = parts.next()
    await turn()
    for (let i = 0; i < 3; i++) void log.append(delta(i))
    expect((await waiting).value).toMatchObject({ after: -1, through: 2 })
  })
})

it('aborts the read of a log that waits by itself, and ignores how that ends', async () => {
  let fail: (error: Error) => void = () => {}
  let signal: AbortSignal | undefined
  const log = open()
  const slow: EventLog = {
    ...log,
    read: (_, options) => {
      signal = options?.signal
      return new Promise((_, reject) => (fail = reject))
    },
  }
  const parts = follow(slow)
  const waiting = parts.next()
  await parts.return(undefined)
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(signal?.aborted).toBe(true)
  fail(new Error('down'))
})

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

it('tells those who wait for the tail of a log that it cannot be read', async () => {
  const error = new Error('gone')
  const failed = new Promise((resolve) => {
    let reads = 0
    const read = (): Promise<never> => {
      if (reads++ === 0) return Promise.reject(error)
      resolve('read again')
      return new Promise(() => undefined)
    }
    const tail = new Tail({ read } as unknown as EventLog)
    tail.wait({ wake: () => resolve('woken'), fail: resolve }, { stream: 's', epoch: 'e', seq: 0 })
  })
  expect(await failed).toBe(error)
})
