// Proves that the messages of a stream in a cluster go to its node alone, and that readers get everything when streams move.
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'
import { type RedisEventLog, redisLog } from 'turnstream/redis'
import { follow } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { expectToWake } from '../support/event-log-law.ts'
import { inFakeTime } from '../support/fake-time.ts'
import { createRedisInMemory, type RedisInMemory } from '../support/redis-in-memory.ts'
import { runs } from '../support/runs.ts'

afterEach(() => void vi.useRealTimers())

const fakeTimers = (): unknown => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

function delta(index: number): ContextAnyEvent {
  const base = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
  return { ...base, kind: 'content-delta', delta: `<${index}>`, index }
}

const count = (names: readonly string[], name: string): number => names.filter((one) => one === name).length

/** A client of a process of its own. */
const clientOf = (redis: RedisInMemory, change: object = {}): RedisInMemory =>
  Object.assign(Object.create(redis) as RedisInMemory, change)

/** As node-redis: what was subscribed once counts as subscribed, until the connection ends. */
function forgetful(redis: RedisInMemory): RedisInMemory {
  return clientOf(redis, {
    openSubscriber: async (...args: Parameters<RedisInMemory['openSubscriber']>) => {
      const subscriber = await redis.openSubscriber(...args)
      const known = new Set<string>()
      const ssubscribe = async (channel: string): Promise<unknown> =>
        known.has(channel) || (known.add(channel) && subscriber.ssubscribe?.(channel))
      return { ...subscriber, ssubscribe }
    },
  })
}

describe('a log in a cluster', () => {
  it('wakes readers', async () => {
    const redis = createRedisInMemory('cluster')
    await expectToWake((stream) => redisLog({ client: redis, stream }))
  })

  it('announces events on the node of the stream, and nothing on the others', async () => {
    const redis = createRedisInMemory('cluster')
    const log = await redisLog({ client: redis, stream: 's' })
    redis.called.length = 0
    for (let i = 0; i < 20; i++) await log.append(delta(i))
    expect([count(redis.called, 'SPUBLISH'), count(redis.called, 'PUBLISH')]).toEqual([20, 0])
    await log.close()
  })

  it('asks nothing while its readers wait, but that messages come', async () => {
    fakeTimers()
    const redis = createRedisInMemory('cluster')
    const leaving = new AbortController()
    const reading: Promise<unknown>[] = []
    for (let i = 0; i < 20; i++) {
      const log = await redisLog({ client: redis, stream: `s${i}` })
      const { stream, epoch } = await log.append(delta(0))
      await log.release()
      reading.push(log.read({ stream, epoch, seq: 0 }, { wait: true, signal: leaving.signal }))
    }
    await vi.advanceTimersByTimeAsync(5000)
    redis.log.length = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect(redis.log).toEqual(Array.from({ length: 6 }, () => 'EVALSHA probe'))
    leaving.abort()
    await Promise.all(reading)
  })

  it.each([
    ['that subscribes again', clientOf],
    ['that does not', forgetful],
  ])('listens to the node that has the stream now, with a client %s', async (_, connect) => {
    fakeTimers()
    const redis = createRedisInMemory('cluster')
    const log = await redisLog({ client: connect(redis), stream: 's' })
    const other = await redisLog({ client: clientOf(redis), stream: 's' })
    await other.append(delta(0))
    let got = 0
    const leaving = new AbortController()
    const following = (async () => {
      for await (const part of follow(log, undefined, { signal: leaving.signal })) got = part.through
    })()
    await vi.advanceTimersByTimeAsync(5000)
    redis.moveSlots()
    await other.append(delta(1))
    await vi.advanceTimersByTimeAsync(1000)
    expect(got).toBe(1)
    await vi.advanceTimersByTimeAsync(40_000)
    await other.release()
    redis.log.length = 0
    await vi.advanceTimersByTimeAsync(20_000)
    expect(redis.log).toEqual(['EVALSHA probe', 'EVALSHA probe'])
    await other.append(delta(2))
    await vi.advanceTimersByTimeAsync(0)
    expect(got).toBe(2)
    leaving.abort()
    await following
    await other.release()
  })

  it('gives readers everything, whenever its streams move', async () => {
    const steps = fc.array(fc.constantFrom('append', 'append', 'move', 'wait', 'break'), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(clientOf, forgetful), async (all, connect) => {
        fakeTimers()
        const redis = createRedisInMemory('cluster')
        const open = (client: RedisInMemory): Promise<RedisEventLog> => redisLog({ client, stream: 's' })
        const [log, other] = [await open(connect(redis)), await open(clientOf(redis))]
        let got = -1
        const following = (async () => {
          for await (const part of follow(log)) got = part.through
        })()
        let appended = -1
        for (const step of all) {
          if (step === 'append') await other.append(delta(++appended))
          else if (step === 'move') redis.moveSlots()
          else if (step === 'break') redis.breakConnections()
          else await vi.advanceTimersByTimeAsync(3000)
        }
        // What polls asks four times a second.
        await vi.advanceTimersByTimeAsync(1000)
        expect(got).toBe(appended)
        await other.close()
        await vi.advanceTimersByTimeAsync(1000)
        await following
      }),
      { numRuns: runs(30) },
    )
  })

  it('asks for new events, and reports that, if its client cannot subscribe to a node', () =>
    inFakeTime(async () => {
      const redis = createRedisInMemory('cluster')
      const client = clientOf(redis, {
        openSubscriber: async (...args: Parameters<RedisInMemory['openSubscriber']>) => {
          const { ssubscribe: _, ...subscriber } = await redis.openSubscriber(...args)
          return subscriber
        },
      })
      const messages: string[] = []
      const onDiagnostic = ({ message }: { message: string }): unknown => messages.push(message)
      await expectToWake((stream) => redisLog({ client, stream, onDiagnostic }), 3)
      expect(messages).toEqual([
        expect.stringContaining('got one that cannot (its subscriber has no ssubscribe)'),
      ])
    }))

  it('names the right to publish on a node', async () => {
    const redis = createRedisInMemory('cluster')
    redis.refused.add('SPUBLISH')
    await expect(redisLog({ client: redis, stream: 's' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/: SPUBLISH \(.*\+spublish/),
    })
  })
})

it('an operation reads the fields that it needs', async () => {
  const redis = createRedisInMemory()
  const log = await redisLog({ client: redis, stream: 's' })
  await log.append(delta(0))
  redis.called.length = 0
  for (let i = 1; i <= 100; i++) await log.append(delta(i))
  for (let i = 0; i < 100; i++) await log.read(undefined, { maxBytes: 1 })
  const counts = Object.fromEntries(
    ['HGETALL', 'HMGET', 'INFO', 'XADD', 'PUBLISH'].map((name) => [name, count(redis.called, name)]),
  )
  // The process that answers is asked once each time: another one may have taken over.
  expect(counts).toEqual({ HGETALL: 0, HMGET: 200, INFO: 200, XADD: 100, PUBLISH: 100 })
  await log.close()
})
