/** Following a log: reading it to its end, as it grows. */
import { mismatch, optional, requireInteger, requireOnly, requireSignal } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Batch, cursorAfter, isEmptyBatch, type Reset, type StreamEvent } from './batch.ts'
import { type Cursor, comparePositions } from './cursor.ts'
import type { EventLog } from './event-log.ts'
import { type ReadFilter, requireReadFilter } from './read-filter.ts'

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
 * The first part is yielded even if it is empty, so that the reader gets a cursor. A reset carries the events of the
 * log's snapshot that the filter shows, or none if the log has no snapshot it can continue from. Ends after the batch
 * with `closed`.
 *
 * @throws TypeError at the first part if `log` is not a log or an option is invalid; later if the log answers a reset
 * with another one that is no further.
 *
 * @example
 * ```ts
 * for await (const part of follow(log, request.headers.get('last-event-id'), { filter, signal })) {
 *   response.write(encodeBatch(part))
 * }
 * ```
 */
export async function* follow<E extends StreamEvent = ContextAnyEvent>(
  log: EventLog<E>,
  cursor?: Cursor | string | null,
  followOptions: FollowOptions<E> = {},
): AsyncGenerator<Batch<E> | Reset<E>, void, undefined> {
  if (typeof (log as Partial<EventLog<E>> | null)?.read !== 'function') throw mismatch('log', 'a log', log)
  requireOnly('options', followOptions, ['filter', 'signal', 'maxBytes'])
  const { filter, signal, maxBytes } = followOptions
  optional(requireReadFilter, 'filter', filter)
  optional(requireSignal, 'signal', signal)
  optional((name, value) => requireInteger(name, value, 1), 'maxBytes', maxBytes)
  const options = { ...(filter && { filter }), ...(signal && { signal }), ...(maxBytes && { maxBytes }) }
  let at = cursor
  let lastReset: Reset<E> | undefined
  for (let isFirst = true; signal?.aborted !== true; isFirst = false) {
    const read = await log.read(at, { ...options, wait: !isFirst })
    const part = read.type === 'reset' ? await withSnapshot(read, log, filter) : read
    if (part.type === 'batch') lastReset = undefined
    else {
      if (lastReset !== undefined) requireProgress(part, lastReset)
      lastReset = part
    }
    if (isFirst || part.type === 'reset' || !isEmptyBatch(part)) yield part
    if (part.type === 'batch' && part.closed === true) return
    at = cursorAfter(part)
  }
}

/** The reset with the events of the log's snapshot, if the log can continue from there. */
export async function withSnapshot<E extends StreamEvent>(
  reset: Reset<E>,
  log: EventLog<E>,
  filter: ReadFilter<E> | undefined,
): Promise<Reset<E>> {
  const snapshot = await log.snapshot?.()
  if (snapshot === undefined || snapshot.epoch !== reset.epoch) return reset
  if (snapshot.through + 1 < reset.earliest) return reset
  const { through, events } = snapshot
  const visible = filter === undefined ? [...events] : events.flatMap((event) => filter.apply(event) ?? [])
  return { ...reset, through, events: visible }
}

/** Requires that a reset leads to a later position than the one before, or to another epoch. */
function requireProgress(next: Reset<StreamEvent>, previous: Reset<StreamEvent>): void {
  if ((comparePositions(cursorAfter(next), cursorAfter(previous)) ?? 1) === 1) return
  throw new TypeError(
    `Expected a batch or a reset after seq ${previous.through}, got a reset to seq ${next.through}.`,
  )
}
