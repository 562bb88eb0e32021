/**
 * The log: the events of a stream, as far back as its limits allow. A reader is only a cursor, so a
 * slow one costs nothing.
 *
 *     open ──append──▶ open ──close──▶ closed
 *       └──evict: the oldest go─┘
 *
 * A log is plain JSON: store it, and go on with it elsewhere. No function changes the log it is given;
 * each returns the next one, which shares all but the last few entries with it.
 */
import type { ContextAnyEvent } from '../../events/event.ts'
import { emptyQueue, first, itemsFrom, push, type Queue, shift } from '../collections/queue.ts'
import type { Batch, Reset, StreamEvent } from './batch.ts'
import { type Cursor, isCursor, type Position } from './cursor.ts'
import { type LogExtent, makeBatch, resolveCursor } from './read.ts'
import type { ReadFilter } from './read-filter.ts'

/** How much a log keeps. Whichever limit is reached first, the oldest events go. */
export interface LogLimits {
  /** @defaultValue 10 000 */
  readonly maxEvents: number
  /**
   * Of all events together, as UTF-8 JSON. A single larger event is counted and goes at once, with all
   * before it: readers get a reset.
   *
   * @defaultValue 8 388 608 (8 MiB)
   */
  readonly maxBytes: number
  /** In milliseconds. @defaultValue 3 600 000 (an hour) */
  readonly maxAgeMs: number
}

/** The events of a stream that are still kept. Plain JSON; treat it as a value. */
export interface Log<E extends StreamEvent = ContextAnyEvent> extends LogExtent {
  readonly limits: LogLimits
  /** What the kept events take, as UTF-8 JSON. */
  readonly bytes: number
  /** The kept events, oldest first, without holes. */
  readonly entries: Queue<LogEntry<E>>
}

/** An event in the log. */
export interface LogEntry<E extends StreamEvent = ContextAnyEvent> {
  readonly event: E
  /** When it was appended, by the host's clock, in milliseconds. */
  readonly at: number
  /** Its size as UTF-8 JSON. */
  readonly bytes: number
}

/** What {@link openLog} needs to know. */
export interface LogOptions {
  /** The stream: any text but the empty one, such as `context/ctx-1`. */
  readonly stream: string
  /**
   * Which life of the stream: a text that was never used for it before, such as a random one. A log
   * that is stored and goes on keeps its epoch; one that starts empty needs a new one.
   */
  readonly epoch: string
  /** Absent, or a limit absent: the defaults. */
  readonly limits?: Partial<LogLimits>
}

/**
 * Opens an empty log.
 *
 * @throws TypeError when stream or epoch is empty, or a limit is no whole number of at least 1.
 */
export function openLog<E extends StreamEvent = ContextAnyEvent>(options: LogOptions): Log<E> {
  const { stream, epoch } = options
  if (!isCursor({ stream, epoch, seq: -1 })) throw new TypeError('A log needs stream and epoch, not empty.')
  const limits = { maxEvents: 10_000, maxBytes: 2 ** 23, maxAgeMs: 3_600_000, ...options.limits }
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new TypeError(`${name} must be a whole number above 0.`)
  }
  return { stream, epoch, limits, earliest: 0, next: 0, bytes: 0, closed: false, entries: emptyQueue }
}

/**
 * Appends an event; it is at {@link headOf} the log that is returned. What the limits do not allow any
 * more is evicted. The log keeps the event itself: do not change it afterwards.
 *
 * Remove secrets before: what is in the log can be replayed.
 *
 * @param at - Now, in milliseconds, by any clock that is also handed to {@link evict}.
 * @throws TypeError when the log is closed, `at` is no number, the event is not JSON, or 2^53 events
 * were appended: these are mistakes in the calling code.
 */
export function append<E extends StreamEvent>(log: Log<E>, event: E, at: number): Log<E> {
  if (log.closed) throw new TypeError('The log is closed: nothing may be appended.')
  requireTime(at)
  if (!Number.isSafeInteger(log.next)) throw new TypeError('No numbers are left: open a new epoch.')
  const bytes = utf8Length(JSON.stringify(event))
  const { stream, epoch, limits, earliest, next, closed } = log
  const entries = push(log.entries, { event, at, bytes })
  // Written out: copying the log by a spread takes as long as all the rest.
  return evict(
    { stream, epoch, limits, earliest, next: next + 1, bytes: log.bytes + bytes, closed, entries },
    at,
  )
}

/**
 * Lets go of what the limits do not allow any more; for the age of a log that is not appended to.
 *
 * @param now - In milliseconds, by the clock of {@link append}.
 */
export function evict<E extends StreamEvent>(log: Log<E>, now: number): Log<E> {
  requireTime(now)
  const { stream, epoch, limits, next, closed } = log
  let { earliest, bytes, entries } = log
  for (let oldest = first(entries); oldest !== undefined; oldest = first(entries)) {
    const isAllowed = next - earliest <= limits.maxEvents && bytes <= limits.maxBytes
    if (isAllowed && now - oldest.at <= limits.maxAgeMs) break
    entries = shift(entries)
    bytes -= oldest.bytes
    earliest++
  }
  return earliest === log.earliest ? log : { stream, epoch, limits, earliest, next, bytes, closed, entries }
}

/** Ends the stream. Readers get what they miss and are told; closing again changes nothing. */
export function close<E extends StreamEvent>(log: Log<E>): Log<E> {
  return log.closed ? log : { ...log, closed: true }
}

/** The position of the last event; of an empty log, the one before the first. */
export function headOf({ stream, epoch, next }: Log<StreamEvent>): Position {
  return { stream, epoch, seq: next - 1 }
}

/**
 * Reads what comes after a cursor: all of it as one batch, or a reset when part of it cannot be given.
 * Never a part. Throws nothing but what the view throws.
 *
 * A closed stream is read like any other, and the batch says so. The events of the batch are those of
 * the log, unless the view made new ones: to change one, copy it.
 *
 * @param cursor - Where the reader stands, or a `Last-Event-ID` header as it came. Absent or empty: at
 * the beginning; when that is no longer kept, it is told so by a reset `evicted`.
 * @param view - What the reader may and wants to see. Applied to replay exactly as to live events.
 * Absent: everything.
 *
 * @example
 * ```ts
 * const next = read(log, request.headers.get('last-event-id'), viewFor({ audience: 'user' }))
 * ```
 */
export function read<E extends StreamEvent>(
  log: Log<E>,
  cursor?: Cursor | string | null,
  filter?: ReadFilter<E>,
): Batch<E> | Reset {
  const after = resolveCursor(log, cursor, filter)
  if (typeof after === 'object') return after
  const entries = itemsFrom(log.entries, after + 1 - log.earliest)
  return makeBatch(
    log,
    after,
    entries.map(({ event }) => event),
    filter,
  )
}

function requireTime(at: number): void {
  if (!Number.isFinite(at)) throw new TypeError('The time must be a number of milliseconds.')
}

const NOT_ASCII = /[^\0-\x7f]/

/** The bytes a text takes as UTF-8. */
function utf8Length(text: string): number {
  let bytes = text.length
  // Looking at every character costs as much as writing the JSON.
  if (!NOT_ASCII.test(text)) return bytes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Each half of a pair counts two: four bytes for both.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
