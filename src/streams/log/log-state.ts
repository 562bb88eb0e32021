/**
 * A log as an immutable value: the latest events of a stream, within limits. Readers are only cursors, so a
 * slow reader uses no memory.
 *
 *     open ──append──▶ open ──close──▶ closed
 *       └──evict: drop the oldest──┘
 *
 * The state is plain JSON. Each function returns a new state that shares almost all entries with the old.
 */
import { mismatch, optional, requireInteger, requireOnly, requireText } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { dequeue, emptyQueue, enqueue, peek, type Queue, queueItems } from '../collections/queue.ts'
import type { Batch, Reset, StreamEvent } from './batch.ts'
import type { Cursor, Position } from './cursor.ts'
import { type LogExtent, makeBatch, resolveCursor } from './read.ts'
import type { ReadFilter } from './read-filter.ts'

/** How much a log keeps. The oldest events are evicted as soon as one limit is exceeded. */
export interface LogLimits {
  /**
   * Number of events, from 1.
   *
   * @defaultValue 10 000
   */
  readonly maxEvents: number
  /**
   * Total size of the events in bytes of UTF-8 JSON, from 1. An event larger than this is evicted at once,
   * with all events before it: readers get a reset.
   *
   * @defaultValue 8 388 608 (8 MiB)
   */
  readonly maxBytes: number
  /**
   * Age of an event in milliseconds, from 1.
   *
   * @defaultValue 3 600 000 (1 hour)
   */
  readonly maxAgeMs: number
}

/** The events of a stream that are still kept. Plain JSON, never changed in place. */
export interface LogState<E extends StreamEvent = ContextAnyEvent> extends LogExtent {
  readonly limits: LogLimits
  /** Total size of the kept events in bytes of UTF-8 JSON. */
  readonly bytes: number
  /** The kept events, oldest first, with consecutive sequence numbers. */
  readonly entries: Queue<LogEntry<E>>
}

/** An event in the log. */
export interface LogEntry<E extends StreamEvent = ContextAnyEvent> {
  readonly event: E
  /** When it was appended: milliseconds of the host's clock. */
  readonly at: number
  /** Its size in bytes of UTF-8 JSON. */
  readonly bytes: number
}

/** Options of a new log. */
export interface LogOptions {
  /** Name of the stream: a non-empty string such as `context/ctx-1`. */
  readonly stream: string
  /**
   * Identifies one uninterrupted run of sequence numbers: a non-empty string never used for this stream
   * before, such as a random one. A restored log keeps its epoch; an empty log needs a new one.
   */
  readonly epoch: string
  /** Omitted limits have their defaults. */
  readonly limits?: Partial<LogLimits>
}

/**
 * Opens an empty log.
 *
 * @throws TypeError if `stream` or `epoch` is empty, or a limit is unknown or not an integer >= 1.
 */
export function openLog<E extends StreamEvent = ContextAnyEvent>(options: LogOptions): LogState<E> {
  const { stream, epoch } = options
  requireText('stream', stream)
  requireText('epoch', epoch)
  const defaults = { maxEvents: 10_000, maxBytes: 2 ** 23, maxAgeMs: 3_600_000 }
  optional((name, value) => requireOnly(name, value, Object.keys(defaults)), 'limits', options.limits)
  const limits = { ...defaults, ...options.limits }
  for (const [name, limit] of Object.entries(limits)) requireInteger(name, limit, 1)
  return { stream, epoch, limits, earliest: 0, next: 0, bytes: 0, closed: false, entries: emptyQueue }
}

/**
 * Appends an event, which is then at {@link headOf} the returned log, and evicts what exceeds the limits. The
 * log keeps the event object: do not change it afterwards.
 *
 * Remove secrets first: everything in the log can be replayed.
 *
 * @param at - The current time in milliseconds, by the same clock as for {@link evictEvents}.
 * @throws TypeError if the log is closed, `at` is not a finite number, the event is not JSON, or sequence
 * numbers have reached 2^53.
 */
export function appendEvent<E extends StreamEvent>(log: LogState<E>, event: E, at: number): LogState<E> {
  if (log.closed) throw new TypeError(`Cannot append to a closed log: ${log.stream}.`)
  requireTime('at', at)
  if (!Number.isSafeInteger(log.next))
    throw new TypeError('Sequence numbers have reached 2^53: open a new epoch.')
  const bytes = utf8Length(JSON.stringify(event))
  const { stream, epoch, limits, earliest, next, closed } = log
  const entries = enqueue(log.entries, { event, at, bytes })
  // Written out: a spread would take as long as everything else together.
  return evictEvents(
    { stream, epoch, limits, earliest, next: next + 1, bytes: log.bytes + bytes, closed, entries },
    at,
  )
}

/**
 * Evicts the events that exceed the limits. Needed for `maxAgeMs` while no event is appended.
 *
 * @param now - The current time in milliseconds, by the same clock as for {@link appendEvent}.
 */
export function evictEvents<E extends StreamEvent>(log: LogState<E>, now: number): LogState<E> {
  requireTime('now', now)
  const { stream, epoch, limits, next, closed } = log
  let { earliest, bytes, entries } = log
  for (let oldest = peek(entries); oldest !== undefined; oldest = peek(entries)) {
    const isWithinSize = next - earliest <= limits.maxEvents && bytes <= limits.maxBytes
    if (isWithinSize && now - oldest.at <= limits.maxAgeMs) break
    entries = dequeue(entries)
    bytes -= oldest.bytes
    earliest++
  }
  return earliest === log.earliest ? log : { stream, epoch, limits, earliest, next, bytes, closed, entries }
}

/** Closes the log. Readers get the remaining events and `closed`. Closing it again has no effect. */
export function closeLog<E extends StreamEvent>(log: LogState<E>): LogState<E> {
  return log.closed ? log : { ...log, closed: true }
}

/** The position of the last event, even if it has been evicted. `seq` is −1 before the first event. */
export function headOf({ stream, epoch, next }: LogState<StreamEvent>): Position {
  return { stream, epoch, seq: next - 1 }
}

/**
 * Reads all events after a cursor as one batch, or returns a reset if some of them are not available. Throws
 * only what the filter throws.
 *
 * A closed log is read in the same way; its last batch has `closed`. Unless the filter returned copies, the
 * batch holds the event objects of the log: copy before changing them.
 *
 * @param cursor - Cursor of the reader, or an unmodified `Last-Event-ID` header. Omitted, null or empty: the
 * beginning of the stream, or a reset `evicted` if the first event is no longer kept.
 * @param filter - Filter of the reader, applied to old and new events alike. Omitted: all events are visible.
 */
export function readLog<E extends StreamEvent>(
  log: LogState<E>,
  cursor?: Cursor | string | null,
  filter?: ReadFilter<E>,
): Batch<E> | Reset {
  const after = resolveCursor(log, cursor, filter)
  if (typeof after === 'object') return after
  const entries = queueItems(log.entries, after + 1 - log.earliest)
  return makeBatch(
    log,
    after,
    entries.map(({ event }) => event),
    filter,
  )
}

function requireTime(name: string, value: number): void {
  if (!Number.isFinite(value)) throw mismatch(name, 'a finite number of milliseconds', value)
}

const NOT_ASCII = /[^\0-\x7f]/

/** The length of a string in UTF-8 bytes. */
function utf8Length(text: string): number {
  let bytes = text.length
  // Counting every character would cost as much as writing the JSON.
  if (!NOT_ASCII.test(text)) return bytes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Each half of a surrogate pair counts 2: four bytes together.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
