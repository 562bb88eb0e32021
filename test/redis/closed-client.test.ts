// Proves that a client which is closed, or was never connected, is named at once: no other try changes that.
import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster, createSentinel } from 'redis'
import type { ContextAnyEvent } from 'turnstream'
import { type RedisClient, redisLog, redisStore } from 'turnstream/redis'
import { describe, expect, it, vi } from 'vitest'
import { createRedisInMemory } from '../support/redis-in-memory.ts'

const node = { host: '127.0.0.1', port: 1 }
const closed: Readonly<Record<string, () => RedisClient>> = {
  'node-redis': () => createClient(),
  'a pool of node-redis': () => createClientPool(),
  'a cluster of node-redis': () => createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:1' }] }),
  'a sentinel of node-redis': () => createSentinel({ name: 'a', sentinelRootNodes: [node] }),
  ioredis() {
    const client = new Redis({ lazyConnect: true })
    client.disconnect()
    return client
  },
  'a cluster of ioredis'() {
    const client = new Cluster([node], { lazyConnect: true })
    client.disconnect()
    return client
  },
}

const refusal = {
  name: 'RedisLogError',
  code: 'refused',
  message: expect.stringMatching(
    /^Expected a connected client for .*, got one that is closed: await its connect\(\)/,
  ),
}

describe.each(Object.keys(closed))('a client that is closed: %s', (name) => {
  it('is named when a stream is opened', async () => {
    const client = (closed[name] as () => RedisClient)()
    await vi.waitFor(() => expect((client as { status?: unknown }).status ?? 'end').toBe('end'))
    await expect(redisLog({ client, stream: 's' })).rejects.toMatchObject(refusal)
    const diagnostics: string[] = []
    const store = redisStore({ client, onDiagnostic: ({ message }) => diagnostics.push(message) })
    await expect(store.open('s')).rejects.toMatchObject(refusal)
    await vi.waitFor(() => expect(diagnostics[0]).toContain('got one that is closed'))
    await store.close()
  })
})

it('a client that is closed while a command is in flight leaves the outcome unknown', async () => {
  const redis = createRedisInMemory()
  const client = Object.assign(Object.create(redis) as typeof redis, { isOpen: true })
  const log = await redisLog({ client, stream: 's' })
  client.send = async () => {
    client.isOpen = false
    throw new Error('The socket was closed')
  }
  const event: ContextAnyEvent = {
    ...{
      kind: 'task-status',
      contextId: 'c',
      taskId: 't',
      timestamp: '2026-01-01T00:00:00Z',
      status: 'working',
    },
  }
  await expect(log.append(event)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('got one that is closed'),
    cause: { message: 'The socket was closed' },
  })
  await expect(log.append(event)).rejects.toMatchObject(refusal)
})

it('a Redis whose memory is full is named with the remedy when a stream is opened', async () => {
  const redis = createRedisInMemory()
  const client = Object.create(redis) as typeof redis
  client.send = async (args, key) =>
    args.includes('check') ? [0, 'HSET (OOM command not allowed)'] : redis.send(args, key)
  await expect(redisLog({ client, stream: 's' })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/HSET \(OOM .*Raise the maxmemory/),
  })
})
