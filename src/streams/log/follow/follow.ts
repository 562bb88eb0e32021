/** Following a log: reading it to its end, as it grows. */
import { mismatch, optional, requireInteger, requireOnly, requireSignal } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Batch, Reset, StreamEvent } from '../batch.ts'
import type { Cursor } from '../cursor.ts'
import type { EventLog } from '../event-log.ts'
import { type ReadFilter, requireReadFilter } from '../read-filter.ts'
import { Follower } from './follower.ts'

/** Options of {@link follow}. */
export interface FollowOptions<E extends StreamEvent = ContextAnyEvent> {
  /** Filter of the reader. Omitted: all events are visible. */
  readonly filter?: ReadFilter<E>
  /** Aborting it ends the generator without an error. */
  readonly signal?: AbortSignal
  /** Maximum size of the events of a batch; see {@link EventLogReadOptions.maxBytes}. */
  readonly maxBytes?: number
}

/**
 * Reads a stream from a cursor to its end, waiting for new events: everything to send over one connection.
 *
 * The first part is yielded even if it is empty, so that the reader gets a cursor; later ones only if they have events that
 * the filter shows, or end the stream. A reset carries the events of the
 * log's snapshot that the filter shows, or none if the log has no snapshot it can continue from. Ends after the batch
 * with `closed`. `return()` ends the wait for an event.
 *
 * @throws TypeError if `log` is not a log or an option is invalid. The generator throws one if the log answers a reset
 * with another one that is no further.
 *
 * @example
 * ```ts
 * for await (const part of follow(log, request.headers.get('last-event-id'), { filter, signal })) {
 *   response.write(encodeBatch(part))
 * }
 * ```
 */
export function follow<E extends StreamEvent = ContextAnyEvent>(
  log: EventLog<E>,
  cursor?: Cursor | string | null,
  options: FollowOptions<E> = {},
): AsyncGenerator<Batch<E> | Reset<E>, void, undefined> {
  if (typeof (log as Partial<EventLog<E>> | null)?.read !== 'function') throw mismatch('log', 'a log', log)
  requireOnly('options', options, ['filter', 'signal', 'maxBytes'])
  const { filter, signal, maxBytes } = options
  optional(requireReadFilter, 'filter', filter)
  optional(requireSignal, 'signal', signal)
  optional((name, value) => requireInteger(name, value, 1), 'maxBytes', maxBytes)
  return new Follower(log, cursor, filter, { signal, maxBytes })
}
