/** The interface of a log, for hosts that store streams in a database or broker. */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Forgotten } from '../forgotten.ts'
import type { Batch, Reset, StreamEvent } from './batch.ts'
import type { Cursor, Position } from './cursor.ts'
import type { ReadFilter } from './read-filter.ts'
import type { EventLogReadOptions } from './read-options.ts'

/**
 * The log of one stream: in memory, or in Redis Streams, NATS JetStream, Kafka or a database table. All
 * functions of this library accept any implementation.
 *
 * Requirements for an implementation:
 *
 * - One order for all processes: the n-th event appended in an epoch has the `seq` n−1.
 * - `read` returns all visible events after the cursor up to some position, without gaps, or a reset. A
 *   batch may end before the end of the stream; the next read continues there.
 * - A batch holds at most `maxBytes` of events, so that a reader that is far behind costs one page of memory.
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
  read(cursor?: Cursor | string | null, options?: EventLogReadOptions<E>): Promise<Batch<E> | Reset<E>>
  /** Closes the stream: nothing can be appended. Closing it again has no effect. */
  close(): Promise<void>
  /**
   * Returns a snapshot for readers that get a reset. Resolves to `undefined` if there is none. Omitted: the log never has
   * one, and resets carry no events.
   *
   * @param filter - That of the reader. The events need not be those that it shows; where the hidden ones were should not
   * be seen from them.
   */
  snapshot?(filter?: ReadFilter<E>): Promise<Snapshot<E> | undefined>
}

/** What a stream was at one position, as events: what a reader has to fold to continue after it. */
export interface Snapshot<E extends StreamEvent = ContextAnyEvent> {
  /** The epoch of `through`. */
  readonly epoch: string
  /** The events include everything up to this `seq`. Must be at least the log's `earliest - 1`. */
  readonly through: number
  /**
   * Events that fold to the same state as all events through `through`, such as those of {@link snapshotEvents}.
   * Unprojected: every reader gets them through its own filter.
   */
  readonly events: readonly E[]
  /** The tasks that the events no longer have. Omitted: none was cut. Every reader gets those that it may see. */
  readonly forgotten?: Forgotten
}
