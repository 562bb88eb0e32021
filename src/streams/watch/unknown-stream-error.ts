/** The error for a server that does not serve a stream of this library. */
import type { Diagnostic } from '../../core/machine.ts'

/**
 * Thrown by {@link watchStream} after a connection that came to its end and brought only messages that have no position in
 * a stream, or are no events: nobody can continue after them, so that each further connection would begin again.
 */
export class UnknownStreamError extends Error {
  override readonly name = 'UnknownStreamError'
  readonly code = 'unknown-stream'
  /** How many messages were dropped, from 1. */
  readonly dropped: number
  /** Why the last of them was: `no-event-id` or `invalid-event`. */
  readonly last: Diagnostic

  constructor(dropped: number, last: Diagnostic) {
    const messages = dropped === 1 ? '1 other message' : `${dropped} other messages`
    super(`Expected messages of a stream, whose ids are positions, got ${messages}. ${last.message}`)
    this.dropped = dropped
    this.last = last
  }
}
