/** Reading an SSE stream as validated events. */
import type { DecodeResult } from '../core/decoded.ts'
import type { Diagnostic, Machine } from '../core/machine.ts'
import { decodeEvent, isKnownEvent } from '../events/decode.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { isNestedDeeper } from '../json/depth.ts'
import { endOfStream, readChunk, tooLargeDiagnostic } from '../sse/decoder.ts'
import { initialSseState, messageLimit, type SseOptions, type SseState } from '../sse/state.ts'

/** Settings of {@link eventDecoder}. */
export interface EventDecoderOptions extends SseOptions {
  /**
   * How deep the JSON of a message may nest. A deeper one is `invalid` with the code `too-deep`:
   * whoever walks or writes it would overflow the stack.
   *
   * @defaultValue 1000
   */
  readonly maxDepth?: number
}

/** What an {@link eventDecoder} puts out: a decoded event, and the last event id as it stands at it. */
export type DecodedMessage = DecodeResult<ContextAnyEvent> & { id: string }

/**
 * Reads events from SSE bytes or text, cut anywhere, and validates them. Never throws on data; the
 * stream goes on after whatever is wrong.
 *
 * The `kind` in the data decides. Messages that are no event are put out as `invalid`: with the
 * code `invalid-json` for text that is not JSON, `too-large` for a message over the limit (its
 * `value` is then `undefined`), `too-deep`, or those of {@link decodeEvent}.
 *
 * Diagnostics: `event-name` where the SSE event name is not the kind; `done` for a `[DONE]` message, which
 * some servers send last; `incomplete-message` at the end.
 *
 * @throws TypeError when a limit is not a whole number of at least 1.
 *
 * @example
 * ```ts
 * const { push } = run(eventDecoder())
 * for (const decoded of push(chunk)) if (decoded.status === 'known') handle(decoded.event)
 * ```
 */
export function eventDecoder(
  options: EventDecoderOptions = {},
): Machine<SseState, string | Uint8Array, DecodedMessage> {
  const limit = messageLimit(options)
  const { maxDepth = 1000 } = options
  if (!Number.isSafeInteger(maxDepth) || maxDepth < 1) {
    throw new TypeError('maxDepth must be a whole number of at least 1.')
  }
  return {
    initial: initialSseState,
    step(state, input) {
      const out: DecodedMessage[] = []
      const diagnostics: Diagnostic[] = []
      // All messages are read before the first is parsed: alternating costs a tenth more.
      const { state: next, messages } = readChunk(state, input, limit)
      for (const { event, data, id } of messages) {
        if (data === '[DONE]') {
          diagnostics.push({ code: 'done', message: 'The server says it is done.' })
          continue
        }
        const decoded = data === undefined ? tooLarge(limit, id) : decodeMessage(data, id, maxDepth)
        out.push(decoded)
        if (event !== 'message') reportName(event, decoded, diagnostics)
      }
      return diagnostics.length === 0 ? { state: next, out } : { state: next, out, diagnostics }
    },
    end: endOfStream,
  }
}

function tooLarge(limit: number, id: string): DecodedMessage {
  const { code, message } = tooLargeDiagnostic(limit, id)
  return { status: 'invalid', issues: [{ code, path: '', message }], value: undefined, id }
}

function decodeMessage(data: string, id: string, maxDepth: number): DecodedMessage {
  if (isNestedDeeper(data, maxDepth)) {
    const message = `Nested more than ${maxDepth} deep.`
    return { status: 'invalid', issues: [{ code: 'too-deep', path: '', message }], value: data, id }
  }
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (error) {
    const message = `Not JSON: ${error instanceof Error ? error.message : String(error)}`
    return { status: 'invalid', issues: [{ code: 'invalid-json', path: '', message }], value: data, id }
  }
  // The common case without a second object.
  return isKnownEvent(value) ? { status: 'known', event: value, id } : { ...decodeEvent(value), id }
}

/** Remarks on an event name that is not the kind's. Internal kinds are named without `internal:`. */
function reportName(name: string, decoded: DecodedMessage, diagnostics: Diagnostic[]): void {
  if (decoded.status === 'invalid') return
  const { kind } = decoded.event
  if (name === kind || kind === `internal:${name}`) return
  const message = 'The SSE event name is not the kind of the event; the kind counts.'
  diagnostics.push({ code: 'event-name', message, path: '/kind', detail: { event: name, kind } })
}
