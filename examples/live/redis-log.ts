/**
 * An {@link EventLog} on Redis Streams: any number of processes append to a stream and follow it.
 *
 *     agentwire:{<stream>}:epoch      the epoch: chosen by the first process that opens the stream
 *     agentwire:{<stream>}:<epoch>    the events: entry 0-1 is the event with the `seq` 0
 *
 * Redis assigns the entry numbers (`XADD … 0-*`, Redis 7.0 or later), so all writers share one order. The end
 * of the stream is an entry with the highest possible number: nothing can be appended after it.
 *
 * Redis must not lose confirmed entries: run it with `appendfsync always`, or delete the epoch after a restart
 * that lost the last second. Losing all data is safe: the epoch is lost too, and readers get a reset
 * `epoch-changed`.
 */
import { randomUUID } from 'node:crypto'
import { createClient, type RedisClientType } from '@redis/client'
import type { ContextAnyEvent } from 'agentwire'
import { type EventLog, type LogExtent, makeBatch, resolveCursor } from 'agentwire/streams'
import { watchEntries } from './redis-watch.ts'

/** A connection to Redis. */
export type Redis = RedisClientType<Nothing, Nothing, Nothing, 3>
/** No modules, functions or scripts. */
type Nothing = Record<never, never>

/** Connects to Redis. Rejects if the connection fails. */
export async function connectRedis(url: string): Promise<Redis> {
  const redis = createClient({ url, socket: { reconnectStrategy: false } })
  // Errors reject the pending command.
  redis.on('error', () => {})
  await redis.connect()
  return redis
}

/** Maximum number of events per read. */
const PAGE = 1000
/** How long a stream is kept after its end: a day, in seconds. */
const RETENTION = 86_400
const END = '0-18446744073709551615'

/** Opens a stream, and creates it if it does not exist. */
export async function openRedisLog(redis: Redis, stream: string): Promise<EventLog> {
  const epoch = await epochOf(redis, stream)
  const key = `agentwire:{${stream}}:${epoch}`
  const updates = watchEntries(redis, key)

  async function extent(): Promise<LogExtent> {
    const [oldest, newest] = await redis
      .multi()
      .xRange(key, '-', '+', { COUNT: 1 })
      .xRevRange(key, '+', '-', { COUNT: 2 })
      .execTyped()
    const closed = newest?.[0]?.id === END
    const last = newest?.[closed ? 1 : 0]
    const next = last === undefined ? 0 : seqOf(last.id) + 1
    const first = oldest?.[0]
    const earliest = first === undefined || first.id === END ? next : seqOf(first.id)
    return { stream, epoch, earliest, next, closed }
  }

  return {
    async append(event) {
      try {
        const id = await redis.xAdd(key, '0-*', { event: JSON.stringify(event) })
        return { stream, epoch, seq: seqOf(String(id)) }
      } catch (error) {
        if ((await extent()).closed) throw new TypeError(`Cannot append to a closed log: ${stream}.`)
        throw error
      }
    },

    async read(cursor, { filter, wait = false, signal } = {}) {
      for (;;) {
        const log = await extent()
        const after = resolveCursor(log, cursor, filter)
        if (typeof after === 'object') return after
        const found = await redis.xRange(key, idOf(after + 1), idOf(log.next - 1), { COUNT: PAGE })
        const entries = found ?? []
        // Trimmed between the two commands: try again.
        if (after + 1 < log.next && entries[0]?.id !== idOf(after + 1)) continue
        if (entries.length > 0 || log.closed || !wait || signal?.aborted === true) {
          return makeBatch(log, after, entries.map(eventIn), filter)
        }
        await updates.after(BigInt(log.next), signal)
      }
    },

    async close() {
      try {
        await redis.xAdd(key, END, { end: '' })
      } catch (error) {
        if (!(await extent()).closed) throw error
      }
      await redis.multi().expire(epochKey(stream), RETENTION).expire(key, RETENTION).exec()
    },
  }
}

/** Whether a stream exists. Unlike opening it, does not create it. */
export async function hasRedisLog(redis: Redis, stream: string): Promise<boolean> {
  return (await redis.exists(epochKey(stream))) === 1
}

function epochKey(stream: string): string {
  return `agentwire:{${stream}}:epoch`
}

async function epochOf(redis: Redis, stream: string): Promise<string> {
  const chosen = randomUUID()
  const found = await redis.set(epochKey(stream), chosen, { condition: 'NX', GET: true })
  return found === null ? chosen : String(found)
}

function idOf(seq: number): string {
  return `0-${seq + 1}`
}

function seqOf(id: string): number {
  return Number(id.slice('0-'.length)) - 1
}

/** Events from other processes are trusted: they are not validated again. */
function eventIn({ message }: { readonly message: Record<string, string> }): ContextAnyEvent {
  return JSON.parse(message.event ?? '') as ContextAnyEvent
}
