/** The interface of a log, for hosts that store streams in a database or broker. */
import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import type { Forgotten } from '../forgotten.ts'
import type { EventLogAppendOptions } from './append-options.ts'
import type { Batch, Reset, StreamEvent } from './batch.ts'
import type { Cursor, Position } from './cursor.ts'
import type { ReadFilter } from './read-filter.ts'
import type { EventLogReadOptions } from './read-options.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

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
 * - The calls of one process keep their order, also if they overlap; an event can be read once its append has resolved.
 * - An append that was rejected, other than with a TypeError, may be repeated with the same object: it is stored once.
 *
 * {@link resolveCursor} and {@link makeBatch} implement `read` except for fetching the events.
 */
export interface EventLog<E extends StreamEvent = ContextAnyEvent> {
  /**
   * Appends an event and resolves to its position. Rejects with a TypeError if the stream is closed. A log that ignores the
   * signal ends the call by itself.
   */
  append(event: E, options?: EventLogAppendOptions): Promise<Position>
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
   * be seen from them, and what they have changed neither: an item stays as the last event left it that the
   * {@link ReadFilter.audience} was shown.
   * @param options - How large it may be. A log that ignores them costs its readers more.
   */
  snapshot?(filter?: ReadFilter<E>, options?: SnapshotOptions): Promise<Snapshot<E> | undefined>
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
  /** The root task before which there are others, of those that the filter shows; see {@link Reset.older}. Omitted: none. */
  readonly older?: string
  /** The tasks that the events no longer have. Omitted: none was cut. Every reader gets those that it may see. */
  readonly forgotten?: Forgotten
}

/**
 * A log that stores a state beside its events, so that several processes that write to a stream keep the same rules: what one
 * of them has accepted, no other accepts again. The state is plain JSON; only {@link StateLog.appendIf} changes it.
 */
export interface StateLog<E extends StreamEvent = ContextAnyEvent> extends EventLog<E> {
  /**
   * Loads the state.
   *
   * @param known - A version that the caller has: if it is still stored, the result needs no `state`.
   */
  loadState(known?: string): Promise<StoredState>
  /**
   * Appends events, none or several, and stores a state that includes them, in one atomic step. Resolves to the version of what is stored then; to `undefined`, and nothing has changed, if
   * the stream or its state are no longer as `at` states. Rejects with a TypeError if the stream is closed.
   *
   * @param task - The task whose agent has written the first of the events: a log with leases rejects with `lease-lost` if another
   * writer has taken it over. Omitted: all events follow from commands, which any process may apply.
   */
  appendIf(
    at: StateVersion,
    events: readonly E[],
    state: object,
    task?: TaskName,
  ): Promise<string | undefined>
  /**
   * Yields as soon as it listens, and then whenever the stream or its state may have changed. Ends when the signal is aborted.
   */
  changes(signal: AbortSignal): AsyncIterable<void>
}

/** What a change of the state is based on. */
export interface StateVersion {
  readonly epoch: string
  /** The `seq` that the next event gets. */
  readonly next: number
  /** Of the state: see {@link StoredState.version}. */
  readonly version: string
}

/** A state as it is stored. */
export interface StoredState {
  /** Changes with each state that is stored. `'0'` before the first. */
  readonly version: string
  /** The state. Omitted: none was stored, or the caller knows it. */
  readonly state?: object
  /** Up to which event the state includes the stream. Omitted without a `state`. */
  readonly through?: Pick<Position, 'epoch' | 'seq'>
}
