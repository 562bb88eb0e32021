/** The tables. */
import { requireOneOf } from '../core/require.ts'
import type { SqlDatabase } from './database.ts'
import { functionOf } from './operations.ts'
import { type Syntax, syntaxes } from './syntax.ts'

/** The version of the tables that this version of the library reads and writes. */
export const VERSION = 1

/**
 * The statements that create the tables of a dialect, and on Postgres the functions: for migrations. They change nothing
 * where the tables exist.
 *
 * The functions come last. A database without them gets each write as several statements, which takes longer.
 *
 * @throws TypeError if the dialect is unknown.
 */
export function tables(dialect: SqlDatabase['dialect']): readonly string[] {
  requireOneOf('dialect', dialect, ['sqlite', 'postgres'])
  const created = tablesOf(syntaxes[dialect])
  return dialect === 'sqlite' ? created : [...created, functionOf('append'), functionOf('commit')]
}

/**
 * Names and keys are texts without NUL, which Postgres refuses; events are JSON as text, because `jsonb` refuses what JSON may escape.
 * The number of an event is that of its writer: see `LogWriter`.
 */
function tablesOf({ id, big }: Syntax): string[] {
  return [
    'CREATE TABLE IF NOT EXISTS turnstream_version (version INTEGER NOT NULL)',
    `INSERT INTO turnstream_version (version) SELECT ${VERSION} WHERE NOT EXISTS (SELECT 1 FROM turnstream_version)`,
    `CREATE TABLE IF NOT EXISTS turnstream_stream (id ${id}, name TEXT NOT NULL UNIQUE, epoch TEXT NOT NULL,
      next ${big} NOT NULL DEFAULT 0, closed INTEGER NOT NULL DEFAULT 0, server TEXT NOT NULL, lineage TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS turnstream_event (stream ${big} NOT NULL, seq ${big} NOT NULL, writer ${big}, number ${big},
      task ${big}, bytes INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (stream, seq))`,
    `CREATE UNIQUE INDEX IF NOT EXISTS turnstream_event_number ON turnstream_event (stream, writer, number) WHERE writer IS NOT NULL`,
    'CREATE INDEX IF NOT EXISTS turnstream_event_task ON turnstream_event (task, seq)',
    `CREATE TABLE IF NOT EXISTS turnstream_task (id ${id}, stream ${big} NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
      parent ${big}, linked ${big}, root ${big}, UNIQUE (stream, key))`,
    'CREATE INDEX IF NOT EXISTS turnstream_task_root ON turnstream_task (root)',
    `CREATE TABLE IF NOT EXISTS turnstream_writer (id ${id}, stream ${big} NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL,
      expires_at ${big} NOT NULL, tasks TEXT NOT NULL, heir TEXT, UNIQUE (stream, name))`,
    'CREATE INDEX IF NOT EXISTS turnstream_writer_expires ON turnstream_writer (state, expires_at)',
    `CREATE TABLE IF NOT EXISTS turnstream_ledger (stream ${big} PRIMARY KEY, version ${big} NOT NULL, state TEXT NOT NULL,
      epoch TEXT NOT NULL, through ${big} NOT NULL, commits TEXT NOT NULL)`,
  ]
}
