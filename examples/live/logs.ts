/** The logs of all turns: in the memory of this process, or in Redis for several processes. */
import { randomUUID } from 'node:crypto'
import { createMemoryLog, type EventLog } from 'agentwire/streams'
import { hasRedisLog, openRedisLog, type Redis } from './redis-log.ts'

/** The logs of all turns, by the id of the turn. */
export interface Logs {
  create(id: string): Promise<EventLog>
  /** Resolves to `undefined` if the turn does not exist, or no longer. */
  find(id: string): Promise<EventLog | undefined>
}

/** Stores the logs of the latest turns in memory. */
export function logsInMemory(): Logs {
  const open = latest(async (stream) => createMemoryLog({ stream, epoch: randomUUID(), now: Date.now }))
  return {
    create: (id) => open.get(streamOf(id)),
    find: async (id) => open.known(streamOf(id)),
  }
}

/** Stores the logs in Redis until a day after the end of their turns. */
export function logsInRedis(redis: Redis): Logs {
  const open = latest((stream) => openRedisLog(redis, stream))
  return {
    create: (id) => open.get(streamOf(id)),
    async find(id) {
      const stream = streamOf(id)
      // Opening a log creates it, and clients may request any id.
      return open.known(stream) ?? ((await hasRedisLog(redis, stream)) ? open.get(stream) : undefined)
    },
  }
}

function streamOf(id: string): string {
  return `turn/${id}`
}

/** Opens each stream once, and caches the latest hundred. */
function latest(open: (stream: string) => Promise<EventLog>): {
  known(stream: string): Promise<EventLog> | undefined
  get(stream: string): Promise<EventLog>
} {
  const logs = new Map<string, Promise<EventLog>>()
  return {
    known: (stream) => logs.get(stream),
    get(stream) {
      const log = logs.get(stream) ?? open(stream)
      logs.set(stream, log)
      const [oldest] = logs.keys()
      if (logs.size > 100 && oldest !== undefined) logs.delete(oldest)
      return log
    },
  }
}
