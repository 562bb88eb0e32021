/** Calling the clocks, id generators and rules of the caller. A wrong result is a bug in the calling code. */
import { mismatch, requireText } from '../core/require.ts'
import { isTimestamp } from './predicates.ts'

/**
 * The current time of a clock as a timestamp.
 *
 * @throws TypeError if the clock returns neither a valid `Date`, milliseconds since 1970, nor an RFC 3339 date-time
 * with a time zone.
 */
export function readClock(now: () => Date | number | string): string {
  const time = now()
  if (typeof time === 'string') {
    if (isTimestamp(time)) return time
  } else if (typeof time === 'number' || time instanceof Date) {
    const date = new Date(time)
    const timestamp = Number.isNaN(date.getTime()) ? '' : date.toISOString()
    // Only years from 0 to 9999 have this form.
    if (isTimestamp(timestamp)) return timestamp
  }
  throw mismatch('now()', 'a Date, milliseconds since 1970 or an RFC 3339 date-time with time zone', time)
}

/**
 * The current time of a clock that counts milliseconds.
 *
 * @throws TypeError if it is not a finite number.
 */
export function readMilliseconds(now: () => number): number {
  const time = now()
  if (!Number.isFinite(time)) throw mismatch('now()', 'a finite number of milliseconds', time)
  return time
}

/**
 * A new id.
 *
 * @throws TypeError if it is not a non-empty string.
 */
export function readNewId(newId: () => string): string {
  const id = newId()
  requireText('newId()', id)
  return id
}

/**
 * The decision of a rule that decides at once.
 *
 * @param otherwise - That of a rule that throws, or that returns anything but `true` or `false`, such as a promise.
 */
export function readDecision(decide: () => boolean, otherwise: boolean): boolean {
  try {
    const decision = atOnce(decide)
    return typeof decision === 'boolean' ? decision : otherwise
  } catch {
    return otherwise
  }
}

/** What a callback returns that is to return at once. If it is a promise, what that is rejected with ends no process. */
export function atOnce(callback: () => unknown): unknown {
  const result = callback()
  if (result instanceof Promise) result.catch(() => undefined)
  return result
}
