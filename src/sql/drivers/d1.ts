/** Databases of Cloudflare D1. */
import { mismatch } from '../../core/require.ts'
import type { SqlDatabase, SqlRow } from '../database.ts'

/** What is used of a `D1Database`. */
export interface D1Client {
  prepare(text: string): D1Statement
  batch(statements: D1Statement[]): Promise<{ readonly results: unknown[] }[]>
}

/** What is used of a prepared statement. */
export interface D1Statement {
  bind(...params: unknown[]): D1Statement
}

/**
 * A database of Cloudflare D1, for Workers. An event must fit in a row: 2 MB.
 *
 * @throws TypeError if it is no D1 database.
 *
 * @example
 * ```ts
 * const store = sqlStore({ database: d1(env.DB) })
 * ```
 */
export function d1(client: D1Client): SqlDatabase {
  const { prepare, batch } = (client ?? {}) as Partial<D1Client>
  if (typeof prepare !== 'function' || typeof batch !== 'function')
    throw mismatch('client', 'a D1Database', client)
  return {
    dialect: 'sqlite',
    async run(statements) {
      const results = await client.batch(
        // Its parameters are `?1`, `?2`, …
        statements.map(({ text, params }) => client.prepare(text.replace(/\$(?=\d)/g, '?')).bind(...params)),
      )
      return results.map((each) => each.results as SqlRow[])
    },
  }
}
