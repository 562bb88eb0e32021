/** A log in a SQL database: any number of processes append to a stream and read it. */
import { randomId } from '../core/random-id.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import type { Snapshot, StateLog } from '../streams/log/event-log.ts'
import type { LeaseLog } from '../streams/log/lease-log.ts'
import { defaultLimits } from '../streams/log/memory/log-state.ts'
import type { ReadFilter } from '../streams/log/read-filter.ts'
import { requireSnapshotOptions, type SnapshotOptions } from '../streams/log/snapshot-options.ts'
import { LogWriter } from '../streams/log/writer/log-writer.ts'
import { newestSnapshot, type TaskLog } from '../streams/serve/newest-page.ts'
import { checkOnce } from './check.ts'
import { newestPage } from './newest-page.ts'
import { bind } from './operations.ts'
import { type SqlLogOptions, settingsOf } from './options.ts'
import { Reader } from './reader.ts'
import { SqlStoreError } from './sql-store-error.ts'
import { stateOf } from './state.ts'
import { statements } from './statements.ts'
import { sqlWriterPort } from './writer-port.ts'

/** A log in a SQL database. Each one is a writer of its own, with its own lease. */
export interface SqlEventLog extends StateLog<ContextAnyEvent>, LeaseLog<ContextAnyEvent> {
  /** A snapshot of the whole stream, for readers that get a reset: of its latest tasks if it is large. */
  snapshot(filter?: ReadFilter, options?: SnapshotOptions): Promise<Snapshot<ContextAnyEvent> | undefined>
}

/**
 * Opens a stream in a SQL database, and creates it if it does not exist. Rejects with a {@link SqlStoreError}, as all
 * functions of the log do.
 *
 * It keeps all events: each reader gets those after its last one. If Postgres was promoted or restored, so that commits may be lost, a
 * new epoch begins, and readers get a reset.
 *
 * @throws TypeError if an option is unknown or invalid.
 *
 * @example
 * ```ts
 * const log = await sqlLog({ database: sqlite(new DatabaseSync('streams.db')), stream: 'context/ctx-1' })
 * await log.append(event)
 * ```
 */
export async function sqlLog(options: SqlLogOptions): Promise<SqlEventLog> {
  const settings = settingsOf(options)
  const { connection, database, stream, name, create } = settings
  const reader = new Reader(settings)
  const hasFunctions = await connection.inTime(async () => {
    const found = await checkOnce(settings)
    const all = statements[database.dialect]
    if (!(await reader.exists())) {
      if (!create) throw new SqlStoreError('not-found', `The stream "${stream}" does not exist.`)
      await connection.run([bind(all.create, { stream: name, new_epoch: randomId() })])
    }
    return found.hasFunctions
  })
  const port = sqlWriterPort(settings, hasFunctions, (cursor) => reader.read(cursor))
  const writer = new LogWriter(settings, port)
  const log: SqlEventLog & TaskLog = {
    append: (event, appendOptions) => writer.append(event, appendOptions),
    read: (cursor, readOptions) => reader.read(cursor, readOptions),
    newestPage: (...page) => newestPage((newest) => reader.newest(newest), ...page),
    snapshot: async (filter, snapshotOptions) => {
      const { maxBytes = defaultLimits.maxBytes } = requireSnapshotOptions(snapshotOptions)
      return connection.inTime(async () => {
        const first = await reader.read(undefined, { ...(filter && { filter }) })
        const snapshot = await newestSnapshot(log, filter, maxBytes, first)
        // Its first events were deleted.
        return 'type' in snapshot ? undefined : snapshot
      })
    },
    expiredLeases: () => connection.inTime(() => writer.expiredLeases()),
    takeOver: (lease) => writer.takeOver(lease),
    release: (tasks) => writer.release(tasks),
    close: () => writer.close(),
    ...stateOf(settings, hasFunctions, writer, port),
  }
  return log
}
