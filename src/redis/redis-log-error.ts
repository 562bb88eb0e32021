/** The errors of a log in Redis. */

/**
 * Why an operation failed:
 *
 * - `lease-lost`: the lease of this writer expired, and another one has taken the task of the event over. The event is not
 *   appended; events of other tasks are
 * - `not-found`: the stream does not exist, and `create` is `false`
 * - `unavailable`: Redis has not answered within `timeoutMs`. An event may have been appended or not: append the same object again,
 *   it is stored once
 * - `refused`: Redis answered with an error, such as that its user lacks a right or its memory is full, or the client is closed and nothing
 *   was sent; the message names the remedy
 */
export type RedisLogErrorCode = 'lease-lost' | 'not-found' | 'unavailable' | 'refused'

/** The error of an operation on a log in Redis. `cause` is the error of the client, if there is one. */
export class RedisLogError extends Error {
  /** Why the operation failed. */
  readonly code: RedisLogErrorCode

  constructor(code: RedisLogErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'RedisLogError'
    this.code = code
  }
}
