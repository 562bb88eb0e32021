/**
 * Reading a log: check a cursor, build a batch. With these two, an {@link EventLog} only has to store and
 * fetch events.
 */
import {
  mismatch,
  optional,
  requireBoolean,
  requireInteger,
  requireObject,
  requireText,
} from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Batch, Reset, ResetReason, StreamEvent } from './batch.ts'
import { type Cursor, parseCursor, parseEventId } from './cursor.ts'
import type { LogExtent } from './extent.ts'
import { Page } from './page.ts'
import { type ReadFilter, requireReadFilter } from './read-filter.ts'

/**
 * Resolves a cursor to the `seq` after which its reader continues, or to the reset it gets if the events
 * after the cursor cannot be returned. Never throws on a cursor.
 *
 * Together with {@link makeBatch}, this implements {@link EventLog.read} except for fetching the events.
 *
 * @param cursor - Cursor of the reader, or an unmodified `Last-Event-ID` header. Omitted, null or empty:
 * the beginning of the stream.
 * @param filter - Filter of the reader. Omitted: it reads all events.
 * @throws TypeError if `log` is not the extent of a log, or `filter` has no id.
 */
export function resolveCursor(
  log: LogExtent,
  cursor?: Cursor | string | null,
  filter?: Pick<ReadFilter, 'id'>,
): number | Reset<never> {
  requireExtent(log)
  if (filter !== undefined) requireText('filter.id', (filter as Partial<ReadFilter> | null)?.id)
  if (cursor === undefined || cursor === null || cursor === '') {
    return log.earliest === 0 ? -1 : resetOf(log, filter, 'evicted')
  }
  const position = typeof cursor === 'string' ? parseEventId(cursor) : parseCursor(cursor)
  if (position === undefined) return resetOf(log, filter, 'malformed')
  const reason = resetReasonOf(log, position, filter)
  return reason === undefined ? position.seq : resetOf(log, filter, reason)
}

/**
 * Builds the batch of consecutive events for one reader.
 *
 * @param after - The `seq` before the first of the events; see {@link resolveCursor}.
 * @param events - The events `after + 1`, `after + 2` and so on, without gaps. They need not reach the end
 * of the log.
 * @param filter - Filter of the reader, applied to each event; exceptions are passed on. Omitted: all
 * events are visible.
 * @throws TypeError if `log` is not the extent of a log, `after` is not an integer >= -1, `events` cannot be iterated
 * over, or `filter` is invalid.
 */
export function makeBatch<E extends StreamEvent = ContextAnyEvent>(
  log: LogExtent,
  after: number,
  events: Iterable<E>,
  filter?: ReadFilter<E>,
): Batch<E> {
  requireExtent(log)
  requireInteger('after', after, -1)
  if (typeof (events as Partial<Iterable<E>> | null)?.[Symbol.iterator] !== 'function') {
    throw mismatch('events', 'an iterable of events', events)
  }
  optional(requireReadFilter, 'filter', filter)
  const page = new Page(after, filter, Number.POSITIVE_INFINITY)
  for (const event of events) page.add(event, 0)
  return page.batch(log)
}

function requireExtent(log: LogExtent): void {
  requireObject('log', log)
  requireText('log.stream', log.stream)
  requireText('log.epoch', log.epoch)
  requireInteger('log.earliest', log.earliest, 0)
  // 2^53 after the last number: nothing can be appended.
  if (!(Number.isInteger(log.next) && log.next >= log.earliest && log.next <= 2 ** 53)) {
    throw mismatch('log.next', `an integer from ${log.earliest} to 2^53`, log.next)
  }
  requireBoolean('log.closed', log.closed)
}

function resetReasonOf(
  { stream, epoch, earliest, next }: LogExtent,
  cursor: Cursor,
  filter: Pick<ReadFilter, 'id'> | undefined,
): ResetReason | undefined {
  if (cursor.stream !== stream) return 'unknown-stream'
  if (cursor.epoch !== epoch) return 'epoch-changed'
  if (cursor.filter !== filter?.id) return 'filter-changed'
  if (cursor.seq >= next) return 'ahead'
  if (cursor.seq + 1 < earliest) return 'evicted'
  return undefined
}

/** The reset for a reader that the log cannot continue. */
export function resetOf(
  log: LogExtent,
  filter: Pick<ReadFilter, 'id'> | undefined,
  reason: ResetReason,
): Reset<never> {
  return { type: 'reset', reason, ...sourceOf(log, filter), through: log.next - 1, earliest: log.earliest }
}

function sourceOf(
  { stream, epoch }: LogExtent,
  filter: Pick<ReadFilter, 'id'> | undefined,
): { stream: string; epoch: string; filter?: string } {
  return filter === undefined ? { stream, epoch } : { stream, epoch, filter: filter.id }
}
