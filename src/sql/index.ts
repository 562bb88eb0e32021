/**
 * A store in a SQL database: SQLite or Postgres, by the client that the application has.
 *
 * @packageDocumentation
 */
export type { SqlDatabase, SqlListener, SqlRow, SqlStatement, SqlValue } from './database.ts'
export { type D1Client, type D1Statement, d1 } from './drivers/d1.ts'
export { type PgliteClient, type PgliteQueries, pglite } from './drivers/pglite.ts'
export {
  type PgClient,
  type PgPool,
  type PgQuery,
  type PostgresOptions,
  postgres,
} from './drivers/postgres.ts'
export { type SqliteClient, type SqliteStatement, sqlite } from './drivers/sqlite.ts'
export type { SqlLogOptions } from './options.ts'
export { type SqlEventLog, sqlLog } from './sql-log.ts'
export { type SqlStore, type SqlStoreOptions, sqlStore } from './sql-store.ts'
export { SqlStoreError, type SqlStoreErrorCode } from './sql-store-error.ts'
export { tables } from './tables.ts'
