/** The errors of a store in a SQL database. */

/**
 * Why an operation failed:
 *
 * - `lease-lost`: another process has taken the task over, and runs it. The event is not appended
 * - `not-found`: the stream does not exist, and `create` is `false`
 * - `unavailable`: the database has not answered within `timeoutMs`. An event may have been appended or not: append the same object again,
 *   it is stored once
 * - `refused`: the database cannot do it, and another try does not change that: tables or rights are missing, the tables are of another
 *   version, the client is closed, an event is too large. The message names the remedy
 */
export type SqlStoreErrorCode = 'lease-lost' | 'not-found' | 'unavailable' | 'refused'

/** The error of an operation on a log in a SQL database. `cause` is the error of the client, if there is one. */
export class SqlStoreError extends Error {
  /** Why the operation failed. */
  readonly code: SqlStoreErrorCode

  constructor(code: SqlStoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'SqlStoreError'
    this.code = code
  }
}
