/** Databases of `node:sqlite` and better-sqlite3. */
import { mismatch } from '../../core/require.ts'
import type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from '../database.ts'

/** What is used of a database of `node:sqlite` or better-sqlite3. */
export interface SqliteClient {
  exec(text: string): unknown
  prepare(text: string): SqliteStatement
}

/** What is used of a prepared statement. */
export interface SqliteStatement {
  all(...params: SqlValue[]): unknown[]
  run(...params: SqlValue[]): unknown
  /** Whether it returns rows, where the client states it. */
  readonly reader?: boolean
}

/** What a database needs. A power cut takes nothing back that readers have seen, and nobody waits with the process blocked. */
const PRAGMAS = ['journal_mode = WAL', 'synchronous = FULL', 'busy_timeout = 0']

/** How many statements are prepared at once. */
const MAX_PREPARED = 200

/**
 * A database in a file, of a `DatabaseSync` of `node:sqlite` or a `Database` of better-sqlite3. Give it one of its own: it sets
 * `journal_mode = WAL`, `synchronous = FULL` and `busy_timeout = 0`. While another process writes, it waits without blocking.
 *
 * @throws TypeError if it is no such database, or what the database throws if it cannot be set up.
 *
 * @example
 * ```ts
 * const store = sqlStore({ database: sqlite(new DatabaseSync('streams.db')) })
 * ```
 */
export function sqlite(client: SqliteClient): SqlDatabase {
  const { exec, prepare } = (client ?? {}) as Partial<SqliteClient>
  if (typeof exec !== 'function' || typeof prepare !== 'function')
    throw mismatch('client', 'a database of node:sqlite or better-sqlite3', client)
  for (const pragma of PRAGMAS) client.exec(`PRAGMA ${pragma}`)
  const prepared = new Map<string, (params: readonly SqlValue[]) => SqlRow[]>()

  function runnerOf(text: string): (params: readonly SqlValue[]) => SqlRow[] {
    const known = prepared.get(text)
    if (known !== undefined) return known
    const order: number[] = []
    const positional = text.replace(/\$(\d+)/g, (_, index) => {
      order.push(Number(index) - 1)
      return '?'
    })
    const compiled = client.prepare(positional)
    const run = (params: readonly SqlValue[]): SqlRow[] => {
      const given = order.map((index) => params[index] ?? null)
      // better-sqlite3 refuses to return the rows of a statement that has none.
      if (compiled.reader !== false) return compiled.all(...given) as SqlRow[]
      compiled.run(...given)
      return []
    }
    if (prepared.size >= MAX_PREPARED) prepared.clear()
    prepared.set(text, run)
    return run
  }

  return {
    dialect: 'sqlite',
    async run(statements) {
      const [only] = statements
      if (only !== undefined && statements.length === 1) return [runnerOf(only.text)(only.params)]
      client.exec('BEGIN IMMEDIATE')
      try {
        const results = statements.map(({ text, params }: SqlStatement) => runnerOf(text)(params))
        client.exec('COMMIT')
        return results
      } catch (error) {
        rollBack(client)
        throw error
      }
    },
  }
}

/** SQLite has rolled back by itself after some errors, such as a full disk. */
function rollBack(client: SqliteClient): void {
  try {
    client.exec('ROLLBACK')
  } catch {}
}
