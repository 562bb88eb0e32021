/** A log in Redis: any number of processes append to a stream and read it. */
import type { ContextAnyEvent } from '../events/event.ts'
import type { Snapshot, StateLog } from '../streams/log/event-log.ts'
import type { LeaseLog } from '../streams/log/lease-log.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { requireSnapshotOptions, type SnapshotOptions } from '../streams/log/snapshot-options.ts'
import { LogWriter } from '../streams/log/writer/log-writer.ts'
import { checkOnce } from './check.ts'
import { commandsOf } from './client.ts'
import { Keeper } from './keeper.ts'
import { leaseIndex } from './lease-index.ts'
import { operationsOf } from './operations.ts'
import { type RedisLogOptions, settingsOf } from './options.ts'
import { Reader } from './reader.ts'
import { RedisLogError } from './redis-log-error.ts'
import { stateOf } from './state.ts'
import { redisWriterPort } from './writer-port.ts'

/** A log in Redis. Each one is a writer of its own, with its own lease. */
export interface RedisEventLog extends StateLog<ContextAnyEvent>, LeaseLog<ContextAnyEvent> {
  /** A snapshot of the whole stream, for readers that get a reset. */
  snapshot(filter?: ReadFilter, options?: SnapshotOptions): Promise<Snapshot<ContextAnyEvent> | undefined>
}

/**
 * Opens a stream in Redis 7 or later, and creates it if it does not exist. Rejects with a {@link RedisLogError}, as all
 * functions of the log do.
 *
 * Readers never miss an event. If Redis was started again, or has lost events in another way, a new epoch begins, and
 * readers get a reset. If a writer stops without ending its tasks, its lease expires: a `redisStore` in any process takes
 * it over then.
 *
 * @throws TypeError if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const log = await redisLog({ client, stream: 'context/ctx-1' })
 * await log.append(event)
 * ```
 */
export async function redisLog(options: RedisLogOptions): Promise<RedisEventLog> {
  const settings = settingsOf(options)
  const { client, stream, create } = settings
  const commands = commandsOf(client)
  const operations = operationsOf({ ...settings, commands })
  const index = leaseIndex({ ...settings, commands })
  const reader = new Reader(settings, operations, index)
  const keeper = new Keeper(settings, operations, reader)
  const port = redisWriterPort(settings, operations, index, {
    makeRoom: () => keeper.save(),
    read: (cursor) => reader.read(cursor),
  })
  const writer = new LogWriter(settings, port)
  await operations.inTime(async () => {
    await checkOnce(settings, commands, operations)
    if (!create && Number((await operations.run('exists'))[0]) === 0) {
      throw new RedisLogError('not-found', `The stream "${stream}" does not exist.`)
    }
    await reader.read(undefined, { maxBytes: 1 })
  })
  return {
    append: (event, appendOptions) => writer.append(event, appendOptions),
    read: (cursor, readOptions) => reader.read(cursor, readOptions),
    snapshot: async (filter, snapshotOptions) => {
      const checked = requireSnapshotOptions(snapshotOptions)
      return operations.inTime(() => keeper.snapshot(filter, checked))
    },
    expiredLeases: () => operations.inTime(() => writer.expiredLeases()),
    takeOver: (lease) => writer.takeOver(lease),
    release: (tasks) => writer.release(tasks),
    close: () => writer.close(),
    ...stateOf(settings, operations, writer),
  }
}
