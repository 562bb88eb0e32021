/** Reading an SSE stream as messages. */
import type { Diagnostic, Machine, Step } from '../core/machine.ts'
import { decodeUtf8 } from '../encoding/utf8.ts'
import { type ReadMessage, readText } from './parser.ts'
import { initialSseState, messageLimit, type SseMessage, type SseOptions, type SseState } from './state.ts'

/**
 * Reads SSE from bytes or text, cut anywhere, as the WHATWG rules have it.
 *
 * The end of the stream drops a message that is not complete; the state after it keeps
 * `lastEventId` and `retry` and is where the next connection begins.
 *
 * Diagnostics: `too-large` for a message over the limit, in place of it; `incomplete-message` at the end.
 *
 * @throws TypeError when `maxMessageSize` is not a whole number of at least 1.
 *
 * @example
 * ```ts
 * const { push } = run(sseDecoder())
 * push('data: {"a":') // []
 * push('1}\n\n') // [{ event: 'message', data: '{"a":1}', id: '' }]
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function sseDecoder(options: SseOptions = {}): Machine<SseState, string | Uint8Array, SseMessage> {
  const limit = messageLimit(options)
  return {
    initial: initialSseState,
    step(state, input) {
      const { state: next, messages } = readChunk(state, input, limit)
      const out = messages.filter((message): message is SseMessage => message.data !== undefined)
      if (out.length === messages.length) return { state: next, out }
      const lost = messages.filter((message) => message.data === undefined)
      return { state: next, out, diagnostics: lost.map(({ id }) => tooLargeDiagnostic(limit, id)) }
    },
    end: endOfStream,
  }
}

/** Reads one chunk of bytes or text. */
export function readChunk(
  state: SseState,
  input: string | Uint8Array,
  limit: number,
): { state: SseState; messages: ReadMessage[] } {
  if (typeof input !== 'string') {
    const { text, rest } = decodeUtf8(state.bytes, input)
    return readText(state, text, rest, limit)
  }
  // Text after half a character of bytes: the other half is not coming.
  return readText(state, state.bytes.length === 0 ? input : `\uFFFD${input}`, [], limit)
}

/** Ends a connection: what is incomplete is lost, and the next one begins where this one ended. */
export function endOfStream(state: SseState): Step<SseState, never> {
  const { lastEventId, retry, line, event, data, tooLarge, bytes } = state
  const next = { state: { ...initialSseState, lastEventId, retry }, out: [] }
  return `${line}${event}${bytes}` === '' && data === undefined && tooLarge !== true
    ? next
    : {
        ...next,
        diagnostics: [{ code: 'incomplete-message', message: 'The stream ended within a message.' }],
      }
}

/** What is said of a message over the limit. */
export function tooLargeDiagnostic(limit: number, id: string): Diagnostic {
  return {
    code: 'too-large',
    message: `A message is longer than ${limit} characters.`,
    detail: { limit, id },
  }
}
