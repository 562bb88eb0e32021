/** The streams of all turns: in the memory of this process, or in Redis for several processes. */
import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { RedisLogError, redisLog } from 'turnstream/redis'
import { createStream, type Stream } from 'turnstream/streams'

/** The streams of all turns, by the id of the turn. */
export interface Streams {
  create(id: string): Promise<Stream>
  /** Resolves to `undefined` if the turn does not exist, or no longer. */
  find(id: string): Promise<Stream | undefined>
}

/** Stores the latest turns in memory. */
export function streamsInMemory(): Streams {
  const open = latest()
  return {
    create: (id) => open.get(id, async () => createStream({ stream: streamOf(id), epoch: randomUUID() })),
    find: async (id) => open.known(id),
  }
}

/** Stores turns in Redis for a day. If their process dies, another one ends them after `leaseMs`. */
export async function streamsInRedis(url: string, leaseMs: number): Promise<Streams> {
  const client = createClient({ url })
  // The client reconnects. Operations that fail meanwhile are rejected.
  client.on('error', () => {})
  await client.connect()
  const open = latest()
  const inRedis = async (id: string, create: boolean): Promise<Stream> =>
    createStream({ log: await redisLog({ client, stream: streamOf(id), create, leaseMs }) })
  return {
    create: (id) => open.get(id, () => inRedis(id, true)),
    find: (id) =>
      open
        .get(id, () => inRedis(id, false))
        .catch((error: unknown) => {
          // Clients may request any id.
          if (error instanceof RedisLogError && error.code === 'not-found') return undefined
          throw error
        }),
  }
}

function streamOf(id: string): string {
  return `turn/${id}`
}

/** Opens each stream once, and caches the latest hundred that could be opened. */
function latest(): {
  known(id: string): Promise<Stream> | undefined
  get(id: string, open: () => Promise<Stream>): Promise<Stream>
} {
  const streams = new Map<string, Promise<Stream>>()
  return {
    known: (id) => streams.get(id),
    get(id, open) {
      const known = streams.get(id)
      if (known !== undefined) return known
      const stream = open()
      streams.set(id, stream)
      stream.catch(() => streams.delete(id))
      const [oldest] = streams.keys()
      if (streams.size > 100 && oldest !== undefined) streams.delete(oldest)
      return stream
    },
  }
}
