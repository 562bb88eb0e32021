/** What an SSE reader remembers between two chunks. */

/** One message of an SSE stream. */
export interface SseMessage {
  /** The event name; `message` when the stream gives none. */
  event: string
  /** The data lines, joined with LF. May be empty. */
  data: string
  /** The last event id as it stands at this message; empty when the stream has not set one. */
  id: string
}

/**
 * Where an SSE reader stands between two chunks. Plain JSON.
 *
 * `lastEventId` and `retry` are for the host: what to send as `Last-Event-ID`, and how long to wait
 * before it reconnects. Both may move without a message.
 */
export interface SseState {
  /** The id to resume after: that of the last complete block that had one. Empty: none yet. */
  readonly lastEventId: string
  /** Milliseconds to wait before reconnecting. Absent: the stream has not said. */
  readonly retry?: number | undefined
  /**
   * - `start`: nothing read yet, a byte order mark may come
   * - `line`: within a line or before one
   * - `after-cr`: a CR ended the line; an LF right after it belongs to it
   * - `skip`: within a line that is too long to be kept
   */
  readonly phase: 'start' | 'line' | 'after-cr' | 'skip'
  /** Bytes of a character that was cut. */
  readonly bytes: readonly number[]
  /** The line so far. */
  readonly line: string
  /** Event name of the block so far. */
  readonly event: string
  /** Data of the block so far. Absent: the block has no data line yet. */
  readonly data?: string | undefined
  /** Id of the block so far; takes effect when the block is complete. */
  readonly id?: string | undefined
  /** Whether the block is over the size limit: the rest of it is read and not kept. */
  readonly tooLarge?: boolean | undefined
}

/** The state before the first chunk of a connection. */
export const initialSseState: SseState = { lastEventId: '', phase: 'start', bytes: [], line: '', event: '' }

/** Settings of the SSE decoders. */
export interface SseOptions {
  /**
   * The longest message to accept, in UTF-16 code units of its event name, data and id together.
   * A longer one is left out and reported as `too-large`; the stream goes on.
   *
   * @defaultValue 16 777 216 (16 Mi)
   */
  readonly maxMessageSize?: number
}

/** The limit an option sets, checked. */
export function messageLimit({ maxMessageSize = 2 ** 24 }: SseOptions): number {
  if (!Number.isSafeInteger(maxMessageSize) || maxMessageSize < 1) {
    throw new TypeError('maxMessageSize must be a whole number over 0.')
  }
  return maxMessageSize
}
