/** What the errors of databases mean. */
import type { SqlDatabase } from './database.ts'
import { SqlStoreError } from './sql-store-error.ts'

/**
 * Errors of SQLite that pass: another connection writes, the application has a transaction on this one, or its disk is full, which SQLite
 * in WebAssembly reports as an I/O error.
 */
const PASSING_OF_SQLITE =
  /SQLITE_(?:BUSY|LOCKED|FULL|IOERR)|disk is full|disk I\/O error|database (?:table )?is locked|within a transaction/
/** Codes of Postgres that pass: connection, conflict, resources, stopped, idle too long, lock, sent twice at once. */
const PASSING = /^(?:08|40|53|57|25P0)|^(?:55P03|23505)$/
const SQLSTATE = /^[0-9A-Z]{5}$/
/** A client that was closed by the application. */
const CLOSED = /(?:database|connection) is not open|after calling end|is clos(?:ed|ing)\b|already closed/i

/** Whether the same statements may succeed if they are run again. */
export function isTransient({ dialect, isTransient: own }: SqlDatabase, error: unknown): boolean {
  if (own !== undefined) return own(error)
  const [code, message] = [codeOf(error), messageOf(error)]
  if (CLOSED.test(message)) return false
  if (dialect === 'sqlite') return PASSING_OF_SQLITE.test(`${code} ${message}`)
  // Without a code of Postgres it is the connection.
  return !(error instanceof TypeError) && (!SQLSTATE.test(code) || PASSING.test(code))
}

/** The remedies for what another try does not change. */
const remedies: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [
    /no such (?:table|column)|^42P01|^42703|^42883/,
    'Create the tables: call createTables(), or run the statements of tables() as a migration.',
  ],
  [
    /^42501/,
    'Grant its role SELECT, INSERT, UPDATE and DELETE on the tables that begin with turnstream_, and EXECUTE on the functions; to create them, CREATE on the schema.',
  ],
  [/SQLITE_READONLY|readonly database|^25006/, 'It is read-only: open it for writing.'],
  [/SQLITE_TOOBIG|too big|^54000/, 'An event is larger than the database takes.'],
  [CLOSED, 'Its client is closed: close the store first.'],
]

/** The error of statements that another try does not help. */
export function refusal(what: string, error: unknown): SqlStoreError {
  const message = messageOf(error)
  const sign = `${codeOf(error)} ${message}`
  const remedy = remedies.find(([pattern]) => pattern.test(sign) || pattern.test(message))?.[1]
  const text = `The database refuses ${what}: ${message}`
  return new SqlStoreError(
    'refused',
    remedy === undefined ? text : `${text.replace(/\.?$/, '.')} ${remedy}`,
    error,
  )
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown } | null | undefined)?.code ?? '')
}
