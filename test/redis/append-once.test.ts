// Proves that an event is stored once, and in order, however many requests and answers are lost: the caller appends the
// same object again after `unavailable`.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { type RedisLogError, redisLog, redisStore } from 'turnstream/redis'
import { eventLogLaw } from 'turnstream/testing'
import { expect, it } from 'vitest'
import { inFakeTime } from '../support/fake-time.ts'
import {
  expectNothingBehind,
  expectOrderOfCalls,
  expectProgress,
  givenUpBeforeDecision,
} from '../support/overlapping-law.ts'
import { dice, unreliable, unreliableWriters } from '../support/redis-faults.ts'
import { createRedisInMemory, type RedisInMemory } from '../support/redis-in-memory.ts'
import { runs } from '../support/runs.ts'

const timestamp = '2026-01-01T00:00:00Z'
const event = (taskId: string, index: number): ContextAnyEvent => ({
  ...{ kind: 'content-delta', contextId: 'ctx-1', taskId, timestamp, delta: `${taskId}#${index}`, index },
})

/** Appends the same object until it is confirmed. */
async function persist<T>(append: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await append()
    } catch (error) {
      expect((error as RedisLogError).code).toBe('unavailable')
    }
  }
}

/** A signal that one of several callers aborts before the deadline. */
function patience(dice: readonly number[], n: number): AbortSignal {
  const waiting = new AbortController()
  const reason = Object.assign(new Error('Nobody waits any more.'), { code: 'unavailable' })
  const ms = dice[n % dice.length] ?? 0
  if (ms < 4) setTimeout(() => waiting.abort(reason), ms)
  return waiting.signal
}

const settings = { stream: 's', now: () => 0, sleep: async () => {}, timeoutMs: 25 }

/** What is stored, with the text of each event at its position. */
async function stored(redis: RedisInMemory): Promise<string[]> {
  const log = await redisLog({ client: redis, stream: 's', now: () => 0 })
  const { events = [] } = await log.read(undefined, { maxBytes: 1e7 })
  return events.map((each) => ('delta' in each ? String(each.delta) : each.kind))
}

it('stores what one writer repeats once, in order, at the position that it gets', async () => {
  await fc.assert(
    fc.asyncProperty(dice, fc.integer({ min: 1, max: 4 }), async (all, width) => {
      const redis = createRedisInMemory()
      const client = unreliable(redis, all)
      const log = await persist(() => redisLog({ client, ...settings }))
      const other = await redisLog({ client: redis, ...settings })
      const positions = new Map<string, number>()
      const chain = async (taskId: string): Promise<void> => {
        for (let index = 0; index < 6; index++) {
          const own = event(taskId, index)
          const { seq } = await persist(() => log.append(own, { signal: patience(all, index) }))
          positions.set(`${taskId}#${index}`, seq)
          if (index % 2 === 0) await other.append(event(`other-${taskId}`, index))
        }
      }
      await Promise.all(Array.from({ length: width }, (_, n) => chain(`task-${n}`)))
      const found = await stored(redis)
      expect(new Set(found).size).toBe(found.length)
      for (const [text, seq] of positions) expect(found[seq]).toBe(text)
      for (let n = 0; n < width; n++) {
        const own = found.filter((text) => text.startsWith(`task-${n}#`))
        expect(own).toEqual(Array.from({ length: 6 }, (_, index) => `task-${n}#${index}`))
      }
    }),
    { numRuns: runs(40) },
  )
}, 60_000)

it('obeys the law of event logs', async () => {
  const redis = createRedisInMemory()
  const client = unreliable(redis, [0, 3, 5, 8, 1, 6, 9, 4, 7, 2])
  const open = (stream: string) => redisLog({ client: redis, stream })
  await eventLogLaw(open, { openUnreliable: (stream) => redisLog({ ...settings, client, stream }) })
})

const request = (inputId: string): ContextAnyEvent => ({
  ...{ kind: 'input-required', contextId: 'ctx-1', taskId: 'task-1', timestamp, inputId },
  ...{ inputType: 'custom', prompt: '?' },
})
const ends: readonly object[] = [
  { kind: 'task-status', status: 'waiting-input' },
  { kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' },
]

it('stores what is repeated to a stream of a store once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(dice, async (all) => {
      const redis = createRedisInMemory()
      const store = redisStore({ client: unreliable(redis, all), ...pick(settings), timeoutMs: 25 })
      const stream = await persist(() => store.open('s'))
      const others = ends.map((end) => ({ contextId: 'ctx-1', taskId: 'task-1', timestamp, ...end }))
      const events = [
        ...[event('task-1', 0), event('task-1', 1), request('i'), ...(others as ContextAnyEvent[])],
        ...[
          event('task-1', 2),
          { kind: 'later', contextId: 'ctx-1', taskId: 'task-1', timestamp, none: null },
        ],
      ] as ContextAnyEvent[]
      for (const own of events) await persist(() => stream.append(own))
      const expected = events.map((each) => ('delta' in each ? String(each.delta) : each.kind))
      expect(await stored(redis)).toEqual(expected)
      await stream.release().catch(() => undefined)
    }),
    { numRuns: runs(40) },
  )
}, 60_000)

it('stores what several agents repeat to a stream of a store once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(dice, fc.integer({ min: 2, max: 6 }), async (all, width) => {
      const redis = createRedisInMemory()
      const store = redisStore({ client: unreliable(redis, all), ...pick(settings), timeoutMs: 25 })
      const stream = await persist(() => store.open('s'))
      const chain = async (n: number): Promise<void> => {
        await sleep(n)
        for (let index = 0; index < 3; index++) {
          const own = event(`task-${n}`, index)
          await persist(() => stream.append(own))
        }
      }
      const agents = Array.from({ length: width }, (_, n) => n)
      await Promise.all(agents.map(chain))
      const found = await stored(redis)
      for (const n of agents) {
        const own = found.filter((text) => text.startsWith(`task-${n}#`))
        expect(own).toEqual([0, 1, 2].map((index) => `task-${n}#${index}`))
      }
      await stream.release().catch(() => undefined)
    }),
    { numRuns: runs(40) },
  )
}, 120_000)

it.each(['log', 'stream'] as const)(
  'keeps the order of calls that overlap, in a %s',
  async (what) => {
    const { timeoutMs } = settings
    const open = unreliableWriters(createRedisInMemory(), { timeoutMs })[what]
    await inFakeTime(() => expectOrderOfCalls(dice, open, { timeoutMs, numRuns: runs(200) }))
  },
  60_000,
)

it.each(['log', 'stream'] as const)('lets callers pass that append other events, in a %s', async (what) => {
  const open = unreliableWriters(createRedisInMemory(), { timeoutMs: settings.timeoutMs })[what]
  await expectProgress(open, [9, 0, 0, 0, 0, 0, 0])
})

it('stores nothing that was given up behind what was appended after it', async () => {
  const { stream } = unreliableWriters(createRedisInMemory(), { timeoutMs: settings.timeoutMs })
  await inFakeTime(() =>
    expectNothingBehind(dice, stream, {
      numRuns: runs(200),
      // A request that hangs, before a start that is stored otherwise.
      examples: [[[0, 0, 9, 0, 0], givenUpBeforeDecision]],
    }),
  )
}, 60_000)

function pick({ now, sleep }: typeof settings) {
  return { now, sleep }
}

it('ends an append as soon as it is aborted', async () => {
  const redis = createRedisInMemory()
  let answers = true
  const send = (args: readonly string[], key: string): Promise<unknown> =>
    answers || !args.includes('append') ? redis.send(args, key) : new Promise(() => {})
  const log = await redisLog({ client: { send }, ...settings, timeoutMs: 1e9 })
  const waiting = new AbortController()
  answers = false
  const appends = [0, 1].map((n) => log.append(event('task-1', n), { signal: waiting.signal }))
  const reason = new Error('Nobody waits any more.')
  waiting.abort(reason)
  for (const append of appends) await expect(append).rejects.toBe(reason)
  await expect(log.append(event('task-1', 2), { signal: waiting.signal })).rejects.toBe(reason)
  await expect(log.append(event('task-1', 3), { signal: {} as AbortSignal })).rejects.toThrow('"signal"')
  expect(await stored(redis)).toEqual([])
})
