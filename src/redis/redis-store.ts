/** A store in Redis. */
import {
  type LogStoreOptions,
  leaseOptionNames,
  optionNames,
  pick,
  type Store,
  type StoreOptions,
  settingsOf,
  storeOf,
} from '../server/store.ts'
import { commandsOf } from './client.ts'
import { leaseIndex } from './lease-index.ts'
import { settingsOf as checkedOptions, type RedisLogOptions, requireOptions } from './options.ts'
import { redisLog } from './redis-log.ts'
import { RedisLogError } from './redis-log-error.ts'

/** The options of the logs that a store has besides its own. */
const logOptionNames = ['client', 'limits', 'expireMs', 'prefix', 'sleep']
/** Options of both. */
const sharedNames = ['timeoutMs', 'now', 'onDiagnostic', 'leaseMs']

/**
 * Options of {@link redisStore}: those of all stores, and of the logs. `timeoutMs`, `leaseMs` and `now` hold for both; the clock is the same
 * for all processes.
 */
export interface RedisStoreOptions
  extends StoreOptions,
    Omit<RedisLogOptions, 'stream' | 'create' | 'timeoutMs' | 'leaseMs' | 'now' | 'onDiagnostic'> {}

/**
 * Creates a store in Redis 7 or later: any number of processes write to its streams, and each answer, approval and input
 * counts once, whichever of them stop.
 *
 * @throws TypeError if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const store = redisStore({ client })
 * const stream = await store.open({ owner: userId, contextId })
 * ```
 */
export function redisStore(options: RedisStoreOptions): Store {
  requireOptions(options, [...optionNames, ...leaseOptionNames, ...logOptionNames])
  const log = pick(options, [...logOptionNames, ...sharedNames]) as Omit<RedisLogOptions, 'stream'>
  const checked = checkedOptions({ ...log, stream: 'any' })
  const settings = settingsOf(pick(options, [...optionNames, ...leaseOptionNames]))
  const index = leaseIndex({ ...checked, commands: commandsOf(options.client) })
  const openLog: LogStoreOptions['open'] = async (stream, { create }) => {
    try {
      return await redisLog({ ...log, stream, create })
    } catch (error) {
      if (error instanceof RedisLogError && error.code === 'not-found') return undefined
      throw error
    }
  }
  const leases = {
    due: index.due,
    gone: async (stream: string) =>
      index.checked(stream, await index.entry(stream), undefined, settings.leaseMs),
  }
  const { open, close } = storeOf(settings, openLog, { leases })
  return { open, close }
}
