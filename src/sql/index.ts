/**
 * A store in a SQL database: SQLite or Postgres, by the client that the application has.
 *
 * @packageDocumentation
 */
export type { SqlDatabase } from './database.ts'
export { d1 } from './drivers/d1.ts'
export { pglite } from './drivers/pglite.ts'
export { postgres } from './drivers/postgres.ts'
export { sqlite } from './drivers/sqlite.ts'
export { type SqlEventLog, sqlLog } from './sql-log.ts'
export { type SqlStore, sqlStore } from './sql-store.ts'
export { SqlStoreError } from './sql-store-error.ts'
export { tables } from './tables.ts'
