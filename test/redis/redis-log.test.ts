// Proves that a log in Redis keeps the promises of an EventLog whatever happens to Redis and to its writers. The script
// runs in a Lua machine; `npm run test:all` repeats the same on a real Redis.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContextAnyEvent } from 'agentwire'
import { type RedisEventLog, type RedisLogOptions, redisLog } from 'agentwire/redis'
import { emptyView, eventLogLaw, foldEvents, follow, type Reset } from 'agentwire/streams'
import { describe, expect, it } from 'vitest'
import { expectOneOrder, expectSameAsMemoryLog, expectToWake } from '../support/event-log-law.ts'
import { createRedisInMemory, type RedisInMemory } from '../support/redis-in-memory.ts'
import { runs } from '../support/runs.ts'

/** Events of a task that is begun and not ended. */
function taskEvents(taskId: string, count: number): ContextAnyEvent[] {
  const base = { contextId: 'ctx-1', taskId, timestamp: '2026-01-01T00:00:00Z' }
  return [
    { kind: 'task-created', ...base, initiator: 'user' },
    { kind: 'task-status', ...base, status: 'working' },
    ...Array.from({ length: count }, (_, index) => ({
      ...{ kind: 'content-delta' as const, ...base, delta: `é${index} `, index },
    })),
  ]
}

function endOf(taskId: string): ContextAnyEvent {
  const timestamp = '2026-01-01T00:00:01Z'
  return { kind: 'task-status', contextId: 'ctx-1', taskId, status: 'completed', timestamp }
}

/** Opens a stream of a Redis, with a clock that the test sets. */
function opener(redis: RedisInMemory) {
  const clock = { ms: 0 }
  const open = (options: Partial<RedisLogOptions> = {}): Promise<RedisEventLog> =>
    redisLog({ client: redis, stream: 's', now: () => clock.ms, sleep: async () => {}, ...options })
  return { open, clock }
}

async function appendAll(log: RedisEventLog, events: readonly ContextAnyEvent[]): Promise<void> {
  await Promise.all(events.map((event) => log.append(event)))
}

/** The events of a whole log, page by page. */
async function eventsOf(log: RedisEventLog, maxBytes = 65_536): Promise<ContextAnyEvent[]> {
  const events: ContextAnyEvent[] = []
  let part = await log.read(undefined, { maxBytes })
  while (part.type === 'batch' && part.through > part.after) {
    events.push(...part.events)
    part = await log.read({ stream: 's', epoch: part.epoch, seq: part.through }, { maxBytes })
  }
  return events
}

/** The first part that a follower gets after what it has. */
async function nextPart(log: RedisEventLog, from: { epoch: string; seq: number }) {
  for await (const part of follow(log, { stream: 's', ...from })) return part
  throw new Error('The log ended.')
}

describe('a log in Redis', () => {
  const redis = createRedisInMemory()
  const open = (stream: string): Promise<RedisEventLog> => redisLog({ client: redis, stream })

  it('has the same results as a log in memory', () => expectSameAsMemoryLog(open, runs(30)))
  it('obeys the law of event logs', () => eventLogLaw(open, { prefix: 'law' }))
  it('wakes readers', () => expectToWake(open))
  it('gives concurrent writers one order', () => expectOneOrder(open, 4))

  it('wakes readers of a client that cannot subscribe', async () => {
    const { send } = createRedisInMemory()
    await expectToWake((stream) => redisLog({ client: { send }, stream }))
  })

  it('reads pages of at most maxBytes', async () => {
    const { open } = opener(createRedisInMemory())
    const log = await open()
    const events = taskEvents('t', 300)
    await appendAll(log, events)
    const part = await log.read(undefined, { maxBytes: 1000 })
    const bytes = part.events?.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0)
    expect(bytes).toBeGreaterThan(500)
    expect(bytes).toBeLessThanOrEqual(1000)
    expect(await eventsOf(log, 1)).toEqual(events)
  })
})

describe('when Redis fails', () => {
  it.each(['FLUSHALL', 'restart'])(
    '%s: an append starts a new epoch, and readers get a reset',
    async (what) => {
      const redis = createRedisInMemory()
      const { open } = opener(redis)
      const [writer, reader] = [await open(), await open()]
      const events = taskEvents('t', 5)
      await appendAll(writer, events)
      const { epoch } = await reader.read()
      if (what === 'FLUSHALL') redis.flush()
      else redis.restart()
      const position = await writer.append(endOf('t'))
      expect(position.epoch).not.toBe(epoch)
      const part = await nextPart(reader, { epoch, seq: 3 })
      expect(part).toMatchObject({ type: 'reset', reason: 'epoch-changed', through: position.seq })
      const kept = what === 'FLUSHALL' ? [endOf('t')] : [...events, endOf('t')]
      expect(foldEvents(emptyView, part.events ?? []).tasks).toEqual(foldEvents(emptyView, kept).tasks)
    },
  )

  it('a waiting reader gets a reset as soon as the connection is restored', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open()
    const { epoch, seq } = await log.append(endOf('t'))
    const waiting = log.read({ stream: 's', epoch, seq }, { wait: true })
    await sleep(20)
    redis.restart()
    expect(await waiting).toMatchObject({ type: 'reset', reason: 'epoch-changed' })
  })

  it.each([':events', ':snapshot'])('a lost key %s is never a hole', async (suffix) => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open({ limits: { maxEvents: 10 } })
    await appendAll(log, taskEvents('t', 30))
    await log.append(endOf('t'))
    const { epoch } = await log.read()
    for (const key of redis.keys.keys()) if (key.endsWith(suffix)) redis.keys.delete(key)
    const part = await log.read({ stream: 's', epoch, seq: 5 })
    expect(part).toMatchObject({ type: 'reset', reason: suffix === ':events' ? 'epoch-changed' : 'evicted' })
    expect(await log.append(endOf('u'))).toMatchObject({ seq: 33 })
  })

  it('an append whose answer is lost is not doubled', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open()
    const events = taskEvents('t', 10)
    for (const event of events) {
      redis.faults.push({ when: 'after', message: 'Socket closed unexpectedly' })
      redis.faults.push({ when: 'before', message: 'connect ECONNREFUSED' })
      await log.append(event)
    }
    expect(await eventsOf(log)).toEqual(events)
  })

  it('rejects with a code: unavailable, refused', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open({ retryMs: 0 })
    redis.faults.push({ when: 'before', message: 'connect ECONNREFUSED' })
    await expect(log.append(endOf('t'))).rejects.toMatchObject({ code: 'unavailable', name: 'RedisLogError' })
    redis.faults.push({ when: 'before', message: "OOM command not allowed when used memory > 'maxmemory'." })
    await expect(log.read()).rejects.toMatchObject({ code: 'refused' })
    redis.faults.push({ when: 'before', message: 'connect ECONNREFUSED' })
    await expect(open({ retryMs: 0 })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await log.append(endOf('t'))).toMatchObject({ seq: 0 })
  })
})

describe('the lease of a writer', () => {
  it('that expires: a reader ends the tasks, once for all processes', async () => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    const [dead, live, ...readers] = [await open(), await open(), await open(), await open()]
    const events = taskEvents('t', 3)
    await appendAll(dead, events)
    clock.ms = 8000
    await appendAll(live, taskEvents('u', 1))
    clock.ms = 16_000
    await Promise.all(readers.map((reader) => reader.read()))
    await expect.poll(async () => (await eventsOf(live)).length).toBe(events.length + 3 + 2)
    const view = foldEvents(emptyView, await eventsOf(live))
    expect(view.tasks.map(({ taskId, status }) => [taskId, status])).toEqual([
      ['t', 'failed'],
      ['u', 'working'],
    ])
    expect(view.tasks[0]?.statusMetadata).toEqual({ reason: expect.stringContaining('lease of 15000 ms') })
    await expect(dead.append(endOf('t'))).rejects.toMatchObject({ code: 'lease-lost' })
    await expect(dead.append(endOf('t'))).rejects.toMatchObject({ code: 'lease-lost' })
    await live.append(endOf('u'))
  })

  it('that nobody has found expired is renewed by the next append', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const log = await open()
    await appendAll(log, taskEvents('t', 1))
    clock.ms = 60_000
    expect(await log.append(endOf('t'))).toMatchObject({ seq: 3 })
    expect(await log.read()).toMatchObject({ through: 3 })
  })

  it('ends with its last task: nobody has to end anything', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [log, other] = [await open(), await open()]
    await appendAll(log, [...taskEvents('t', 1), endOf('t')])
    clock.ms = 10_000_000
    await other.read()
    await appendAll(log, taskEvents('u', 1))
    expect(await other.read()).toMatchObject({ type: 'reset', reason: 'evicted' })
    expect((await log.snapshot())?.events).toHaveLength(6)
    await log.close()
  })

  it('is given up by release: the task stays open, for another process to continue', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [first, second] = [await open(), await open()]
    await appendAll(first, taskEvents('t', 1))
    await first.release()
    clock.ms = 60_000
    await second.read()
    expect(await second.append(endOf('t'))).toMatchObject({ seq: 3 })
  })

  it('is renewed by a timer while a task is open', async () => {
    const redis = createRedisInMemory()
    const log = await redisLog({ client: redis, stream: 's', leaseMs: 100 })
    await appendAll(log, taskEvents('t', 1))
    await expect.poll(() => redis.log.filter((line) => line.endsWith(' renew')).length).toBeGreaterThan(5)
    await log.append(endOf('t'))
    expect((await log.read()).through).toBe(3)
  })
})

describe('retention', () => {
  it.each([
    ['maxEvents', { maxEvents: 20 }],
    ['maxBytes', { maxBytes: 2000 }],
    ['maxAgeMs', { maxAgeMs: 1000 }],
  ])('%s: a snapshot includes what is evicted', async (_, limits) => {
    const { open, clock } = opener(createRedisInMemory())
    const log = await open({ limits })
    const events = [...taskEvents('t', 100), endOf('t')]
    for (const event of events) {
      clock.ms += 100
      await log.append(event)
    }
    const reset = (await nextPart(log, { epoch: 'e', seq: 0 })) as Reset
    expect(reset.earliest).toBeGreaterThan(50)
    const first = await log.read()
    expect(first).toMatchObject({ type: 'reset', reason: 'evicted' })
    const whole = foldEvents(emptyView, events)
    expect(foldEvents(emptyView, reset.events ?? []).tasks).toEqual(whole.tasks)
    // A process that comes later has only what Redis has.
    const later = await (await open()).snapshot()
    expect(foldEvents(emptyView, later?.events ?? []).tasks).toEqual(whole.tasks)
  })
})

it('without room for a snapshot, resets carry no events, and the log is trimmed all the same', async () => {
  const { open } = opener(createRedisInMemory())
  const log = await open({ limits: { maxBytes: 500, maxEvents: 10 } })
  await appendAll(log, taskEvents('t', 60))
  for (let i = 0; i < 30; i++)
    await log.append({ ...taskEvents('t', 1)[2], index: 60 + i } as ContextAnyEvent)
  expect(await log.snapshot()).toBeUndefined()
  const part = await nextPart(log, { epoch: 'e', seq: 0 })
  expect(part).toMatchObject({ type: 'reset', reason: 'epoch-changed' })
  expect(part).not.toHaveProperty('events')
  expect((part as Reset).earliest).toBeGreaterThan(60)
})

describe('opening', () => {
  it('with create: false rejects for a stream that does not exist, and does not create it', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    await expect(open({ create: false })).rejects.toMatchObject({ code: 'not-found' })
    expect(redis.keys.size).toBe(0)
    await open()
    await open({ create: false })
  })

  it('keeps streams with braces and percent signs apart', async () => {
    const redis = createRedisInMemory()
    const logs = await Promise.all(
      ['a}b', 'a%7Db', 'a', '{a}'].map((stream) => redisLog({ client: redis, stream })),
    )
    for (const log of logs) expect(await log.append(endOf('t'))).toMatchObject({ seq: 0 })
  })

  it.each<[string, object]>([
    ['client', { client: {} }],
    ['client', { client: undefined }],
    ['stream', { stream: '' }],
    ['create', { create: 1 }],
    ['limits', { limits: { max: 1 } }],
    ['maxEvents', { limits: { maxEvents: 0 } }],
    ['leaseMs', { leaseMs: 1 }],
    ['expireMs', { expireMs: 1 }],
    ['retryMs', { retryMs: -1 }],
    ['prefix', { prefix: '{' }],
    ['now', { now: 1 }],
    ['sleep', { sleep: 1 }],
    ['options', { lease: 1 }],
  ])('rejects an invalid %s', async (name, options) => {
    const valid = { client: createRedisInMemory(), stream: 's' }
    await expect(redisLog({ ...valid, ...options } as never)).rejects.toThrow(new RegExp(`^"${name}`))
  })

  it('rejects an event that JSON cannot hold', async () => {
    const { open } = opener(createRedisInMemory())
    const log = await open()
    await expect(log.append({ ...endOf('t'), metadata: { n: 1n } } as never)).rejects.toThrow(TypeError)
    await expect(log.append(undefined as never)).rejects.toThrow(TypeError)
    expect(await log.append(endOf('t'))).toMatchObject({ seq: 0 })
  })
})
