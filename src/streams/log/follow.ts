/** Following a log: reading it to its end, as it grows. */
import { mismatch, optional, requireFunction, requireOnly, requireSignal } from '../../core/require.ts'
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
  /**
   * Called with each reset before it is yielded. Returns the reset with a `snapshot`, and with `through` set
   * to the last `seq` the snapshot includes. That must be at least `earliest - 1`, or the log cannot continue
   * from it. Omitted: resets are yielded unchanged.
   */
  readonly onReset?: (reset: Reset) => Reset | Promise<Reset>
}

/**
 * Reads a stream from a cursor to its end, waiting for new events: everything to send over one connection.
 *
 * The first part is yielded even if it is empty, so that the reader gets a cursor. Ends after the batch with
 * `closed`.
 *
 * @throws TypeError at the first part if `log` is not a log or an option is invalid; later if reading after a reset
 * returns another reset whose `through` is not greater: the snapshots of `onReset` are too old.
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
): AsyncGenerator<Batch<E> | Reset, void, undefined> {
  if (typeof (log as Partial<EventLog<E>> | null)?.read !== 'function') throw mismatch('log', 'a log', log)
  requireOnly('options', followOptions, ['filter', 'signal', 'onReset'])
  const { filter, signal, onReset } = followOptions
  optional(requireReadFilter, 'filter', filter)
  optional(requireSignal, 'signal', signal)
  optional(requireFunction, 'onReset', onReset)
  const options = { ...(filter && { filter }), ...(signal && { signal }) }
  let at = cursor
  let lastReset: Reset | undefined
  for (let isFirst = true; signal?.aborted !== true; isFirst = false) {
    const read = await log.read(at, { ...options, wait: !isFirst })
    const part = read.type === 'reset' && onReset !== undefined ? await onReset(read) : read
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

/** Requires that a reset leads to a later position than the one before, or to another epoch. */
function requireProgress(next: Reset, previous: Reset): void {
  if ((comparePositions(cursorAfter(next), cursorAfter(previous)) ?? 1) === 1) return
  throw new TypeError(
    `Expected a reset after seq ${previous.through}, got ${next.through}: onReset must return a newer snapshot.`,
  )
}
