/** Encoding SSE. */
import {
  mismatch,
  requireInteger,
  requireJson,
  requireKind,
  requireObject,
  requireOneOf,
  requireString,
} from '../core/require.ts'
import { escapeLineEnds } from '../encoding/line-ends.ts'

/** A message for {@link encodeMessage}. */
export interface SseMessageInit {
  /** The event type. Omitted or empty: `message`, which an `EventSource` passes to `onmessage`. */
  readonly event?: string
  /** The data. Line endings of any kind are decoded as LF. */
  readonly data: string
  /** The last event ID from here on. Omitted: it stays the same. Empty: it is reset. */
  readonly id?: string
  /** The reconnection time in milliseconds: an integer >= 0. Omitted: it stays the same. */
  readonly retry?: number
}

/**
 * Encodes one message, including the blank line.
 *
 * @throws TypeError if `data` is not a string, `event` or `id` contains a CR or LF, `id` contains a NUL, or `retry` is
 * not an integer >= 0: the message could forge another one, or the decoder would ignore the field.
 *
 * @example
 * ```ts
 * encodeMessage({ event: 'note', data: 'one\ntwo', id: '7' }) // 'event: note\nid: 7\ndata: one\ndata: two\n\n'
 * ```
 */
export function encodeMessage(message: SseMessageInit): string {
  requireObject('message', message)
  const { event, data, id, retry } = message
  requireString('data', data)
  let head = ''
  if (event !== undefined && event !== '') head += eventLine(event)
  if (id !== undefined) head += idLine(id)
  if (retry !== undefined) {
    requireInteger('retry', retry, 0)
    head += `retry: ${retry}\n`
  }
  return `${head}${prefixLines(data, 'data: ')}\n`
}

/**
 * Encodes a value as the JSON data of one message. U+0085, U+2028 and U+2029 are escaped, as some clients take them for
 * line ends.
 *
 * @param fields - The other fields of the message.
 * @throws TypeError if the value is not JSON: it contains a cycle or a bigint, or is a function or `undefined`; or if a
 * field is invalid, as in {@link encodeMessage}.
 *
 * @example
 * ```ts
 * encodeJson({ n: 1 }, { id: '7' }) // 'id: 7\ndata: {"n":1}\n\n'
 * ```
 */
export function encodeJson(value: unknown, fields: Omit<SseMessageInit, 'data'> = {}): string {
  requireObject('fields', fields)
  return encodeMessage({ ...fields, data: jsonOf('value', value) })
}

/**
 * Encodes a comment, which decoders ignore. Send one at intervals to keep a connection open.
 *
 * @param text - The text. Each of its lines becomes a comment line.
 * @throws TypeError if it is not a string.
 *
 * @example
 * ```ts
 * encodeComment() // ': ping\n\n'
 * ```
 */
export function encodeComment(text: string = 'ping'): string {
  requireString('text', text)
  return `${prefixLines(text, ': ')}\n`
}

/** How events are written as messages. */
export interface EventMessageOptions {
  /**
   * - `named`: an `event:` line with the kind, without `internal:`. For `addEventListener`.
   * - `data-only`: no `event:` line. For `onmessage`.
   *
   * Decoders use the `kind` in the data either way. With `named`, the event type of `internal:tool-start`, which only
   * operators see, is `tool-start`: a listener for that gets both, which have other fields. Let it read the `kind`.
   *
   * @defaultValue 'named'
   */
  readonly profile?: 'named' | 'data-only'
}

/** Event types with another meaning for an `EventSource`. */
function isReservedName(name: string): boolean {
  return name === '' || name === 'error' || name === 'open' || name === 'message'
}

/** Whether a text is more than one line. Several times as fast as a regular expression. */
function hasLineEnd(text: string): boolean {
  return text.includes('\n') || text.includes('\r')
}

/**
 * Encodes one event, including the blank line.
 *
 * @param head - The lines before the data but for the event type, such as `id: 1\n`.
 */
export function eventMessage(event: { readonly kind: string }, head: string, isNamed: boolean): string {
  requireKind(event)
  const { kind } = event
  const name = kind.startsWith('internal:') ? kind.slice(9) : kind
  const type = isNamed && !isReservedName(name) && !hasLineEnd(name) ? `event: ${name}\n` : ''
  return `${type}${head}data: ${jsonOf('event', event)}\n\n`
}

/** A value as JSON on one line. */
function jsonOf(name: string, value: unknown): string {
  return escapeLineEnds(requireJson(name, value))
}

/** The profiles, in one array for all events. */
const profiles: readonly unknown[] = ['named', 'data-only']

/** Requires valid {@link EventMessageOptions}. */
export function requireProfile({ profile }: EventMessageOptions): void {
  if (profile !== undefined) requireOneOf('profile', profile, profiles)
}

function eventLine(event: string): string {
  if (typeof event !== 'string' || hasLineEnd(event))
    throw mismatch('event', 'a string without CR or LF', event)
  return `event: ${event}\n`
}

/** The line of an id. */
export function idLine(id: string): string {
  if (typeof id !== 'string' || hasLineEnd(id) || id.includes('\0'))
    throw mismatch('id', 'a string without CR, LF or NUL', id)
  return `id: ${id}\n`
}

function prefixLines(text: string, prefix: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `${prefix}${line}\n`)
    .join('')
}
