/** The databases that the steps try, each with connections as processes of their own have them. */
import { createRequire } from 'node:module'
import { pglite, postgres, type SqlDatabase, tables } from 'turnstream/sql'
import type { PgliteClient } from '../../../src/sql/drivers/pglite.ts'
import type { PgPool, PostgresOptions } from '../../../src/sql/drivers/postgres.ts'
import { Skipped } from '../step.ts'
import type { PostgresServer } from './server.ts'

/** A connection, and how it ends. */
export interface Connected {
  readonly database: SqlDatabase
  end(): Promise<unknown>
}

interface Pool extends PgPool {
  end(): Promise<void>
}

/** A package that only this folder uses. */
function load<T>(name: string): T {
  // Workers are bundled into the folder of its packages.
  const require = createRequire(import.meta.url)
  try {
    return require(name) as T
  } catch {
    throw new Skipped(`${name} is not installed: run \`npm install\` in test/all/sql`)
  }
}

/** A pool of clients of a server. */
export function connectPostgres(
  { port, user }: Pick<PostgresServer, 'port' | 'user'>,
  { standsStill = false, ...options }: PostgresOptions & { readonly standsStill?: boolean } = {},
): Connected {
  const { Pool } = load<{
    Pool: new (options: object) => Pool & { on(event: string, listener: () => void): void }
  }>('pg')
  const pool = new Pool({ host: '127.0.0.1', port, user, database: 'postgres', max: 10 })
  // An idle client that is lost is no failure: the next one connects.
  pool.on('error', () => undefined)
  return { database: postgres(standsStill ? stopping(pool) : pool, options), end: () => pool.end() }
}

/** A Postgres in this process. */
export async function connectPglite(): Promise<Connected> {
  const { PGlite } = load<{ PGlite: new () => PgliteClient & { close(): Promise<void> } }>(
    '@electric-sql/pglite',
  )
  const client = new PGlite()
  return { database: pglite(client), end: () => client.close() }
}

/** The same database without functions: each write is a list of statements. */
export function withoutFunctions(database: SqlDatabase): SqlDatabase {
  return {
    ...database,
    async run(statements, options) {
      const results = await database.run(statements, options)
      return results.map((rows) => rows.map((row) => ('found' in row ? { ...row, found: false } : row)))
    },
  }
}

/** Creates the tables, one statement after the other. */
export async function createTables(database: SqlDatabase): Promise<void> {
  const { signal } = new AbortController()
  for (const text of tables(database.dialect)) await database.run([{ text, params: [] }], { signal })
}

/** A pool whose clients stand still before they commit. */
function stopping(pool: PgPool): PgPool {
  return {
    async connect() {
      const client = await pool.connect()
      const query = client.query.bind(client)
      client.query = (text) => (text === 'COMMIT' ? new Promise(() => {}) : query(text))
      return client
    },
  }
}
