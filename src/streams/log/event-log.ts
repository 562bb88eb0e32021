/** The interface of a log, for hosts that store streams in a database or broker. */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Batch, Reset, StreamEvent } from './batch.ts'
import type { Cursor, Position } from './cursor.ts'
import type { ReadFilter } from './read-filter.ts'

/**
 * The log of one stream: in memory, or in Redis Streams, NATS JetStream, Kafka or a database table. All
 * functions of this library accept any implementation.
 *
 * Requirements for an implementation:
 *
 * - One order for all processes: the n-th event appended in an epoch has the `seq` n−1.
 * - `read` returns all visible events after the cursor up to some position, without gaps, or a reset. A
 *   batch may end before the end of the stream; the next read continues there.
 * - A new epoch if events may have been lost since the last one.
 *
 * {@link resolveCursor} and {@link makeBatch} implement `read` except for fetching the events.
 */
export interface EventLog<E extends StreamEvent = ContextAnyEvent> {
  /** Appends an event and resolves to its position. Rejects with a TypeError if the stream is closed. */
  append(event: E): Promise<Position>
  /**
   * Reads the events after a cursor.
   *
   * @param cursor - Cursor of the reader, or an unmodified `Last-Event-ID` header. Omitted, null or empty:
   * the beginning of the stream.
   */
  read(cursor?: Cursor | string | null, options?: EventLogReadOptions<E>): Promise<Batch<E> | Reset>
  /** Closes the stream: nothing can be appended. Closing it again has no effect. */
  close(): Promise<void>
}

/** Options of {@link EventLog.read}. */
export interface EventLogReadOptions<E extends StreamEvent = ContextAnyEvent> {
  /** Filter of the reader. Omitted: all events are visible. */
  readonly filter?: ReadFilter<E>
  /**
   * Whether to wait for the next event, or for the end, if the reader is up to date.
   *
   * @defaultValue false
   */
  readonly wait?: boolean
  /** Aborting it ends the wait: the batch is then empty. */
  readonly signal?: AbortSignal
}
