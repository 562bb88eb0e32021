/** A store in a SQL database. */
import { requireOnly } from '../core/require.ts'
import { startTimer } from '../core/timer.ts'
import {
  type LogStoreOptions,
  leaseOptionNames,
  optionNames,
  pick,
  type Store,
  type StoreOptions,
  storeOf,
  settingsOf as storeSettingsOf,
} from '../server/store.ts'
import { readMilliseconds } from '../validation/callbacks.ts'
import { checkOnce, forgetCheck } from './check.ts'
import { statement } from './database.ts'
import { streamNamed } from './keys.ts'
import { bind } from './operations.ts'
import { logOptionNames, type SqlLogOptions, settingsOf } from './options.ts'
import { sqlLog } from './sql-log.ts'
import { SqlStoreError } from './sql-store-error.ts'
import { statements } from './statements.ts'
import { tables } from './tables.ts'

/** Options of {@link sqlStore}: those of all stores, and of the logs. `timeoutMs`, `leaseMs` and `now` hold for both. */
export interface SqlStoreOptions
  extends StoreOptions,
    Omit<SqlLogOptions, 'stream' | 'create' | 'timeoutMs' | 'leaseMs' | 'now'> {}

/** A store in a SQL database. */
export interface SqlStore extends Store {
  /**
   * Creates the tables that are missing: once, such as when an application is installed. Its role needs the right to; see
   * {@link tables} for migrations.
   */
  createTables(): Promise<void>
}

/** A number that other advisory locks of the database hardly have. */
const LOCK = 7_236_455_021

/** How often writers that have stopped long ago are forgotten. */
const FORGET_MS = 3_600_000

/**
 * Creates a store in a SQL database: it keeps all events, any number of processes write to its streams, and each answer, approval
 * and input counts once, whichever of them stop.
 *
 * @throws TypeError if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const store = sqlStore({ database: postgres(pool) })
 * await store.createTables()
 * const stream = await store.open({ owner: userId, contextId })
 * ```
 */
export function sqlStore(options: SqlStoreOptions): SqlStore {
  requireOnly('options', options, [...optionNames, ...leaseOptionNames, ...logOptionNames])
  const log = pick(options, logOptionNames) as Omit<SqlLogOptions, 'stream'>
  const { database, connection, changes, now } = settingsOf({ ...log, stream: 'any' })
  const settings = storeSettingsOf(pick(options, [...optionNames, ...leaseOptionNames]))
  const all = statements[database.dialect]
  let hasForgotten = false

  const openLog: LogStoreOptions['open'] = async (stream, { create }) => {
    try {
      return await sqlLog({ ...log, stream, create })
    } catch (error) {
      if (error instanceof SqlStoreError && error.code === 'not-found') return undefined
      throw error
    }
  }

  /** The streams with leases that have expired. */
  async function due(): Promise<string[]> {
    const values = { now: now === undefined ? null : readMilliseconds(now) }
    const list = [bind(all.due, values)]
    if (!hasForgotten) {
      list.push(bind(all.forgetWriters, values))
      hasForgotten = true
      startTimer(() => {
        hasForgotten = false
      }, FORGET_MS)
    }
    const [rows = []] = await connection.run(list)
    return rows.map(({ name }) => streamNamed(String(name)))
  }

  const { open, close } = storeOf(settings, openLog, { leases: { due } })
  return {
    open,
    async close() {
      await close()
      await changes.rest()
    },
    async createTables() {
      forgetCheck(database)
      // Processes that start together would create the same.
      const lock = database.dialect === 'postgres' ? [`SELECT pg_advisory_xact_lock(${LOCK})`] : []
      await connection.run([...lock, ...tables(database.dialect)].map((text) => statement(text)))
      await checkOnce({ database, connection })
    },
  }
}
