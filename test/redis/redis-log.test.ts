// Proves that a log in Redis keeps the promises of an EventLog whatever happens to Redis and to its writers. The script
// runs in a Lua machine; `npm run test:all` repeats the same on a real Redis.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { type RedisEventLog, redisLog } from 'turnstream/redis'
import { type ExpiredLease, emptyView, foldEvents, follow, type Reset } from 'turnstream/streams'
import { eventLogLaw } from 'turnstream/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RedisCommands } from '../../src/redis/client.ts'
import { commandsOf } from '../../src/redis/client.ts'
import { leaseIndex } from '../../src/redis/lease-index.ts'
import type { RedisLogOptions } from '../../src/redis/options.ts'
import { settingsOf } from '../../src/redis/options.ts'
import {
  expectOneOrder,
  expectSameAsMemoryLog,
  expectToRefuse,
  expectToWake,
} from '../support/event-log-law.ts'
import { inFakeTime } from '../support/fake-time.ts'
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

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Takes over what has expired; returns the tasks. */
async function takeOver(log: RedisEventLog): Promise<string[]> {
  const tasks: string[] = []
  for (const lease of await log.expiredLeases()) {
    if (await log.takeOver(lease)) tasks.push(...lease.tasks.map(({ taskId }) => taskId))
  }
  return tasks
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
  it('obeys the law of event logs', () =>
    inFakeTime(async () => {
      const clock = { ms: Date.now() }
      const settings = { now: () => clock.ms }
      const skipped: string[] = []
      await eventLogLaw((stream) => redisLog({ client: redis, stream, ...settings }), {
        prefix: 'law',
        async openSilent(stream) {
          const client = Object.create(redis) as RedisInMemory
          const log = await redisLog({ client, stream, ...settings, timeoutMs: 50 })
          client.send = () => new Promise(() => {})
          return log
        },
        expireLeases() {
          clock.ms += 20_000
        },
        onSkipped: (law) => skipped.push(law),
      })
      // Those of answers that are lost: append-once.test.ts.
      expect(skipped.filter((law) => !law.includes('answer'))).toEqual([])
    }))
  it('refuses what is not an event', () => expectToRefuse(open, runs(100)))
  it('refuses what is not an event, also without a stream', async () => {
    const log = await open('refusing')
    for (const bad of [undefined, null, {}, 'text', { kind: 'content-delta' }, () => {}]) {
      await expect(log.append(bad as never)).rejects.toThrow(/^"event" must be an event with context/)
    }
    expect(await eventsOf(log)).toEqual([])
  })
  it('does not keep a process alive that has open tasks', async () => {
    const timeout = vi.spyOn(globalThis, 'setTimeout')
    const log = await redisLog({ client: redis, stream: 'exiting', leaseMs: 12_345 })
    await appendAll(log, taskEvents('t', 1))
    const calls = timeout.mock.calls.map(([, ms]) => ms)
    const timer = timeout.mock.results[calls.lastIndexOf(12_345 / 3)]?.value as NodeJS.Timeout
    expect(timer.hasRef()).toBe(false)
    timeout.mockRestore()
    await log.release()
  })
  it('wakes readers', () => expectToWake(open))
  it('gives concurrent writers one order', () => expectOneOrder(open, 4))

  it('wakes readers of a client that cannot subscribe', () =>
    inFakeTime(async () => {
      const { send } = createRedisInMemory()
      // Such a client looks again a few times a second.
      await expectToWake((stream) => redisLog({ client: { send }, stream }), 3)
    }))

  it('asks nothing while its readers wait, but that messages come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const redis = createRedisInMemory()
      const reading: Promise<unknown>[] = []
      const leaving = new AbortController()
      for (let i = 0; i < 50; i++) {
        const log = await redisLog({ client: redis, stream: `s${i}` })
        const { stream, epoch } = await log.append(endOf('t'))
        const read = () => log.read({ stream, epoch, seq: 0 }, { wait: true, signal: leaving.signal })
        reading.push(read(), read(), read())
      }
      await vi.advanceTimersByTimeAsync(5000)
      redis.log.length = 0
      await vi.advanceTimersByTimeAsync(60_000)
      expect(redis.log).toEqual(Array.from({ length: 6 }, () => 'PUBLISH'))
      leaving.abort()
      await Promise.all(reading)
    } finally {
      vi.useRealTimers()
    }
  })

  it('finds what is new if no messages come any more, and nobody reports that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const redis = createRedisInMemory()
      let isSilent = false
      const openSubscriber: NonNullable<RedisCommands['openSubscriber']> = (listener) =>
        redis.openSubscriber({
          ...listener,
          message: (...message) => {
            if (!isSilent) listener.message(...message)
          },
        })
      const log = await redisLog({ client: { send: redis.send, openSubscriber }, stream: 's' })
      const { epoch } = await log.append(endOf('t'))
      const reading = log.read({ stream: 's', epoch, seq: 0 }, { wait: true })
      await vi.advanceTimersByTimeAsync(1000)
      isSilent = true
      await log.append(endOf('u'))
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await reading).toMatchObject({ type: 'batch', through: 1 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends the subscription after the last of those who wait for events or changes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const redis = createRedisInMemory()
      const log = await opener(redis).open()
      const { epoch } = await log.append(endOf('t'))
      const cursor = { stream: 's', epoch, seq: 0 }
      const reading = [1, 2].map(() => log.read(cursor, { wait: true }))
      const stop = new AbortController()
      const watching = (async () => {
        for await (const _ of log.changes(stop.signal));
      })()
      await vi.waitFor(() => expect(redis.channels()).toContain('turnstream:{s}:events'))
      await log.append(endOf('t'))
      await Promise.all(reading)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(redis.channels()).toContain('turnstream:{s}:events')
      stop.abort()
      await watching
      await vi.advanceTimersByTimeAsync(60_000)
      expect(redis.channels()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves no listener on the signal of a reader', async () => {
    const { open } = opener(createRedisInMemory())
    const log = await open()
    const { signal } = new AbortController()
    let listeners = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    const { epoch } = await log.append(endOf('t'))
    for (let seq = 0; seq < 20; seq++) {
      await log.append(endOf('t'))
      await log.read({ stream: 's', epoch, seq }, { wait: true, signal })
      expect(listeners).toBe(0)
    }
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

it('wakes readers of all streams after the connection ended, whichever is read first then', () =>
  inFakeTime(async () => {
    const redis = createRedisInMemory()
    const client = Object.create(redis) as RedisInMemory
    const end: (() => void)[] = []
    client.openSubscriber = async (listener) => {
      const subscriber = await redis.openSubscriber(listener)
      end.push(() => {
        subscriber.close()
        listener.ended()
      })
      return subscriber
    }
    const [one, other] = [
      await redisLog({ client, stream: 'one' }),
      await redisLog({ client, stream: 'other' }),
    ]
    const stop = new AbortController()
    const first = await one.append(taskEvents('t', 0)[0] as ContextAnyEvent)
    const waiting = one.read(first, { wait: true, signal: stop.signal })
    await vi.waitFor(() => expect(redis.channels()).not.toEqual([]))
    end[0]?.()
    const elsewhere = other.read(undefined, { wait: true, signal: stop.signal })
    await vi.waitFor(() => expect(end).toHaveLength(2))
    // Longer than it waits before it connects again.
    await sleep(700)
    await one.append(taskEvents('t', 0)[1] as ContextAnyEvent)
    setTimeout(() => stop.abort(), 2000)
    expect((await waiting).through).toBe(1)
    await elsewhere
  }))

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

  it('a waiting reader gets a reset as soon as the connection is restored', () =>
    inFakeTime(async () => {
      const redis = createRedisInMemory()
      const { open } = opener(redis)
      const log = await open()
      const { epoch, seq } = await log.append(endOf('t'))
      const waiting = log.read({ stream: 's', epoch, seq }, { wait: true })
      await sleep(20)
      redis.restart()
      expect(await waiting).toMatchObject({ type: 'reset', reason: 'epoch-changed' })
    }))

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

  it.each([[':events'], [':events', ':snapshot']])(
    'after the loss of %s%s the log goes on, bounded',
    async (...lost) => {
      const redis = createRedisInMemory()
      const { open } = opener(redis)
      const log = await open({ limits: { maxEvents: 10 } })
      await appendAll(log, taskEvents('t', 17))
      for (const key of redis.keys.keys()) {
        if (lost.some((suffix) => key.endsWith(suffix))) redis.keys.delete(key)
      }
      redis.log.length = 0
      expect(await log.snapshot()).toBeDefined()
      expect(redis.log.length).toBeLessThan(6)
      for (const event of [...taskEvents('u', 40), endOf('u')]) await log.append(event)
      const { epoch, earliest, through } = (await log.read()) as Reset
      expect(through - earliest).toBeLessThan(10)
      const part = await nextPart(log, { epoch, seq: 0 })
      const view = foldEvents(emptyView, part.events ?? [])
      expect(view.tasks.find(({ taskId }) => taskId === 'u')).toEqual(
        foldEvents(emptyView, [...taskEvents('u', 40), endOf('u')]).tasks[0],
      )
    },
  )

  it('after the loss of the parents, an append starts a new epoch, once', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open()
    const base = { contextId: 'ctx-1', timestamp: '2026-01-01T00:00:00Z', agentId: 'a', prompt: 'p' }
    const created = { kind: 'subtask-created', ...base, taskId: 'root', subtaskId: 'sub' } as ContextAnyEvent
    const { epoch } = await log.append(created)
    expect((await log.append(endOf('sub'))).epoch).toBe(epoch)
    for (const key of redis.keys.keys()) if (key.endsWith(':parents')) redis.keys.delete(key)
    const after = await log.append(endOf('other'))
    expect(after.epoch).not.toBe(epoch)
    expect((await log.append(endOf('root'))).epoch).toBe(after.epoch)
  })

  it('an event that is appended after the loss of those before it stays', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open()
    await appendAll(log, taskEvents('t', 3))
    for (const key of redis.keys.keys()) if (key.endsWith(':events')) redis.keys.delete(key)
    const { epoch, seq } = await log.append(endOf('t'))
    const part = await log.read({ stream: 's', epoch, seq: seq - 1 })
    expect(part).toMatchObject({ type: 'batch', events: [endOf('t')] })
  })

  it('a foreign entry in the key of the events does not hang Redis', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open({ limits: { maxEvents: 5 } })
    await appendAll(log, taskEvents('t', 3))
    const { epoch } = await log.read()
    for (const [key, entries] of redis.keys) {
      if (key.endsWith(':events'))
        (entries as unknown[]).splice(1, 4, ['0-1', []], ['0-1', []], ['0-1', []], ['0-1', []])
    }
    expect(await log.read({ stream: 's', epoch, seq: 1 })).toMatchObject({ type: 'reset' })
    expect(await log.append(endOf('t'))).toMatchObject({ seq: 5 })
  })

  it('a replica that took over and gave back: a new epoch', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open()
    const { epoch } = await log.append(endOf('t'))
    redis.failOver()
    expect((await log.append(endOf('u'))).epoch).not.toBe(epoch)
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

  it('nor one whose answer is lost for minutes, although the writer is idle', async () => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    const other = await open()
    const log = await open({
      sleep: async () => {
        clock.ms += 120_000
        await other.append(endOf('u'))
      },
    })
    redis.faults.push({ when: 'after', message: 'Socket closed unexpectedly' })
    await log.append(endOf('t'))
    expect(await eventsOf(other)).toEqual([endOf('t'), endOf('u')])
  })

  it('announces large events without their content', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open()
    const messages: string[] = []
    const listener = { message: (_: string, message: string) => void messages.push(message) }
    const subscriber = await redis.openSubscriber(listener as never)
    await subscriber.subscribe('turnstream:{s}:events')
    const [event] = taskEvents('t', 0)
    await log.append({ ...event, metadata: { long: 'x'.repeat(40_000) } } as ContextAnyEvent)
    await log.append(endOf('t'))
    expect(messages.map((message) => message.length < 1000)).toEqual([true, true])
    expect(messages[1]).toContain('completed')
  })

  it('rejects with a code: unavailable, refused', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    const log = await open()
    redis.down = { when: 'before', message: 'connect ECONNREFUSED' }
    await expect(log.append(endOf('t'))).rejects.toMatchObject({
      code: 'unavailable',
      name: 'RedisLogError',
      message: 'Expected an answer of Redis for stream "s" within 10000 ms, got: connect ECONNREFUSED',
      cause: { message: 'connect ECONNREFUSED' },
    })
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' })
    redis.down = undefined
    redis.faults.push({ when: 'before', message: "OOM command not allowed when used memory > 'maxmemory'." })
    await expect(log.read()).rejects.toMatchObject({
      code: 'refused',
      name: 'RedisLogError',
      message: expect.stringMatching(
        /on stream "s" with an error: OOM command not allowed .*\. Raise the maxmemory of this Redis/,
      ),
      cause: { message: "OOM command not allowed when used memory > 'maxmemory'." },
    })
    expect(await log.append(endOf('t'))).toMatchObject({ seq: 0 })
  })
})

describe('when Redis is stopped', () => {
  /** A client, and what stops it: as SIGSTOP does, its connections stay, and nothing is answered. */
  function stoppable(redis: RedisInMemory) {
    let isStopped = false
    const held: (() => void)[] = []
    const client = {
      ...redis,
      async send(args: readonly string[], key: string): Promise<unknown> {
        if (isStopped) await new Promise<void>((resolve) => held.push(resolve))
        return redis.send(args, key)
      },
    }
    const stop = (): void => {
      isStopped = true
    }
    const resume = async (): Promise<void> => {
      isStopped = false
      for (const go of held.splice(0)) go()
      await sleep(5)
    }
    return { client, stop, resume }
  }

  it('every function ends as unavailable, readers included, and a repeat is stored once', async () => {
    // A reader finds it out when it asks whether messages come at all.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const redis = createRedisInMemory()
    const { client, stop, resume } = stoppable(redis)
    const open = (stream = 's') => redisLog({ client, stream, timeoutMs: 50, leaseMs: 100 })
    const [log, doomed] = [await open(), await open('doomed')]
    const { epoch, seq } = await log.append(endOf('t'))
    const cursor = { stream: 's', epoch, seq }
    const reading = log.read(cursor, { wait: true }).catch((error: Error) => error)
    stop()
    const events = ['a', 'b', 'c'].map(endOf)
    for (const call of [
      ...events.map((event) => log.append(event)),
      ...[log.read(), log.snapshot(), log.loadState(), doomed.close(), open(), open('new')],
      log.appendIf({ epoch, next: 9, version: '0' }, [], {}),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'unavailable' })
    }
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await reading).toMatchObject({ code: 'unavailable' })
    vi.useRealTimers()
    await resume()
    for (const event of events) await log.append(event)
    expect(await eventsOf(log)).toEqual([endOf('t'), ...events])
  })

  it('what waits behind another append ends by its own deadline, and is stored in order if it is', async () => {
    const redis = createRedisInMemory()
    const { client, stop, resume } = stoppable(redis)
    const log = await redisLog({ client, stream: 's', timeoutMs: 60 })
    stop()
    const first = log.append(endOf('a')).catch(() => 'late')
    await sleep(20)
    const second = log.append(endOf('b'))
    expect(await first).toBe('late')
    await expect(second).rejects.toMatchObject({ code: 'unavailable' })
    await sleep(80)
    await resume()
    const events = await eventsOf(log)
    expect(events).toEqual([endOf('a'), endOf('b')].slice(0, events.length))
  })
})

describe('the lease of a writer', () => {
  it('that expires: one of all writers takes it over, and its own is refused', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [dead, live, ...heirs] = [await open(), await open(), await open(), await open()]
    await appendAll(dead, taskEvents('t', 3))
    clock.ms = 8000
    await appendAll(live, taskEvents('u', 1))
    clock.ms = 16_000
    const leases = await Promise.all(heirs.map((heir) => heir.expiredLeases()))
    const [lease] = leases[0] ?? []
    const expired = { tasks: [{ contextId: 'ctx-1', taskId: 't' }], expiredAt: '1970-01-01T00:00:15.000Z' }
    expect(leases).toMatchObject([[expired], [expired]])
    const taken = await Promise.all(heirs.map((heir) => heir.takeOver(lease as ExpiredLease)))
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1)
    for (let i = 0; i < 3; i++)
      await expect(dead.append(endOf('t'))).rejects.toMatchObject({ code: 'lease-lost' })
    await appendAll(dead, taskEvents('another', 1))
    await live.append(endOf('u'))
    const heir = heirs[taken.indexOf(true)] as RedisEventLog
    await heir.append(endOf('t'))
    expect(await live.expiredLeases()).toEqual([])
  })

  it('that was taken over expires again', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [dead, heir, next] = [await open(), await open(), await open()]
    await appendAll(dead, taskEvents('t', 1))
    clock.ms = 16_000
    expect(await takeOver(heir)).toEqual(['t'])
    expect(await takeOver(next)).toEqual([])
    clock.ms = 32_000
    expect(await takeOver(next)).toEqual(['t'])
    await expect(heir.append(endOf('t'))).rejects.toMatchObject({ code: 'lease-lost' })
    await next.append(endOf('t'))
  })

  it('is taken over although the answer of Redis is lost', async () => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    const [dead, heir, other] = [await open(), await open({ timeoutMs: 50 }), await open()]
    await appendAll(dead, taskEvents('t', 1))
    clock.ms = 16_000
    const [lease] = await heir.expiredLeases()
    const { send } = redis
    redis.send = async (args, key) => {
      const reply = await send(args, key)
      if (args.includes('takeOver')) throw new Error('Socket closed unexpectedly')
      return reply
    }
    await expect(heir.takeOver(lease as ExpiredLease)).rejects.toMatchObject({ code: 'unavailable' })
    redis.send = send
    expect(await other.expiredLeases()).toEqual([])
    expect(await takeOver(heir)).toEqual(['t'])
    expect(await takeOver(heir)).toEqual([])
    clock.ms = 40_000
    expect(await takeOver(other)).toEqual(['t'])
  })

  it('that was taken over after the deadline of the call is found again', () =>
    inFakeTime(async () => {
      const redis = createRedisInMemory()
      const { open, clock } = opener(redis)
      const client = Object.create(redis) as RedisInMemory
      const [dead, heir] = [await open(), await open({ client, timeoutMs: 100 })]
      await appendAll(dead, taskEvents('t', 0))
      clock.ms = 16_000
      const [lease] = (await heir.expiredLeases()) as [ExpiredLease]
      client.send = async (args, key) => {
        // In time for each operation, and too late for the call, which waits for an append.
        await sleep(70)
        return redis.send(args, key)
      }
      const appending = heir.append(endOf('u')).catch(() => undefined)
      await expect(heir.takeOver(lease)).rejects.toMatchObject({ code: 'unavailable' })
      await appending
      await sleep(200)
      client.send = redis.send
      const tasks = (await heir.expiredLeases()).flatMap((each) => each.tasks.map(({ taskId }) => taskId))
      expect(tasks).toEqual(['t'])
      expect(await heir.takeOver(lease)).toBe(true)
      expect(await heir.expiredLeases()).toEqual([])
      await heir.append(endOf('t'))
    }))

  it('is refused in the step that stores a state, if the event is that of an agent', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [dead, heir] = [await open(), await open()]
    await appendAll(dead, taskEvents('t', 1))
    clock.ms = 16_000
    await takeOver(heir)
    const { epoch } = await heir.read()
    const at = { epoch, next: 3, version: '0' }
    const task = { contextId: 'ctx-1', taskId: 't' }
    await expect(dead.appendIf(at, [endOf('t')], {}, task)).rejects.toMatchObject({ code: 'lease-lost' })
    expect((await heir.read()).through).toBe(2)
    expect(await dead.appendIf(at, [endOf('t')], {})).toBe('1')
  })

  it.each(['FLUSHALL', 'restart'])('is known again after a %s', async (what) => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    const [writer, reader] = [await open(), await open()]
    const [created, ...rest] = taskEvents('t', 2)
    await writer.append(created as ContextAnyEvent)
    if (what === 'FLUSHALL') redis.flush()
    else {
      // The file that it starts from lacks the last write.
      for (const value of redis.keys.values()) {
        if (!(value instanceof Map)) continue
        for (const field of value.keys()) if (/^[wo]:/.test(field)) value.delete(field)
      }
      redis.restart()
    }
    await appendAll(writer, rest)
    clock.ms = 16_000
    expect(await takeOver(reader)).toEqual(['t'])
  })

  it.each([
    ['in the same task', (rest: readonly ContextAnyEvent[]) => rest],
    ['with another task', () => taskEvents('u', 1)],
  ])('is found by who has not opened its stream after a FLUSHALL and appends %s', async (_, after) => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    const writer = await open()
    const [created, ...rest] = taskEvents('t', 2)
    await writer.append(created as ContextAnyEvent)
    redis.flush()
    // Its process stops before it renews the lease.
    await appendAll(writer, after(rest))
    clock.ms = 16_000
    const options = settingsOf({ client: redis, stream: 's', now: () => clock.ms })
    expect(await leaseIndex({ ...options, commands: commandsOf(redis) }).due()).toEqual(['s'])
  })

  it('is found although somebody looked just before it began', async () => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    const client = Object.create(redis) as RedisInMemory
    const [writer, reader] = [await open({ client }), await open()]
    client.send = async (args, key) => {
      // Its process stops before it renews the lease.
      if (args.includes('append'))
        for (let n = 0; n < 2; n++) expect(await reader.expiredLeases()).toEqual([])
      return redis.send(args, key)
    }
    const options = settingsOf({ client: redis, stream: 's', now: () => clock.ms })
    const index = leaseIndex({ ...options, commands: commandsOf(redis) })
    await writer.append(taskEvents('t', 0)[0] as ContextAnyEvent)
    clock.ms = 16_000
    expect(await index.due()).toEqual(['s'])
    expect(await takeOver(reader)).toEqual(['t'])
    await reader.append(endOf('t'))
    // Without a lease at two looks with some time in between, it is forgotten.
    for (let look = 0; look < 2; look++) {
      expect(await reader.expiredLeases()).toEqual([])
      clock.ms += 16_000
    }
    expect(await index.due()).toEqual([])
    expect(await index.entry('s')).toBe('')
  })

  it('is found however its operations interleave with looks before its process stops', () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(20_000), { maxLength: 4 }),
        async (scheduler, pauses) => {
          const redis = createRedisInMemory()
          const { open, clock } = opener(redis)
          // Time passes for the process as for Redis.
          const passing = vi.spyOn(performance, 'now').mockImplementation(() => clock.ms)
          onTestFinished(() => passing.mockRestore())
          const [client, heir] = [Object.create(redis) as RedisInMemory, await open()]
          const [writer, reader] = [await open({ client }), await open({ client })]
          client.send = (args, key) => scheduler.schedule(Promise.resolve()).then(() => redis.send(args, key))
          const writing = async (): Promise<void> => {
            for (const event of [taskEvents('u', 0)[0], endOf('u'), taskEvents('t', 0)[0]]) {
              await writer.append(event as ContextAnyEvent)
            }
          }
          const looking = async (): Promise<void> => {
            for (const ms of pauses) {
              clock.ms += ms
              await reader.expiredLeases()
            }
          }
          await scheduler.waitFor(Promise.all([writing(), looking()]))
          const options = settingsOf({ client: redis, stream: 's', now: () => clock.ms })
          const index = leaseIndex({ ...options, commands: commandsOf(redis) })
          const found: string[] = []
          for (let look = 0; look < 3; look++) {
            clock.ms += 16_000
            if ((await index.due()).includes('s')) found.push(...(await takeOver(heir)))
          }
          expect(found).toEqual(['t'])
        },
      ),
      { numRuns: runs(30) },
    ))

  it('is found after a FLUSHALL if its process stops before it learns of that, once somebody reads on', async () => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    const client = Object.create(redis) as RedisInMemory
    const [writer, reader] = [await open({ client }), await open()]
    const [created, next] = taskEvents('t', 1) as [ContextAnyEvent, ContextAnyEvent]
    const { epoch } = await writer.append(created)
    const stored = new Promise<void>((resolve) => {
      client.send = async (args, key) => {
        redis.flush()
        client.send = () => new Promise(() => {})
        await redis.send(args, key)
        resolve()
        return client.send(args, key)
      }
    })
    writer.append(next).catch(() => undefined)
    await stored
    const cursor = { stream: 's', epoch, seq: 0 }
    expect(await reader.read(cursor)).toMatchObject({ type: 'reset' })
    clock.ms = 16_000
    const options = settingsOf({ client: redis, stream: 's', now: () => clock.ms })
    const noted = redis.log.filter((each) => each.endsWith(' note')).length
    expect(await leaseIndex({ ...options, commands: commandsOf(redis) }).due()).toEqual(['s'])
    // Once for each loss.
    await reader.read(cursor)
    expect(redis.log.filter((each) => each.endsWith(' note'))).toHaveLength(noted)
  })

  describe.each([
    ['begins another task', taskEvents('u', 1)],
    ['begins and ends another task', [...taskEvents('u', 1), endOf('u')]],
    ['renews its lease', undefined],
  ])('is set aside when Redis returns to an older state and the writer %s', (_, next) => {
    it('so that others end what the writer has ended before', async () => {
      const redis = createRedisInMemory()
      const { open, clock } = opener(redis)
      const [writer, reader] = [await open({ leaseMs: 300 }), await open({ leaseMs: 300 })]
      await appendAll(writer, taskEvents('t', 1))
      const old = structuredClone(redis.keys)
      redis.flush()
      redis.restart()
      await writer.append(endOf('t'))
      if (next === undefined) await appendAll(writer, taskEvents('u', 1))
      redis.flush()
      for (const [key, value] of old) redis.keys.set(key, value)
      redis.restart()
      clock.ms = 200
      if (next === undefined) await sleep(150)
      else await appendAll(writer, next)
      clock.ms = 400
      expect(await takeOver(reader)).toEqual(['t'])
      await reader.append(endOf('t'))
      await writer.release()
      await writer.close()
    })
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
    await expect.poll(() => other.read()).toMatchObject({ type: 'reset', reason: 'evicted' })
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

  it('that is renewed or given back after it was found stays', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [writer, other, heir] = [await open(), await open(), await open()]
    await appendAll(writer, taskEvents('t', 1))
    await appendAll(other, taskEvents('u', 1))
    clock.ms = 16_000
    const leases = await heir.expiredLeases()
    expect(leases).toHaveLength(2)
    await writer.append(taskEvents('t', 2)[3] as ContextAnyEvent)
    await other.release()
    expect(await Promise.all(leases.map((lease) => heir.takeOver(lease)))).toEqual([false, false])
    expect(await writer.append(endOf('t'))).toMatchObject({ seq: 7 })
  })

  it('does not include tasks that another writer goes on with', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [dead, live, heir] = [await open(), await open(), await open()]
    await appendAll(dead, [...taskEvents('t', 1), ...taskEvents('u', 1)])
    clock.ms = 10_000
    await live.append(taskEvents('u', 2)[3] as ContextAnyEvent)
    clock.ms = 16_000
    expect(await takeOver(heir)).toEqual(['t'])
    await live.append(endOf('u'))
  })

  it('is given back for some of its tasks, and taken again by the next append', async () => {
    const { open, clock } = opener(createRedisInMemory())
    const [writer, heir] = [await open(), await open()]
    await appendAll(writer, [...taskEvents('t', 1), ...taskEvents('u', 1)])
    await writer.release([{ contextId: 'ctx-1', taskId: 't' }])
    clock.ms = 16_000
    expect(await takeOver(heir)).toEqual(['u'])
    await expect(writer.append(endOf('u'))).rejects.toMatchObject({ code: 'lease-lost' })
    await writer.append(taskEvents('t', 2)[3] as ContextAnyEvent)
    await heir.release()
    await writer.release([{ contextId: 'ctx-1', taskId: 'u' }])
    await writer.append(taskEvents('u', 2)[3] as ContextAnyEvent)
    clock.ms = 40_000
    expect((await takeOver(heir)).sort()).toEqual(['t', 'u'])
  })

  it('that is renewed late does not bring back what an append has ended', async () => {
    const redis = createRedisInMemory()
    const { open, clock } = opener(redis)
    let resume: (() => void) | undefined
    const client = {
      send(args: readonly string[], key: string) {
        // The connection breaks at the first renewal.
        if (args.includes('renew') && resume === undefined) throw new Error('Socket closed unexpectedly')
        return redis.send(args, key)
      },
    }
    const pause = (): Promise<void> =>
      new Promise((resolve) => {
        resume = resolve
      })
    const log = await open({ client, leaseMs: 100, sleep: pause })
    await appendAll(log, taskEvents('t', 1))
    await expect.poll(() => resume).toBeDefined()
    const ended = log.append(endOf('t'))
    await sleep(20)
    resume?.()
    await ended
    await sleep(20)
    clock.ms = 16_000
    await (await open()).read()
    await sleep(20)
    expect(await log.append(endOf('t'))).toMatchObject({ seq: 4 })
  })

  it('ends with tasks that another writer has ended', async () => {
    const redis = createRedisInMemory()
    const open = (): Promise<RedisEventLog> => redisLog({ client: redis, stream: 's', leaseMs: 100 })
    const [agent, handler] = [await open(), await open()]
    await appendAll(agent, taskEvents('t', 1))
    await handler.append({ ...taskEvents('t', 1)[2], index: 1 } as ContextAnyEvent)
    await agent.append(endOf('t'))
    const states = (): string[] =>
      [...redis.keys.values()].flatMap((value) =>
        value instanceof Map ? [...value].flatMap(([name, lease]) => (/^w:/.test(name) ? lease : [])) : [],
      )
    expect(states().filter((state) => state.startsWith('open'))).toHaveLength(1)
    await expect.poll(() => states().filter((state) => state.startsWith('open'))).toEqual([])
    const renewals = redis.log.length
    await sleep(150)
    expect(redis.log).toHaveLength(renewals)
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

it('a snapshot that comes late, or from an earlier epoch, replaces none', async () => {
  const redis = createRedisInMemory()
  const { open } = opener(redis)
  const sent: (readonly string[])[] = []
  let isHeld = false
  const client = {
    async send(args: readonly string[], key: string) {
      if (args.includes('saveSnapshot')) {
        sent.push(args)
        if (isHeld) throw new Error('ERR held')
      }
      return redis.send(args, key)
    },
  }
  const log = await open({ client, limits: { maxEvents: 10 } })
  await appendAll(log, taskEvents('t', 15))
  await log.append(endOf('t'))
  expect(await redis.send(sent[0] ?? [], '')).toEqual(['outdated'])
  isHeld = true
  await appendAll(log, taskEvents('u', 30))
  await log.append(endOf('u'))
  redis.restart()
  await log.append(endOf('v'))
  expect(sent.length).toBeGreaterThan(1)
  expect(await redis.send(sent[1] ?? [], '')).toEqual(['outdated'])
})

it('parents that form a cycle are ignored, as by a log in memory', async () => {
  const { open } = opener(createRedisInMemory())
  const log = await open()
  const base = { contextId: 'ctx-1', timestamp: '2026-01-01T00:00:00Z', agentId: 'a', prompt: 'p' }
  const links = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ] as const
  for (const [taskId, subtaskId] of links) {
    await log.append({ kind: 'subtask-created', ...base, taskId, subtaskId } as ContextAnyEvent)
  }
  await appendAll(log, [endOf('a'), endOf('c')])
  const ends = (await eventsOf(log)).filter(({ kind }) => kind === 'task-status')
  expect(ends).toEqual([endOf('a'), { ...endOf('c'), parentTaskId: 'b' }])
})

it('forgets an open task that is larger than its limit, and the log is trimmed all the same', async () => {
  const { open } = opener(createRedisInMemory())
  const log = await open({ limits: { maxBytes: 500, maxEvents: 10 } })
  await appendAll(log, taskEvents('t', 60))
  for (let i = 0; i < 30; i++)
    await log.append({ ...taskEvents('t', 1)[2], index: 60 + i } as ContextAnyEvent)
  expect(JSON.stringify(await log.snapshot()).length).toBeLessThan(5000)
  const part = await nextPart(log, { epoch: 'e', seq: 0 })
  expect(part).toMatchObject({
    type: 'reset',
    reason: 'epoch-changed',
    forgotten: { before: expect.anything() },
  })
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

  it('names the commands that the user of Redis lacks the right to, until it has them', async () => {
    const redis = createRedisInMemory()
    const { open } = opener(redis)
    redis.refused.add('XTRIM').add('PUBLISH')
    await expect(open()).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(
        /XTRIM \(.*PUBLISH \(.*ACL SETUSER: ~turnstream:\* &turnstream:\* \+eval/,
      ),
    })
    expect(redis.keys.size).toBe(0)
    redis.refused.clear()
    await open()
  })

  it.each(['subscribe', 'evalsha'])('names %s', async (command) => {
    const redis = createRedisInMemory()
    const refuse = async (): Promise<never> => {
      throw new Error(`NOPERM this user has no permissions to run the '${command}' command`)
    }
    const openSubscriber: RedisInMemory['openSubscriber'] = async (listener) => {
      // As node-redis: ready before the answer to the subscription.
      const subscribe = async (): Promise<never> => {
        listener.connected()
        await sleep(5)
        return refuse()
      }
      return { ...(await redis.openSubscriber(listener)), subscribe }
    }
    const change = command === 'subscribe' ? { openSubscriber } : { send: refuse }
    await expect(redisLog({ client: { ...redis, ...change }, stream: 's' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(`run the '${command}' command`),
    })
  })

  it('reports once a client that cannot subscribe', async () => {
    const { send } = createRedisInMemory()
    const client = { send }
    const reported: string[] = []
    const onDiagnostic = ({ code }: { code: string }): unknown => reported.push(code)
    for (const stream of ['a', 'b']) await redisLog({ client, stream, onDiagnostic })
    expect(reported).toEqual(['polling'])
  })

  it('keeps streams with braces and percent signs apart', async () => {
    const redis = createRedisInMemory()
    const logs = await Promise.all(
      ['a}b', 'a%7Db', 'a%7db', 'a', '{a}', '\ufffd', '\0', '\n'].map((stream) =>
        redisLog({ client: redis, stream }),
      ),
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
    ['timeoutMs', { timeoutMs: 0 }],
    ['prefix', { prefix: '{' }],
    ['now', { now: 1 }],
    ['sleep', { sleep: 1 }],
    ['options', { lease: 1 }],
  ])('rejects an invalid %s', async (name, options) => {
    const valid = { client: createRedisInMemory(), stream: 's' }
    await expect(redisLog({ ...valid, ...options } as never)).rejects.toThrow(new RegExp(`^"${name}`))
  })

  it('takes replies of bytes', async () => {
    const { send } = createRedisInMemory()
    const bytesIn = (reply: unknown): unknown => {
      if (Array.isArray(reply)) return reply.map(bytesIn)
      return typeof reply === 'string' ? Buffer.from(reply) : reply
    }
    const client = { send: async (args: readonly string[], key: string) => bytesIn(await send(args, key)) }
    const log = await redisLog({ client, stream: 's' })
    await appendAll(log, taskEvents('é', 3))
    expect(await eventsOf(log)).toEqual(taskEvents('é', 3))
    await log.close()
    await expect(log.append(endOf('t'))).rejects.toThrow(TypeError)
  })

  it('rejects an event that JSON cannot hold', async () => {
    const { open } = opener(createRedisInMemory())
    const log = await open()
    await expect(log.append({ ...endOf('t'), metadata: { n: 1n } } as never)).rejects.toThrow(TypeError)
    await expect(log.append({ ...endOf('t'), metadata: nested(200_000) } as never)).rejects.toThrow(TypeError)
    await expect(log.append(undefined as never)).rejects.toThrow(TypeError)
    expect(await log.append(endOf('t'))).toMatchObject({ seq: 0 })
  })
})

it('neither renews nor reads all the time with a lease that is longer than a timer', async () => {
  const { open } = opener(createRedisInMemory())
  const log = await open({ leaseMs: Number.MAX_SAFE_INTEGER })
  const timers = vi.spyOn(globalThis, 'setTimeout')
  await appendAll(log, taskEvents('task-1', 1))
  const stop = new AbortController()
  const { epoch, through: seq } = (await log.read()) as Reset
  const waiting = log.read({ stream: 's', epoch, seq }, { wait: true, signal: stop.signal })
  await sleep(50)
  stop.abort()
  await waiting
  const delays = timers.mock.calls.map(([, ms = 0]) => ms)
  timers.mockRestore()
  await log.close()
  expect(delays.filter((ms) => ms > 2 ** 31 - 1)).toEqual([])
})

/** Objects in objects. */
function nested(depth: number): object {
  return Array.from({ length: depth }).reduce<object>((inner) => ({ inner }), {})
}
