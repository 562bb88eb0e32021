/** Databases of PGlite. */
import { mismatch } from '../../core/require.ts'
import type { SqlDatabase, SqlRow } from '../database.ts'

/** What is used of a `PGlite` of the package `@electric-sql/pglite`. */
export interface PgliteClient {
  transaction<T>(work: (transaction: PgliteQueries) => Promise<T>): Promise<T | undefined>
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>
}

/** What is used of a transaction. */
export interface PgliteQueries {
  query(text: string, params?: unknown[]): Promise<{ readonly rows: unknown[] }>
}

/**
 * A database of PGlite, Postgres in WebAssembly: for tests and for one process.
 *
 * @throws TypeError if it is no PGlite.
 *
 * @example
 * ```ts
 * const store = sqlStore({ database: pglite(new PGlite('streams')) })
 * ```
 */
export function pglite(client: PgliteClient): SqlDatabase {
  const { transaction, listen } = (client ?? {}) as Partial<PgliteClient>
  if (typeof transaction !== 'function' || typeof listen !== 'function')
    throw mismatch('client', 'a PGlite of @electric-sql/pglite', client)
  return {
    dialect: 'postgres',
    async run(statements) {
      const results: SqlRow[][] = []
      await client.transaction(async (within) => {
        for (const { text, params } of statements) {
          // It takes no number for a text, and every text for a number.
          const given = params.map((value) => (typeof value === 'number' ? String(value) : value))
          results.push((await within.query(text, given)).rows as SqlRow[])
        }
      })
      return results
    },
    listen: (channel, { notified }) => client.listen(channel, notified),
  }
}
