/** Where the dialects differ. */
import type { SqlDatabase } from './database.ts'

export interface Syntax {
  /** The current time in milliseconds. */
  readonly now: string
  /** A parameter that holds a JSON list as the rows `e(n, v)`, `n` from 0. */
  list(parameter: string): string
  /** A text within a row of such a list that is a list itself. */
  text(index: number): string
  /** The row itself, if it is a text. */
  readonly item: string
  integer(value: string): string
  /** Locks what is selected until the transaction ends. SQLite has locked the file already. */
  readonly lock: string
  /** Which run of which server this is. Another one may have lost the latest commits. */
  readonly server: string
  /** The history of a server: another one, and commits may be lost. */
  readonly lineage: string
  readonly id: string
  readonly big: string
}

export const syntaxes: Readonly<Record<SqlDatabase['dialect'], Syntax>> = {
  sqlite: {
    now: `CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`,
    list: (parameter) => `(SELECT key AS n, value AS v FROM json_each(${parameter})) e`,
    text: (index) => `json_extract(e.v, '$[${index}]')`,
    item: 'e.v',
    integer: (value) => `CAST(${value} AS INTEGER)`,
    lock: '',
    // What has been committed is on the disk.
    server: `''`,
    lineage: `''`,
    // Ids are never used again.
    id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    big: 'INTEGER',
  },
  postgres: {
    now: `CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`,
    list: (parameter) =>
      `(SELECT n - 1 AS n, v FROM json_array_elements(CAST(${parameter} AS json)) WITH ORDINALITY AS j(v, n)) e`,
    text: (index) => `(e.v ->> ${index})`,
    item: `(e.v #>> '{}')`,
    integer: (value) => `CAST(${value} AS BIGINT)`,
    lock: 'FOR UPDATE',
    server: `CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) AS TEXT)`,
    lineage: `(SELECT CONCAT(s.system_identifier, ' ', c.timeline_id) FROM pg_control_system() s, pg_control_checkpoint() c)`,
    id: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    big: 'BIGINT',
  },
}
