/** What a store needs of a database. */

/** A parameter of a statement. */
export type SqlValue = string | number | null

/** A row of a result: values by the names of columns, in lower case. Large whole numbers may be texts or bigints. */
export type SqlRow = Readonly<Record<string, unknown>>

/** A statement. `$1`, `$2`, … in its text stand for the parameters, in every dialect; one may occur several times. */
export interface SqlStatement {
  readonly text: string
  readonly params: readonly SqlValue[]
}

/** Called with what a database notifies. */
export interface SqlListener {
  /** A notification came, with its payload. */
  notified(payload: string): void
  /** The connection was lost and is back: notifications may have been lost. */
  resumed(): void
}

/**
 * A database that holds streams. {@link sqlite}, {@link d1}, {@link postgres} and {@link pglite} make one of a client; for another
 * client, implement it.
 */
export interface SqlDatabase {
  /** Which SQL it understands: that of SQLite 3.38 or later, or of Postgres 12 or later. */
  readonly dialect: 'sqlite' | 'postgres'
  /**
   * Runs all statements in one transaction, or none. Resolves to the rows of each. On SQLite the transaction is a
   * writing one from its begin.
   *
   * @param options.signal - When it is aborted, nobody waits for the result any more: the connection is given up, not put back.
   */
  run(
    statements: readonly SqlStatement[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly (readonly SqlRow[])[]>
  /**
   * Listens to a channel of Postgres, and resolves to a function that ends it. Rejects if it cannot. Omitted, or if it rejects: the store asks for
   * changes, at most twice a second if there are none.
   */
  listen?(channel: string, listener: SqlListener): Promise<() => Promise<void>>
  /**
   * Whether the same statements may succeed if they are run again: the database was locked, the connection was lost. Omitted: by the codes of
   * SQLite and Postgres.
   */
  isTransient?(error: unknown): boolean
}

/** A statement with its parameters. */
export function statement(text: string, ...params: SqlValue[]): SqlStatement {
  return { text, params }
}
