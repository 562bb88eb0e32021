/** Databases of the package `pg`. */
import { mismatch, optional, requireBoolean, requireInteger, requireOnly } from '../../core/require.ts'
import { pause } from '../../core/timer.ts'
import type { SqlDatabase, SqlListener, SqlRow, SqlStatement, SqlValue } from '../database.ts'

/** What is used of a `Pool` of the package `pg`. */
export interface PgPool {
  connect(): Promise<PgClient>
}

/** What is used of a client of a pool. */
export interface PgClient {
  query(query: PgQuery | string): Promise<{ readonly rows: unknown[] }>
  on(event: string, listener: (value: never) => void): unknown
  removeListener(event: string, listener: (value: never) => void): unknown
  release(destroy?: boolean): void
}

/** A query of a client. */
export interface PgQuery {
  readonly name?: string
  readonly text: string
  readonly values: SqlValue[]
}

/** Options of {@link postgres}. */
export interface PostgresOptions {
  /**
   * Whether statements are prepared once per connection: faster. Not for a proxy that gives each transaction another connection and does not keep
   * prepared statements.
   *
   * @defaultValue true
   */
  readonly prepare?: boolean
  /**
   * Whether to listen for new events, with one client of the pool for all streams. Without it, and for a pool of one client, the store asks for
   * changes. A proxy that delivers no notifications is noticed.
   *
   * @defaultValue true
   */
  readonly listen?: boolean
  /**
   * How long a transaction of several statements may stand still, in milliseconds from 1: a process that is stopped within one holds
   * up other writers of its stream until then.
   *
   * @defaultValue 2000
   */
  readonly idleMs?: number
}

/** How long to wait before the next connection is tried. */
const RETRY_MS = 500
/** Errors of Postgres after which a connection is as it was. */
const KEEPS_CONNECTION = /^(?!08|57|25P)[0-9A-Z]{5}$/

/**
 * A database of a `Pool` of the package `pg`: Postgres 12 or later.
 *
 * A write is one round trip, by a function that {@link tables} creates. The connection of a call that is given up is closed.
 *
 * @throws TypeError if it is no pool, or an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const store = sqlStore({ database: postgres(new pg.Pool({ connectionString })) })
 * ```
 */
export function postgres(pool: PgPool, options: PostgresOptions = {}): SqlDatabase {
  if (typeof (pool as Partial<PgPool> | null | undefined)?.connect !== 'function')
    throw mismatch('pool', 'a Pool of the package pg', pool)
  requireOnly('options', options, ['prepare', 'listen', 'idleMs'])
  const { prepare = true, listen = true, idleMs = 2000 } = options
  requireBoolean('prepare', prepare)
  requireBoolean('listen', listen)
  optional((name, value) => requireInteger(name, value, 1), 'idleMs', idleMs)
  const begin = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`
  const names = new Map<string, string>()

  function queryOf({ text, params }: SqlStatement): PgQuery {
    const query = { text, values: [...params] }
    if (!prepare) return query
    const name = names.get(text) ?? `turnstream_${names.size}`
    names.set(text, name)
    return { ...query, name }
  }

  /** Runs all on one client. */
  async function runOn(client: PgClient, statements: readonly SqlStatement[]): Promise<SqlRow[][]> {
    const [only] = statements
    if (only !== undefined && statements.length === 1)
      return [(await client.query(queryOf(only))).rows as SqlRow[]]
    await client.query(begin)
    const results: SqlRow[][] = []
    // One after the other: the client takes no second query while one runs.
    for (const each of statements) results.push((await client.query(queryOf(each))).rows as SqlRow[])
    await client.query('COMMIT')
    return results
  }

  return {
    dialect: 'postgres',
    run: (statements, { signal }) => withClient(pool, signal, (client) => runOn(client, statements)),
    ...(listen && sizeOf(pool) > 1 && { listen: (channel, listener) => listenOn(pool, channel, listener) }),
  }
}

/** The number of clients that a pool has at most. */
function sizeOf(pool: PgPool): number {
  const { max } = (pool as { readonly options?: { readonly max?: unknown } }).options ?? {}
  return typeof max === 'number' ? max : 10
}

/** Uses a client of the pool, and gives it back unless something is wrong with it. */
async function withClient<T>(
  pool: PgPool,
  signal: AbortSignal,
  use: (client: PgClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let isReleased = false
  const release = (destroy: boolean): void => {
    if (isReleased) return
    isReleased = true
    signal.removeEventListener('abort', giveUp)
    if (!destroy) client.removeListener('error', ignore)
    client.release(destroy)
  }
  const giveUp = (): void => release(true)
  // Nobody waits any more: the next one does.
  if (signal.aborted) {
    client.release()
    throw new Error('The pool has given no client in time.')
  }
  client.on('error', ignore)
  signal.addEventListener('abort', giveUp)
  try {
    const result = await use(client)
    release(false)
    return result
  } catch (error) {
    const isUsable = KEEPS_CONNECTION.test(String((error as { readonly code?: unknown } | null)?.code))
    if (isUsable && !isReleased) await client.query('ROLLBACK').catch(giveUp)
    release(!isUsable)
    throw error
  }
}

/** Listens with a client of its own, and with another one when that is lost. */
async function listenOn(pool: PgPool, channel: string, listener: SqlListener): Promise<() => Promise<void>> {
  let client: PgClient | undefined
  let isOver = false
  const lose = (lost: PgClient): void => {
    if (client !== lost) return
    client = undefined
    lost.release(true)
    void again()
  }
  async function connect(): Promise<void> {
    const next = await pool.connect()
    next.on('notification', ({ payload = '' }: { readonly payload?: string }) => listener.notified(payload))
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    client = next
    await next.query(`LISTEN ${channel}`)
    if (isOver) end()
  }
  async function again(): Promise<void> {
    while (!isOver) {
      try {
        await connect()
        return listener.resumed()
      } catch {
        end()
        await pause(RETRY_MS)
      }
    }
  }
  function end(): void {
    const last = client
    client = undefined
    last?.release(true)
  }
  try {
    await connect()
  } catch (error) {
    end()
    throw error
  }
  return async () => {
    isOver = true
    end()
  }
}

function ignore(): void {}
