/** Writing SSE. */

/** What {@link encodeMessage} writes. */
export interface SseMessageInit {
  /** The event name. Absent or empty: unnamed, which an `EventSource` hands to `onmessage`. */
  readonly event?: string
  /** The data. Line ends of any kind come out as LF. */
  readonly data: string
  /** What `Last-Event-ID` will say. Absent: the id stays as it was; empty: it is reset. */
  readonly id?: string
  /** Milliseconds for the client to wait before it reconnects: a whole number. Absent: as it was. */
  readonly retry?: number
}

/**
 * Writes one message, blank line included.
 *
 * @throws TypeError when `event` or `id` holds a CR or LF, `id` a NUL, or `retry` is not a whole
 * number: each would let data forge the frame, or would be ignored by the reader.
 *
 * @example
 * ```ts
 * encodeMessage({ event: 'note', data: 'one\ntwo', id: '7' }) // 'event: note\nid: 7\ndata: one\ndata: two\n\n'
 * ```
 */
export function encodeMessage({ event, data, id, retry }: SseMessageInit): string {
  let head = ''
  if (event !== undefined && event !== '') head += `event: ${oneLine(event, 'event')}\n`
  if (id !== undefined) head += idLine(id)
  if (retry !== undefined) head += `retry: ${wholeNumber(retry)}\n`
  return `${head}${prefixLines(data, 'data: ')}\n`
}

/**
 * Writes a comment, which readers ignore: to keep a connection alive.
 *
 * @param text - What it says. Line ends make it several comment lines.
 *
 * @example
 * ```ts
 * encodeComment() // ': ping\n\n'
 * ```
 */
export function encodeComment(text: string = 'ping'): string {
  return `${prefixLines(text, ': ')}\n`
}

/** Settings of {@link encodeEvent}. */
export interface EncodeEventOptions {
  /** The event id, for `Last-Event-ID`. Absent: none is written. */
  readonly id?: string
  /**
   * - `named`: an `event:` line with the kind, without `internal:`. For `addEventListener`.
   * - `data-only`: no `event:` line. For `onmessage`.
   *
   * Readers go by the `kind` in the data either way.
   *
   * @defaultValue 'named'
   */
  readonly profile?: 'named' | 'data-only'
  /**
   * Whether internal events are written. Without it they give the empty string: leaking them takes
   * a decision.
   *
   * @defaultValue false
   */
  readonly internal?: boolean
}

/** Names that mean something else to an `EventSource`. */
const RESERVED_NAME = /^(?:error|open|message|)$|[\r\n]/

/**
 * Writes one event, blank line included.
 *
 * Events of unknown kinds are written as they are. A kind that cannot be an event name (`error`,
 * `open`, `message`, or one with a line end) goes without the `event:` line.
 *
 * @throws TypeError when `id` holds a CR, LF or NUL, or the event is not JSON: it holds a cycle or a
 * bigint.
 *
 * @see docs/spec/internal-event-protocol.md#wire-format
 */
export function encodeEvent(event: { readonly kind: string }, options: EncodeEventOptions = {}): string {
  const { kind } = event
  const isInternal = kind.startsWith('internal:')
  if (isInternal && options.internal !== true) return ''
  const name = isInternal ? kind.slice(9) : kind
  const isNamed = options.profile !== 'data-only' && !RESERVED_NAME.test(name)
  const head = (isNamed ? `event: ${name}\n` : '') + (options.id === undefined ? '' : idLine(options.id))
  return `${head}data: ${JSON.stringify(event)}\n\n`
}

function idLine(id: string): string {
  if (id.includes('\0')) throw new TypeError('id must not hold a NUL.')
  return `id: ${oneLine(id, 'id')}\n`
}

function oneLine(text: string, field: string): string {
  if (/[\r\n]/.test(text)) throw new TypeError(`${field} must not hold a line end.`)
  return text
}

function wholeNumber(retry: number): number {
  if (!Number.isSafeInteger(retry) || retry < 0) throw new TypeError('retry must be a whole number.')
  return retry
}

function prefixLines(text: string, prefix: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `${prefix}${line}\n`)
    .join('')
}
