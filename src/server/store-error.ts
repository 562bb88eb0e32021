/** The error of a store. */

/**
 * Why an operation of a stream failed:
 *
 * - `unavailable`: what stores the stream has not answered in time. An event may have been appended or not: append the same
 *   event again, it is stored once
 * - `lease-lost`: another process has taken the task over, and runs it
 * - `refused`: the state of the stream was stored by a version of this library that stores it in another format
 * - `released`: the stream was released, or its store closed, and takes nothing more; a task that waited for an answer stays open
 */
export type StoreErrorCode = 'unavailable' | 'lease-lost' | 'refused' | 'released'

/** The error of an operation of a {@link Stream} or a {@link Store}. */
export class StoreError extends Error {
  /** Why the operation failed. */
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.name = 'StoreError'
    this.code = code
  }
}
