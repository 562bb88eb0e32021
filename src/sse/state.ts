/** The state and the options of an SSE decoder. */

import { requireInteger, requireOnly } from '../core/require.ts'
import { emptyText, type GrowingText } from '../encoding/growing-text.ts'

/** A message of an SSE stream. */
export interface SseMessage {
  /** The event type. Defaults to `message` if the stream sets none. */
  event: string
  /** The values of the data fields, joined with LF. May be empty. */
  data: string
  /** The last event ID at this message. Empty if the stream has not set one. */
  id: string
}

/** The documented state of an SSE decoder: what to reconnect with. Both may change without a message. */
export type ReconnectFields = {
  /** The last event ID: send it as `Last-Event-ID`. Empty: send no such header. */
  readonly lastEventId: string
  /** The reconnection time in milliseconds. Omitted if the stream has not set one. */
  readonly retry?: number | undefined
}

/** The state of an SSE decoder between two chunks. Plain JSON. */
export interface SseState extends ReconnectFields {
  /**
   * - `start`: at the start of the stream, where a byte order mark may follow
   * - `line`: anywhere else
   * - `after-cr`: after a CR that ended a line; an LF right after it belongs to the same line ending
   * - `skip`: in a line that is too long to keep
   */
  readonly phase: 'start' | 'line' | 'after-cr' | 'skip'
  /** The first bytes of an incomplete UTF-8 sequence. */
  readonly bytes: readonly number[]
  /** The current line so far. */
  readonly line: GrowingText
  readonly eventTypeBuffer: string
  /** Without the final LF. Omitted until the first data field. */
  readonly dataBuffer?: GrowingText | undefined
  /** Becomes the last event ID at the dispatch. Omitted if the current event sets none. */
  readonly idBuffer?: string | undefined
  /** Whether the current event is over the size limit: its other fields are parsed and not kept. */
  readonly tooLarge?: boolean | undefined
}

/** The state at the start of a stream. */
export const initialSseState: SseState = {
  lastEventId: '',
  phase: 'start',
  bytes: [],
  line: emptyText,
  eventTypeBuffer: '',
}

/** Options of the SSE decoders. */
export interface SseOptions {
  /**
   * The maximum size of a message: its event type, data and id together, in UTF-16 code units, at least 1. A
   * larger message is dropped and reported as `too-large`; decoding continues.
   *
   * @defaultValue 16 777 216 (16 Mi)
   */
  readonly maxMessageSize?: number
}

/** The size limit of the options, checked. `others` are the names of the options that the caller has besides. */
export function messageLimit(options: SseOptions, others: readonly string[] = []): number {
  requireOnly('options', options, ['maxMessageSize', ...others])
  const { maxMessageSize = 2 ** 24 } = options
  requireInteger('maxMessageSize', maxMessageSize, 1)
  return maxMessageSize
}
