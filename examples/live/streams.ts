/** The streams of all turns: in the memory of this process, or in Redis for several processes. */
import { createClient } from 'redis'
import { redisStore } from 'turnstream/redis'
import { memoryStore, type Store, type Stream } from 'turnstream/server'

/** The streams of all turns, by the id of the turn. */
export interface Streams {
  create(id: string): Promise<Stream>
  /** Resolves to `undefined` if the turn does not exist, or no longer. */
  find(id: string): Promise<Stream | undefined>
}

/** Stores turns in memory. */
export function streamsInMemory(): Streams {
  return streamsOf(memoryStore())
}

/** Stores turns in Redis. If their process dies, another one ends them after `leaseMs`. */
export async function streamsInRedis(url: string, leaseMs: number): Promise<Streams> {
  const client = createClient({ url })
  // The client reconnects. Operations that fail meanwhile are rejected.
  client.on('error', () => {})
  await client.connect()
  return streamsOf(await redisStore({ client, leaseMs }))
}

function streamsOf(store: Store): Streams {
  return {
    create: (id) => store.open(`turn/${id}`),
    // Clients may request any id.
    find: (id) => store.open(`turn/${id}`, { create: false }),
  }
}
