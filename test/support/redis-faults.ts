/** Clients of Redis that lose requests and answers. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type RedisClient, redisLog, redisStore } from 'turnstream/redis'
import type { EventLog } from 'turnstream/streams'
import { commandsOf, type RedisCommands } from '../../src/redis/client.ts'
import type { RedisLogOptions } from '../../src/redis/options.ts'
import type { RedisStoreOptions } from '../../src/redis/redis-store.ts'
import type { OpenWriter, Writer } from './overlapping-law.ts'

/** What becomes of a request: seven of ten are lost, or their answers are. Late ones are carried out after others. */
const fates = [
  'ok',
  'ok',
  'ok',
  'request',
  'request',
  'answer',
  'answer',
  'answer',
  'late',
  'hangs',
  'slow',
] as const

/** Fates by their indexes. At last, some are good. */
export const dice: fc.Arbitrary<number[]> = fc
  .array(fc.nat(fates.length - 1), { minLength: 5, maxLength: 40 })
  .map((all) => [...all, 0, 0])

/** A client whose appends meet these fates, one after the other. */
export function unreliable(redis: Pick<RedisCommands, 'send'>, all: readonly number[]) {
  let turn = 0
  const late: (() => unknown)[] = []
  return {
    /** What is late comes at last. */
    async arrive(): Promise<void> {
      for (const send of late.splice(0)) await send()
    },
    async send(args: readonly string[], key: string): Promise<unknown> {
      if (!args.includes('append') && !args.includes('commit')) return redis.send(args, key)
      const fate = fates[all[turn++ % all.length] ?? 0]
      if (fate === 'late' || fate === 'hangs') late.push(() => redis.send(args, key).catch(() => undefined))
      else if (turn % 3 === 0) for (const send of late.splice(0)) await send()
      if (fate === 'hangs') return new Promise(() => {})
      // In time for the log, and too late for who has waited before for others.
      if (fate === 'slow') await sleep(15)
      if (fate === 'request' || fate === 'late') throw new Error('Socket closed unexpectedly')
      const reply = await redis.send(args, key)
      if (fate === 'answer') throw new Error('Socket closed unexpectedly')
      return reply
    },
  }
}

/** Opens writers of new streams over a client whose appends meet fates: of a log, and of a stream of a store. */
export function unreliableWriters(
  client: RedisClient,
  options: { readonly timeoutMs: number },
): Readonly<Record<'log' | 'stream', OpenWriter>> {
  const writerOf =
    (
      open: (
        options: object,
        stream: string,
      ) => Promise<Pick<EventLog, 'append'> & { release(): Promise<void> }>,
    ) =>
    async (all: readonly number[]): Promise<Writer> => {
      const stream = randomUUID()
      const reader = await redisLog({ client, stream, now })
      const faulty = unreliable(commandsOf(client), all)
      const writer = await open({ client: faulty, now, sleep: async () => {}, ...options }, stream)
      return {
        append: (event) => writer.append(event),
        stored: async () => (await reader.read(undefined, { maxBytes: 1e6 })).events ?? [],
        arrive: faulty.arrive,
        end: () => writer.release().catch(() => undefined),
      }
    }
  return {
    log: writerOf((given, stream) => redisLog({ ...given, stream } as RedisLogOptions)),
    stream: writerOf((given, stream) => redisStore(given as RedisStoreOptions).open(stream)),
  }
}

/** One clock, which stands still: no lease expires. */
const now = (): number => 0
