/** The messages of an SSE stream over several connections. */
import { type Runner, run } from '../core/machine.ts'
import { sseDecoder } from '../sse/decoder.ts'
import type { SseMessage } from '../sse/state.ts'

type Decoder = Runner<ReturnType<typeof sseDecoder>['initial'], string, SseMessage>

/** What a chunk completes. */
export interface WholeMessages {
  /** The text of the messages that are complete. */
  readonly text: string
  /** How many of them have data. */
  readonly count: number
  /** Whether the server begins again with the first message instead of after the last one. */
  readonly isRestart: boolean
}

/** Cuts a stream between its messages, so that a connection may break anywhere, and keeps the id to resume after. */
export class SseMessages {
  /** The id of the last message. Empty: there is none to resume after. */
  lastEventId = ''
  /** The reconnection time that the server sent last, in milliseconds. `undefined`: none. */
  retry: number | undefined
  #firstId: string | undefined
  #decoder: Decoder = run(sseDecoder())
  #utf8 = new TextDecoder()
  /** Whether the connection has brought a message. */
  #hasMessage = false
  /** The incomplete message. */
  #parts: string[] = []

  /** Reads a chunk of a connection. */
  push(bytes: Uint8Array): WholeMessages {
    const text = this.#cut(this.#utf8.decode(bytes, { stream: true }))
    let isRestart = false
    let count = 0
    for (const { id } of this.#decoder.push(text)) {
      isRestart ||= !this.#hasMessage && id !== '' && id === this.#firstId
      this.#hasMessage = true
      this.#firstId ??= id
      count++
    }
    const { lastEventId, retry } = this.#decoder.state
    if (lastEventId !== '') this.lastEventId = lastEventId
    this.retry = retry ?? this.retry
    return { text, count, isRestart }
  }

  /** Ends a connection. Returns the text of the message that is incomplete, which the next connection brings whole. */
  disconnect(): string {
    const rest = this.#parts.join('') + this.#utf8.decode()
    this.#parts = []
    this.#decoder = run(sseDecoder())
    this.#utf8 = new TextDecoder()
    this.#hasMessage = false
    return rest
  }

  /** Adds a text, and takes what ends with a blank line. */
  #cut(text: string): string {
    // The blank line may begin in an earlier part.
    const tail = this.#parts.slice(-3).join('').slice(-3)
    const end = endOfMessages(tail + text) - tail.length
    if (end <= 0) {
      if (text !== '') this.#parts.push(text)
      return ''
    }
    const whole = this.#parts.join('') + text.slice(0, end)
    this.#parts = end === text.length ? [] : [text.slice(end)]
    return whole
  }
}

/** The position after the last blank line. 0 if there is none. */
function endOfMessages(text: string): number {
  return Math.max(
    ...['\n\n', '\n\r\n', '\r\r'].map((blank) => {
      const at = text.lastIndexOf(blank)
      return at < 0 ? 0 : at + blank.length
    }),
  )
}
