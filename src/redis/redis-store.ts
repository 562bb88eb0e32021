/** A store in Redis. */
import { requireOnly } from '../core/require.ts'
import { optionNames, type Store, type StoreOptions, settingsOf, storeOf } from '../server/store.ts'
import { settingsOf as checkedOptions, type RedisLogOptions } from './options.ts'
import { redisLog } from './redis-log.ts'
import { RedisLogError } from './redis-log-error.ts'

/** The options of the logs that a store has besides its own. */
const logOptionNames = ['client', 'limits', 'leaseMs', 'expireMs', 'prefix', 'sleep']
/** Options of both. */
const sharedNames = ['timeoutMs', 'now', 'onDiagnostic']

/**
 * Options of {@link redisStore}: those of all stores, and of the logs. `timeoutMs` and `now` hold for both; the clock is the same
 * for all processes.
 */
export interface RedisStoreOptions
  extends StoreOptions,
    Omit<RedisLogOptions, 'stream' | 'create' | 'timeoutMs' | 'now' | 'onDiagnostic'> {}

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
  requireOnly('options', options, [...optionNames, ...logOptionNames])
  const log = pick(options, [...logOptionNames, ...sharedNames]) as Omit<RedisLogOptions, 'stream'>
  checkedOptions({ ...log, stream: 'any' })
  const settings = settingsOf(pick(options, optionNames))
  const { open, close } = storeOf(settings, async (stream, { create }) => {
    try {
      return await redisLog({ ...log, stream, create })
    } catch (error) {
      if (error instanceof RedisLogError && error.code === 'not-found') return undefined
      throw error
    }
  })
  return { open, close }
}

/** The options with these names that are given. */
function pick(options: object, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => names.includes(name) && value !== undefined),
  )
}
