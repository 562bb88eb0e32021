/** Decoding an SSE stream to validated events. */

import type { DecodeResult, IssueCode } from '../core/decode-result.ts'
import type { Diagnostic, Machine } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { describeValue, requireBoolean, requireInteger } from '../core/require.ts'
import { decodeEvent, isKnownEvent } from '../events/decode.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { isNestedDeeper } from '../json/depth.ts'
import { inexactNumbers, mayBeInexact } from '../json/inexact-numbers.ts'
import { endOfStream, parseChunk, tooLarge } from '../sse/decoder.ts'
import type { ParsedMessage } from '../sse/parser.ts'
import { initialSseState, messageLimit, type SseOptions, type SseState } from '../sse/state.ts'

/** Options of {@link eventDecoder}. */
export interface EventDecoderOptions extends SseOptions {
  /**
   * The maximum nesting depth of a message's JSON, at least 1. A deeper message is `invalid` with the code
   * `too-deep`: traversing or serializing it could overflow the stack. In a reset it is that of each event.
   *
   * @defaultValue 1000
   */
  readonly maxDepth?: number
  /**
   * Whether numbers that change when they are parsed are reported, as the diagnostic `inexact-number`. The search takes
   * longer than the rest of decoding for a long text.
   *
   * @defaultValue `false`; in {@link readEvents} and `watchStream` whether there is `onDiagnostic`
   */
  readonly inexactNumbers?: boolean
}

/** An output of {@link eventDecoder}: a decoded event, the last event ID at it, and its text. */
export type DecodedMessage = DecodeResult<ContextAnyEvent> & {
  /** The last event ID at this message. Empty if the stream has not set one. */
  id: string
  /**
   * The data as it came. Forward it with {@link encodeMessage} to keep every byte: parsing loses duplicate keys, the
   * spelling of numbers such as `1.0`, and the order of keys such as `"1"`. Empty if the message is over the limit.
   */
  raw: string
  /**
   * The SSE event type of a message that cannot be parsed: `too-large`, `too-deep` or `invalid-json`. Omitted if it can be,
   * if the stream sets none, or if there is no room for it within the limit.
   */
  eventType?: string
}

/** What stands between the messages of a log: a new last event ID without one, or a diagnostic. */
export type BetweenMessages =
  | { readonly status: 'id'; readonly id: string }
  | { readonly status: 'diagnostic'; readonly diagnostic: Diagnostic }

/**
 * Decodes events from SSE bytes or text, cut anywhere, and validates them. Never throws on data; decoding
 * continues after an invalid message.
 *
 * The `kind` in the data identifies the event, not the SSE event type. A message that is not a valid event is
 * `invalid`, with the code `invalid-json` for text that is not JSON, `too-large` for a message over the limit
 * (its `value` is then `undefined`), `too-deep`, or one of the codes of {@link decodeEvent}. So are the messages about
 * a stream that stand between the events of a log: {@link readEvents} reports them, and `batchDecoder` takes them.
 *
 * Diagnostics: `event-name` if the SSE event type differs from the kind; `done` for a `[DONE]` message, which some
 * servers send last; `incomplete-message` at the end; with `inexactNumbers`, `inexact-number` for a number that changes when
 * it is parsed, such as an integer over 2^53, at most 32 a message, with its text as `detail.text`. Of numbers with 16 or 17
 * digits, the first 20 000 of a message are checked.
 *
 * @throws TypeError if a limit is not an integer >= 1, `inexactNumbers` is not a boolean, or an option is unknown.
 *
 * @example
 * ```ts
 * const { push } = run(eventDecoder())
 * for (const decoded of push(chunk)) if (decoded.status === 'known') handle(decoded.event)
 * ```
 */
export function eventDecoder(
  options: EventDecoderOptions = {},
): Machine<
  MachineState<'eventDecoder', { readonly lastEventId: string; readonly retry?: number | undefined }>,
  string | Uint8Array,
  DecodedMessage
> {
  // It emits messages only.
  return opaque(messageMachine(options, false) as Machine<SseState, string | Uint8Array, DecodedMessage>)
}

/**
 * The machine of {@link eventDecoder}.
 *
 * @param isLog - Whether it also emits the ids without a message, and the diagnostics, in the order of the stream.
 */
export function messageMachine(
  options: EventDecoderOptions,
  isLog: boolean,
): Machine<SseState, string | Uint8Array, DecodedMessage | BetweenMessages> {
  const limit = messageLimit(options, ['maxDepth', 'inexactNumbers'])
  const { maxDepth = 1000, inexactNumbers = false } = options
  requireInteger('maxDepth', maxDepth, 1)
  requireBoolean('inexactNumbers', inexactNumbers)
  return {
    initial: initialSseState,
    step(state, input) {
      const out: (DecodedMessage | BetweenMessages)[] = []
      const diagnostics: Diagnostic[] = []
      const report: Report = isLog
        ? (diagnostic) => out.push({ status: 'diagnostic', diagnostic })
        : (diagnostic) => diagnostics.push(diagnostic)
      // Parses all messages before the JSON of the first: alternating takes a tenth longer.
      const { state: next, messages } = parseChunk(state, input, limit)
      for (const message of messages) {
        const { data, id } = message
        if (data === '[DONE]') report({ code: 'done', message: 'The server sent [DONE].' })
        else if (data !== null) out.push(decode(message, data, report))
        else if (isLog) out.push({ status: 'id', id })
      }
      return diagnostics.length === 0 ? { state: next, out } : { state: next, out, diagnostics }
    },
    end: endOfStream,
  }

  function decode(message: ParsedMessage, data: string | undefined, report: Report): DecodedMessage {
    if (data === undefined) return unparsed(message, data, 'too-large', tooLarge(limit))
    if (isNestedDeeper(data, maxDepth))
      return unparsed(message, data, 'too-deep', `The JSON is nested more than ${maxDepth} levels deep.`)
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch (error) {
      // Some engines quote the whole text.
      const reason = error instanceof Error ? error.message : String(error)
      return unparsed(message, data, 'invalid-json', `Invalid JSON: ${reason.slice(0, MAX_REASON)}.`)
    }
    if (inexactNumbers) reportInexactNumbers(data, report)
    const { event: name, id } = message
    let decoded: DecodedMessage
    // The common case without a second object.
    if (isKnownEvent(value)) decoded = { status: 'known', event: value, id, raw: data }
    else {
      // Assigned: a spread takes several times as long.
      decoded = decodeEvent(value) as DecodedMessage
      decoded.id = id
      decoded.raw = data
    }
    if (name !== 'message' && decoded.status !== 'invalid') checkName(name, decoded.event.kind, report)
    return decoded
  }
}

type Report = (diagnostic: Diagnostic) => void

/** The maximum length of the reason why text is not JSON. */
const MAX_REASON = 200

/** A message whose data cannot be parsed: its SSE event type is all that is known. `data` is undefined if it is over the limit. */
function unparsed(
  { event, id }: ParsedMessage,
  data: string | undefined,
  code: IssueCode,
  message: string,
): DecodedMessage {
  const issues = [{ code, path: '', message }]
  const decoded: DecodedMessage = { status: 'invalid', issues, value: data, id, raw: data ?? '' }
  if (event !== 'message') decoded.eventType = event
  return decoded
}

/** Reports an SSE event type other than the kind. Internal kinds may omit the prefix `internal:`. */
function checkName(name: string, kind: string, report: Report): void {
  // Searching is several times as fast as comparing, or as `startsWith`, because a name is a slice of its chunk.
  if (name.length === kind.length ? kind.indexOf(name) === 0 : kind === `internal:${name}`) return
  const message = `Expected the SSE event type ${describeValue(kind)}, got ${describeValue(name)}.`
  report({ code: 'event-name', message, path: '/kind', detail: { event: name, kind } })
}

/** How many numbers of one message are reported. */
const MAX_NUMBERS = 32
const MAX_TEXT = 40

/** Reports the inexact numbers of the data of a message. */
function reportInexactNumbers(data: string, report: Report): void {
  if (!mayBeInexact(data)) return
  for (const { path, text } of inexactNumbers(data, MAX_NUMBERS)) {
    const written = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
    report({
      code: 'inexact-number',
      message: `Expected a number that a double can hold, got ${written}, read as ${Number(text)}.`,
      path,
      detail: { text: written },
    })
  }
}
