/** What is checked once for each database, when the first log is opened with it. */
import type { SqlDatabase } from './database.ts'
import { bind, hasFunctions } from './operations.ts'
import type { Settings } from './options.ts'
import { SqlStoreError } from './sql-store-error.ts'
import { statements } from './statements.ts'
import { VERSION } from './tables.ts'

/** What a database has. */
export interface Found {
  /** Whether it has the functions of Postgres. */
  readonly hasFunctions: boolean
}

const checks: WeakMap<SqlDatabase, Promise<Found>> = new WeakMap()

/**
 * Requires the tables, of the version that this library knows.
 *
 * @throws SqlStoreError `refused` that names what is missing; `unavailable`.
 */
export function checkOnce(settings: Pick<Settings, 'database' | 'connection'>): Promise<Found> {
  const { database } = settings
  const known = checks.get(database)
  if (known !== undefined) return known
  const checking = check(settings)
  checks.set(database, checking)
  // The next one that is opened may be lucky.
  checking.catch(() => forgetCheck(database))
  return checking
}

/** Checks a database again: its tables were created. */
export function forgetCheck(database: SqlDatabase): void {
  checks.delete(database)
}

async function check({ database, connection }: Pick<Settings, 'database' | 'connection'>): Promise<Found> {
  const { dialect } = database
  const list = [bind(statements[dialect].version, {})]
  if (dialect === 'postgres') list.push(bind(hasFunctions, {}))
  const [[row] = [], [functions] = []] = await connection.run(list)
  if (Number(row?.version) !== VERSION) {
    const message = `Expected tables of version ${VERSION}, got ${String(row?.version)}: another version of this library has created them.`
    throw new SqlStoreError('refused', message)
  }
  return { hasFunctions: functions?.found === true }
}
