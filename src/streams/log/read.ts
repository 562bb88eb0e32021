/**
 * Reading a log: which cursors can go on, and what one reader gets. All a log needs besides the events
 * themselves, wherever they are kept.
 */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Batch, Reset, ResetReason, StreamEvent } from './batch.ts'
import { type Cursor, parseEventId, readCursor } from './cursor.ts'
import type { ReadFilter } from './read-filter.ts'

/** What is known of a log without looking at its events. */
export interface LogExtent {
  readonly stream: string
  readonly epoch: string
  /** The first `seq` that is still kept; {@link next} when none is. */
  readonly earliest: number
  /** The `seq` the next event will have. */
  readonly next: number
  /** Whether the stream has ended: a fact about the stream, not about a connection. */
  readonly closed: boolean
}

/**
 * Judges a cursor: the `seq` after which its reader goes on, or the reset it gets because what it
 * misses cannot be given. Never throws.
 *
 * With {@link makeBatch}, this is all of reading but the fetching of events: for an {@link EventLog} in
 * an engine of your own.
 *
 * @param cursor - Where the reader stands, or a `Last-Event-ID` header as it came. Absent or empty: at
 * the beginning.
 * @param view - What the reader may and wants to see. Absent: everything.
 */
export function resolveCursor(
  log: LogExtent,
  cursor?: Cursor | string | null,
  filter?: Pick<ReadFilter, 'id'>,
): number | Reset {
  if (cursor === undefined || cursor === null || cursor === '') {
    return log.earliest === 0 ? -1 : resetOf(log, filter, 'evicted')
  }
  const from = typeof cursor === 'string' ? parseEventId(cursor) : readCursor(cursor)
  if (from === undefined) return resetOf(log, filter, 'malformed')
  const reason = reasonToReset(log, from, filter)
  return reason === undefined ? from.seq : resetOf(log, filter, reason)
}

/**
 * The batch of the events that come after a place, as one reader sees them.
 *
 * @param after - What {@link resolveCursor} says.
 * @param events - The events `after + 1`, `after + 2`, … without holes; not necessarily to the end.
 * @param view - What the reader may and wants to see. Absent: everything. What it throws is thrown.
 */
export function makeBatch<E extends StreamEvent = ContextAnyEvent>(
  log: LogExtent,
  after: number,
  events: Iterable<E>,
  filter?: ReadFilter<E>,
): Batch<E> {
  const visible: E[] = []
  const seqs: number[] = []
  let through = after
  for (const event of events) {
    through++
    const seen = filter === undefined ? event : filter.see(event)
    if (seen === undefined) continue
    visible.push(seen)
    seqs.push(through)
  }
  const batch: Batch<E> = {
    type: 'batch',
    ...sourceOf(log, filter),
    after,
    through,
    events: visible,
    seqs,
  }
  return log.closed && through === log.next - 1 ? { ...batch, closed: true } : batch
}

function reasonToReset(
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

function resetOf(log: LogExtent, filter: Pick<ReadFilter, 'id'> | undefined, reason: ResetReason): Reset {
  return { type: 'reset', reason, ...sourceOf(log, filter), through: log.next - 1, earliest: log.earliest }
}

function sourceOf(
  { stream, epoch }: LogExtent,
  filter: Pick<ReadFilter, 'id'> | undefined,
): { stream: string; epoch: string; filter?: string } {
  return filter === undefined ? { stream, epoch } : { stream, epoch, filter: filter.id }
}
