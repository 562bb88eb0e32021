/** Options of a log in a SQL database. */

import {
  mismatch,
  optional,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireOnly,
} from '../core/require.ts'
import { pause } from '../core/timer.ts'
import { requireUnicode } from '../streams/log/cursor.ts'
import { type Changes, changesOf } from './changes.ts'
import { type Connection, connectionOf } from './connection.ts'
import type { SqlDatabase } from './database.ts'
import { storedName } from './keys.ts'

/** Options of {@link sqlLog}. */
export interface SqlLogOptions {
  /** The database, such as `sqlite(new DatabaseSync('streams.db'))`. Its tables must exist. */
  readonly database: SqlDatabase
  /** Name of the stream: a non-empty string such as `context/ctx-1`. */
  readonly stream: string
  /**
   * Whether to create the stream if it does not exist. With `false`, opening it rejects with `not-found`: for streams
   * whose name comes from a request.
   *
   * @defaultValue true
   */
  readonly create?: boolean
  /**
   * How long a writer may be silent, in milliseconds from 100. While it has open tasks, it renews its lease three times
   * as often. After that, another one may take its tasks over.
   *
   * @defaultValue 15 000
   */
  readonly leaseMs?: number
  /**
   * Milliseconds after which a function of the log rejects as `unavailable`, counted from its call: from 1. Until then, what
   * the database does not answer is tried again; an event that is sent again is appended once.
   *
   * @defaultValue 10 000
   */
  readonly timeoutMs?: number
  /** Returns the current time in milliseconds, the same for all processes: by it leases expire. Omitted: the clock of the database. */
  readonly now?: () => number
  /** Waits `ms` milliseconds, before statements are tried again. Defaults to a timer. */
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** The options with their defaults, and what follows from them. */
export interface Settings extends Required<Omit<SqlLogOptions, 'now'>> {
  readonly now: (() => number) | undefined
  /** The name as it is stored. */
  readonly name: string
  readonly connection: Connection
  readonly changes: Changes
}

/** The names of the options besides `stream` and `create`. */
export const logOptionNames: readonly (keyof SqlLogOptions)[] = [
  'database',
  'leaseMs',
  'timeoutMs',
  'now',
  'sleep',
]

/** Checks the options, and adds the defaults. */
export function settingsOf(options: SqlLogOptions): Settings {
  requireOnly('options', options, [...logOptionNames, 'stream', 'create'])
  const {
    database,
    stream,
    create = true,
    leaseMs = 15_000,
    timeoutMs = 10_000,
    now,
    sleep = pause,
  } = options
  requireDatabase(database)
  requireUnicode('stream', stream)
  requireBoolean('create', create)
  requireInteger('leaseMs', leaseMs, 100)
  requireInteger('timeoutMs', timeoutMs, 1)
  optional(requireFunction, 'now', now)
  requireFunction('sleep', sleep)
  return {
    ...{ database, stream, create, leaseMs, timeoutMs, now, sleep, name: storedName(stream) },
    connection: connectionOf({ database, timeoutMs, sleep }, `stream "${stream}"`),
    changes: changesOf(database),
  }
}

function requireDatabase(database: SqlDatabase): void {
  const { dialect, run, listen } = Object(database) as Partial<SqlDatabase>
  const isDatabase = (dialect === 'sqlite' || dialect === 'postgres') && typeof run === 'function'
  if (!isDatabase || (listen !== undefined && typeof listen !== 'function'))
    throw mismatch('database', 'a SqlDatabase, such as sqlite(db) or postgres(pool)', database)
}
