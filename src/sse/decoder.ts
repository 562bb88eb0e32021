/** Decoding an SSE stream to messages. */
import type { Diagnostic, Machine, Step } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { mismatch } from '../core/require.ts'
import { lengthOf } from '../encoding/growing-text.ts'
import { type DecodedBytes, decodeUtf8 } from '../encoding/utf8.ts'
import { type ParsedMessage, parseText } from './parser.ts'
import { initialSseState, messageLimit, type SseMessage, type SseOptions, type SseState } from './state.ts'

/**
 * Decodes SSE from bytes or text, cut anywhere, by the parsing rules of the WHATWG.
 *
 * An incomplete message at the end of the stream is dropped. The state after the end keeps `lastEventId` and
 * `retry`; the next connection starts with it.
 *
 * Diagnostics: `too-large` in place of a message over the limit; `incomplete-message` at the end.
 *
 * @throws TypeError if `maxMessageSize` is not an integer >= 1, or an option is unknown.
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
export function sseDecoder(
  options: SseOptions = {},
): Machine<
  MachineState<'sseDecoder', { readonly lastEventId: string; readonly retry?: number | undefined }>,
  string | Uint8Array,
  SseMessage
> {
  const limit = messageLimit(options)
  const machine: Machine<SseState, string | Uint8Array, SseMessage> = {
    initial: initialSseState,
    step(state, input) {
      const { state: next, messages } = parseChunk(state, input, limit)
      const out = messages.filter((message): message is SseMessage => typeof message.data === 'string')
      if (out.length === messages.length) return { state: next, out }
      const dropped = messages.filter((message) => message.data === undefined)
      if (dropped.length === 0) return { state: next, out }
      return { state: next, out, diagnostics: dropped.map(({ id }) => tooLargeDiagnostic(limit, id)) }
    },
    end: endOfStream,
  }
  return opaque(machine)
}

/**
 * Parses one chunk of bytes or text.
 *
 * @throws TypeError if it is something else.
 */
export function parseChunk(
  state: SseState,
  input: string | Uint8Array,
  limit: number,
): { state: SseState; messages: ParsedMessage[] } {
  const { text, rest } = decodeChunk(state.bytes, input)
  return parseText(state, text, rest, limit)
}

/**
 * Decodes one chunk of bytes or text.
 *
 * @param bytes - The first bytes of a character, at the end of the chunk before.
 * @throws TypeError if it is something else.
 */
export function decodeChunk(bytes: readonly number[], input: string | Uint8Array): DecodedBytes {
  if (typeof input === 'string') {
    // Text after an incomplete UTF-8 sequence: the rest of the sequence will not follow.
    return { text: bytes.length === 0 ? input : `\uFFFD${input}`, rest: [] }
  }
  if (!ArrayBuffer.isView(input)) throw mismatch('input', 'text or a Uint8Array', input)
  return decodeUtf8(bytes, input)
}

/** Ends a connection: drops an incomplete message, and keeps what the next connection needs. */
export function endOfStream(state: SseState): Step<SseState, never> {
  const { lastEventId, retry, line, eventTypeBuffer, dataBuffer, tooLarge, bytes } = state
  const next = { state: { ...initialSseState, lastEventId, retry }, out: [] }
  return lengthOf(line) === 0 &&
    `${eventTypeBuffer}${bytes}` === '' &&
    dataBuffer === undefined &&
    tooLarge !== true
    ? next
    : {
        ...next,
        diagnostics: [{ code: 'incomplete-message', message: 'The stream ended within a message.' }],
      }
}

/** The diagnostic in place of a message over the limit. */
export function tooLargeDiagnostic(limit: number, id: string): Diagnostic {
  return { code: 'too-large', message: tooLarge(limit), detail: { limit, id } }
}

/** What is reported of a message over the limit. */
export function tooLarge(limit: number): string {
  return `A message is longer than ${limit} characters.`
}
