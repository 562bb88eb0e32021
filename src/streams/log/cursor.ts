/**
 * Cursors: where a reader stands in a stream.
 *
 * A stream is one log with one writer. Each appended event has the next `seq`, from 0. When the log
 * starts over and cannot prove that it goes on where it stopped, it does so in a new `epoch`: numbers
 * of two epochs have nothing to do with each other.
 */
import { percentDecode, percentEncode } from '../../encoding/percent.ts'

/** One place in a stream. */
export interface Position {
  /** The stream: any text but the empty one, such as `context/ctx-1`. */
  readonly stream: string
  /** Which life of the stream: any text but the empty one. Chosen by the host, never reused. */
  readonly epoch: string
  /** Number of the event in the epoch, from 0. −1: before the first. At most 2^53−1. */
  readonly seq: number
}

/** Where a reader stands: it has everything up to and including `seq`, as its view shows it. */
export interface Cursor extends Position {
  /** The {@link LogView.id} the reader reads under. Absent: it reads the whole stream. */
  readonly filter?: string
}

/**
 * Writes a cursor as an SSE event id: `stream:epoch:seq`, and `:view` after it where the cursor has
 * one, each part percent-encoded. Plain ASCII without spaces, fit for a `Last-Event-ID` header.
 *
 * @throws TypeError when a part is empty or `seq` is not a whole number from −1 to 2^53−1: that is a
 * mistake in the calling code.
 *
 * @example
 * ```ts
 * formatEventId({ stream: 'context/ctx-1', epoch: 'e1', seq: 41 }) // 'context%2Fctx-1:e1:41'
 * ```
 */
export function formatEventId(position: Cursor): string {
  return eventIdsLike(position)(position.seq)
}

/** {@link formatEventId} for many places under one view of one epoch. */
export function eventIdsLike(position: Cursor): (seq: number) => string {
  const { stream, epoch, filter } = position
  if (!isCursor(position)) {
    throw new TypeError('A cursor needs stream, epoch and view (if any), not empty, and a whole seq from -1.')
  }
  const before = `${percentEncode(stream)}:${percentEncode(epoch)}:`
  const after = filter === undefined ? '' : `:${percentEncode(filter)}`
  return (seq) => `${before}${seq}${after}`
}

/**
 * Reads an SSE event id. Never throws.
 *
 * Only the one form {@link formatEventId} writes is accepted, so that two ids are the same place
 * exactly when they are the same text.
 *
 * @param text - Typically the `Last-Event-ID` header, as it came.
 * @returns `undefined` for anything that is not an id of ours.
 */
export function parseEventId(text: string): Cursor | undefined {
  // Headers of the same name may come as a list.
  if (typeof text !== 'string') return undefined
  const [stream = '', epoch = '', seq = '', filter] = text.split(':').map(percentDecode)
  if (!/^(?:-1|0|[1-9]\d{0,15})$/.test(seq)) return undefined
  const position: Cursor = { stream, epoch, seq: Number(seq) }
  const cursor = filter === undefined ? position : { ...position, filter }
  // Not for another form of it, nor for one with more parts.
  return isCursor(cursor) && formatEventId(cursor) === text ? cursor : undefined
}

/**
 * Which of two places comes first: −1 when it is `a`, 1 when it is `b`, 0 when they are the same.
 *
 * @returns `undefined` when they cannot be compared: another stream, or another epoch.
 */
export function comparePositions(a: Position, b: Position): -1 | 0 | 1 | undefined {
  if (a.stream !== b.stream || a.epoch !== b.epoch) return undefined
  return a.seq === b.seq ? 0 : a.seq < b.seq ? -1 : 1
}

/**
 * Reads a value that should be a cursor, as a copy: it may come from a request. A `view` that is null
 * counts as absent. Never throws.
 *
 * @returns `undefined` for anything that is no cursor.
 */
export function readCursor(value: unknown): Cursor | undefined {
  try {
    const { stream, epoch, seq, filter } = value as Cursor & { readonly filter?: string | null }
    const position: Cursor = { stream, epoch, seq }
    const cursor = filter === undefined || filter === null ? position : { ...position, filter }
    return isCursor(cursor) ? cursor : undefined
  } catch {
    return undefined
  }
}

/** Whether the fields of a cursor are what they should be. */
export function isCursor({ stream, epoch, seq, filter }: Cursor): boolean {
  return (
    isName(stream) &&
    isName(epoch) &&
    Number.isSafeInteger(seq) &&
    seq >= -1 &&
    (filter === undefined || isName(filter))
  )
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
