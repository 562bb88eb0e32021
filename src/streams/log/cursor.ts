/**
 * Cursors: how far a reader has read a stream.
 *
 * A stream is one log with one order of events. Each appended event gets the next `seq`, from 0. A log that
 * restarts and cannot prove that no event was lost starts a new `epoch`: sequence numbers of different
 * epochs are unrelated.
 */
import { mismatch, optional, requireInteger, requireObject, requireText } from '../../core/require.ts'
import { percentEncode } from '../../encoding/percent.ts'
import { isWellFormed } from '../../encoding/surrogates.ts'

/** The position of one event in a stream. */
export interface Position {
  /** Name of the stream: a non-empty string such as `context/ctx-1`. */
  readonly stream: string
  /**
   * Identifies one uninterrupted run of sequence numbers: a non-empty string. Chosen by the host, never
   * reused for the same stream.
   */
  readonly epoch: string
  /** Sequence number of the event in the epoch, from 0 to 2^53−1. −1: before the first event. */
  readonly seq: number
}

/** How far a reader has read: it has all events up to and including `seq` that its filter lets through. */
export interface Cursor extends Position {
  /** The {@link ReadFilter.id} of the reader. Omitted if it reads without a filter. */
  readonly filter?: string
}

/**
 * Formats a cursor as an SSE event id: `stream:epoch:seq`, or `stream:epoch:seq:filter` if the cursor has a
 * filter. Everything but letters, digits and `-._/` is escaped as `~` and two hexadecimal digits for each byte of its
 * UTF-8: the id is safe as it is in a `Last-Event-ID` header and in the query of a URL.
 *
 * @throws TypeError if a part is not a non-empty string of whole characters, or `seq` is not an integer from −1 to 2^53−1.
 *
 * @example
 * ```ts
 * formatEventId({ stream: 'context/ctx-1', epoch: 'e1', seq: 41 }) // 'context/ctx-1:e1:41'
 *
 * new EventSource(`/stream?lastEventId=${formatEventId(cursor)}`)
 * ```
 */
export function formatEventId(position: Cursor): string {
  return eventIdFormatter(position)(position.seq)
}

/** Requires a cursor, such as one that was stored. */
export function requireCursor(name: string, value: unknown): void {
  requireObject(name, value)
  const { stream, epoch, seq, filter } = value as Cursor
  requireUnicode(`${name}.stream`, stream)
  requireUnicode(`${name}.epoch`, epoch)
  requireInteger(`${name}.seq`, seq, -1)
  optional(requireUnicode, `${name}.filter`, filter)
}

/** Requires text that an event id can hold: not empty, and without half of a surrogate pair. */
export function requireUnicode(name: string, value: unknown): void {
  requireText(name, value)
  if (!isWellFormed(value as string)) throw mismatch(name, 'text without half a surrogate pair', value)
}

/** {@link formatEventId} for many events of one reader: returns a function from `seq` to event id. */
export function eventIdFormatter(position: Cursor): (seq: number) => string {
  requireCursor('position', position)
  return uncheckedFormatter(position)
}

/** {@link eventIdFormatter} for a cursor that was checked before. */
function uncheckedFormatter({ stream, epoch, filter }: Cursor): (seq: number) => string {
  const before = `${escapePart(stream)}:${escapePart(epoch)}:`
  const after = filter === undefined ? '' : `:${escapePart(filter)}`
  return (eventSeq) => `${before}${eventSeq}${after}`
}

/** What is the same in an id, in a header and in a URL. */
const PLAIN = /^[\w\-./]*$/
/** What an id may consist of: printable ASCII. */
const PRINTABLE = /^[!-~]*$/

/** Percent-encodes with `~` instead of `%`, which a URL would decode, and leaves slashes. */
function escapePart(text: string): string {
  if (PLAIN.test(text)) return text
  return percentEncode(text).replaceAll('~', '%7E').replaceAll('%2F', '/').replaceAll('%', '~')
}

/** Takes escapes with `~` and `%`, in either case, also of what needs none. Empty if the part is malformed. */
function unescapePart(text: string): string {
  if (PLAIN.test(text)) return text
  if (!PRINTABLE.test(text)) return ''
  try {
    return decodeURIComponent(text.replaceAll('~', '%'))
  } catch {
    return ''
  }
}

/**
 * Parses an SSE event id. Never throws.
 *
 * Accepts what {@link formatEventId} returns, and the same with other escapes: with `%` for `~`, in lower case, or of
 * characters that need none. Other writers escape as the functions of their language do. Compare cursors therefore, not ids.
 *
 * @param text - Typically the unmodified `Last-Event-ID` header.
 * @returns `undefined` for anything else.
 */
export function parseEventId(text: string): Cursor | undefined {
  // Not a string if a request has several headers of the same name.
  if (typeof text !== 'string') return undefined
  const parts = text.split(':')
  const seq = parts[2] ?? ''
  if (parts.length > 4 || !/^(?:-1|0|[1-9]\d{0,15})$/.test(seq)) return undefined
  const [stream = '', epoch = '', , filter] = parts
  const position: Cursor = { stream: unescapePart(stream), epoch: unescapePart(epoch), seq: Number(seq) }
  const cursor = filter === undefined ? position : { ...position, filter: unescapePart(filter) }
  return isCursor(cursor) ? cursor : undefined
}

/**
 * Compares two positions: −1 if `a` is before `b`, 1 if it is after `b`, 0 if they are equal.
 *
 * @returns `undefined` for positions in different streams or epochs, which have no order.
 */
export function comparePositions(a: Position, b: Position): -1 | 0 | 1 | undefined {
  if (a.stream !== b.stream || a.epoch !== b.epoch) return undefined
  return a.seq === b.seq ? 0 : a.seq < b.seq ? -1 : 1
}

/**
 * Parses a value that should be a cursor, such as one from a request, and returns a copy. A `filter` of
 * null counts as omitted. Never throws.
 *
 * @returns `undefined` for any other value.
 */
export function parseCursor(value: unknown): Cursor | undefined {
  try {
    const { stream, epoch, seq, filter } = value as Cursor & { readonly filter?: string | null }
    const position: Cursor = { stream, epoch, seq }
    const cursor = filter === undefined || filter === null ? position : { ...position, filter }
    return isCursor(cursor) ? cursor : undefined
  } catch {
    return undefined
  }
}

/** Whether all fields of a cursor are valid. */
function isCursor({ stream, epoch, seq, filter }: Cursor): boolean {
  return (
    isNonEmptyText(stream) &&
    isNonEmptyText(epoch) &&
    Number.isSafeInteger(seq) &&
    seq >= -1 &&
    (filter === undefined || isNonEmptyText(filter))
  )
}

/** Text that UTF-8 can encode, as an id needs it. */
function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && isWellFormed(value)
}
