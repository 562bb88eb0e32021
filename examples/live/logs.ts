/** Where the logs of the turns are kept: in this process, or in Redis for several of them. */
import { randomUUID } from 'node:crypto'
import { createMemoryLog, type EventLog } from 'agentwire/streams'
import { hasRedisLog, openRedisLog, type Redis } from './redis-log.ts'

/** The logs of all turns, by the id of the turn. */
export interface Logs {
  create(id: string): Promise<EventLog>
  /** Resolves to `undefined` when there is no such turn, or none any more. */
  find(id: string): Promise<EventLog | undefined>
}

/** Keeps the logs of the latest turns in memory. */
export function logsInMemory(): Logs {
  const open = latest(async (stream) => createMemoryLog({ stream, epoch: randomUUID(), now: Date.now }))
  return {
    create: (id) => open.get(streamOf(id)),
    find: async (id) => open.known(streamOf(id)),
  }
}

/** Keeps the logs in Redis, and a day longer than their turns last. */
export function logsInRedis(redis: Redis): Logs {
  const open = latest((stream) => openRedisLog(redis, stream))
  return {
    create: (id) => open.get(streamOf(id)),
    async find(id) {
      const stream = streamOf(id)
      // Opening would begin a stream, and anybody may ask for any id.
      return open.known(stream) ?? ((await hasRedisLog(redis, stream)) ? open.get(stream) : undefined)
    },
  }
}

function streamOf(id: string): string {
  return `turn/${id}`
}

/** Opens each stream once, and remembers the latest hundred. */
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
