/** Runs statements, again if the database is busy or the connection breaks. */
import { within } from '../core/deadline.ts'
import type { SqlDatabase, SqlRow, SqlStatement } from './database.ts'
import { isTransient, messageOf, refusal } from './failures.ts'
import { SqlStoreError } from './sql-store-error.ts'

export interface ConnectionOptions {
  readonly database: SqlDatabase
  readonly timeoutMs: number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Statements of one stream, or of all. */
export interface Connection {
  /**
   * Runs statements in one transaction, and resolves to the rows of each. Every list of this library may be sent again.
   *
   * @throws SqlStoreError `unavailable`, within `timeoutMs`, or `refused`.
   */
  run(statements: readonly SqlStatement[]): Promise<readonly (readonly SqlRow[])[]>
  /** Runs a task of several lists, and rejects as `unavailable` after `timeoutMs`. It continues then, until it asks `isOver`. */
  inTime<T>(task: (isOver: () => boolean) => Promise<T>): Promise<T>
}

/** The longest pause between two tries. */
const MAX_PAUSE_MS = 250

/** @param what - What the statements are about, for messages. */
export function connectionOf({ database, timeoutMs, sleep }: ConnectionOptions, what: string): Connection {
  /** Why the latest try failed. Omitted if it was answered. */
  let failure: unknown
  const late = (): SqlStoreError =>
    new SqlStoreError(
      'unavailable',
      `Expected an answer of the database for ${what} within ${timeoutMs} ms, got${failure === undefined ? ' none.' : `: ${messageOf(failure)}`}`,
      failure,
    )
  const inTime: Connection['inTime'] = (task) => within(timeoutMs, late, task)

  /** One try. Whoever gives it up gives its connection up. */
  async function attempt(
    statements: readonly SqlStatement[],
    ms: number,
  ): Promise<readonly (readonly SqlRow[])[]> {
    const giveUp = new AbortController()
    try {
      return await within(ms, late, () => database.run(statements, { signal: giveUp.signal }))
    } catch (error) {
      giveUp.abort()
      throw error
    }
  }

  return {
    inTime,
    run: (statements) =>
      inTime(async (isOver) => {
        // The first try gets half of the time, so that there is a second one.
        let left = timeoutMs / 2
        for (let pause = 2; !isOver(); pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
          try {
            const results = await attempt(statements, left)
            failure = undefined
            return results
          } catch (error) {
            const isLate = error instanceof SqlStoreError
            if (!isLate && !isTransient(database, error)) throw refusal(what, error)
            if (!isLate) failure = error
            else left = timeoutMs
          }
          await sleep(pause)
        }
        throw late()
      }),
  }
}
