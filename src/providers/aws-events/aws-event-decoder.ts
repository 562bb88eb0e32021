/** The binary event stream of AWS, as Bedrock sends it. */

import { foreignForm } from '../../core/apis.ts'
import type { Diagnostic, Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { mismatch } from '../../core/require.ts'
import { awsMessage } from '../../encoding/aws-message.ts'
import { fromBase64 } from '../../encoding/base64.ts'
import { append, emptyText, type GrowingText, lengthOf, textOf } from '../../encoding/growing-text.ts'
import { parsedJson } from '../../json/parsed.ts'
import { type Fields, fieldsOf, isFields } from '../shared/fields.ts'

interface State {
  /** The bytes of a message that is not whole, each a character. */
  readonly bytes: GrowingText
  /** How many bytes are read before they are looked at again. */
  readonly needed: number
  /** Whether the rest cannot be read. */
  readonly isBroken: boolean
}

const initial: State = { bytes: emptyText, needed: 1, isBroken: false }

/**
 * Decodes the body of a Bedrock response (`application/vnd.amazon.eventstream`) from bytes, cut anywhere, for use without
 * the SDK: the chunks of ConverseStream for {@link bedrockConverse}, and those of InvokeModelWithResponseStream, which
 * are the chunks of the model, such as for {@link anthropicMessages}.
 *
 * Both checksums of a message are verified.
 *
 * Diagnostics:
 * - `invalid-checksum`: a message whose bytes were changed; nothing is read from it on, so that a reader takes the response
 *   as cut off, not as one without a part
 * - `invalid-message`: a message without an event type, or whose payload is not JSON, which is dropped; or bytes that are no
 *   message, after which nothing is read
 * - `incomplete-message`: the stream ended within a message
 *
 * @example
 * ```ts
 * const { body } = await signedFetch(`${bedrock}/model/${model}/converse-stream`, request)
 * const drafts = iterate(pipe(awsEventDecoder(), bedrockConverse({ model })), body ?? [])
 * ```
 */
export function awsEventDecoder(): Machine<MachineState<'awsEventDecoder'>, Uint8Array, unknown> {
  const machine: Machine<State, Uint8Array, unknown> = {
    initial,
    step(state, chunk) {
      if (!(chunk instanceof Uint8Array)) throw mismatch('input', 'a Uint8Array', chunk)
      const bytes = append(state.bytes, binaryText(chunk))
      if (state.isBroken) return { state, out: [] }
      if (lengthOf(bytes) < state.needed) return { state: { ...state, bytes }, out: [] }
      return readMessages(Uint8Array.from(textOf(bytes), (one) => one.charCodeAt(0)))
    },
    end(state) {
      const isCut = lengthOf(state.bytes) > 0
      const message = 'The stream ended within a message.'
      return {
        state: initial,
        out: [],
        ...(isCut && { diagnostics: [{ code: 'incomplete-message', message }] }),
      }
    },
  }
  return opaque(machine)
}

function readMessages(bytes: Uint8Array): { state: State; out: unknown[]; diagnostics: Diagnostic[] } {
  const out: unknown[] = []
  const diagnostics: Diagnostic[] = []
  for (let at = 0; ; ) {
    const rest = bytes.subarray(at)
    const message = awsMessage(rest)
    if (message.status === 'broken') {
      diagnostics.push({ code: message.code, message: textFault(rest) ?? message.fault })
      return { state: { ...initial, isBroken: true }, out, diagnostics }
    }
    if (message.status === 'incomplete') {
      // Its length counts once it fits its checksum.
      const needed = rest.length < 12 ? 12 : new DataView(rest.buffer, rest.byteOffset).getUint32(0)
      return {
        state: { ...initial, bytes: { long: binaryText(rest), recent: '' }, needed },
        out,
        diagnostics,
      }
    }
    if (!message.isIntact) {
      const text =
        'Expected a message that fits its checksum, got one whose bytes were changed; nothing is read from it on.'
      diagnostics.push({ code: 'invalid-checksum', message: text })
      return { state: { ...initial, isBroken: true }, out, diagnostics }
    }
    at += message.length
    const chunk = chunkOf(message.headers, message.payload)
    if (chunk === undefined) {
      const type = message.headers.get(':message-type') ?? ''
      const text = 'Expected a message with an event type and JSON as its payload; it is dropped.'
      diagnostics.push({ code: 'invalid-message', message: text, detail: { type } })
    } else out.push(chunk)
  }
}

/** What bytes are that are text, such as the page of a proxy. */
function textFault(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder().decode(bytes.subarray(0, 64))
  if (!/^\s*[<{]/.test(start)) return undefined
  const form = start.trimStart().startsWith('{') ? 'JSON' : foreignForm(start, [])
  return `Expected messages of the event stream of AWS, got ${form}; the rest cannot be read.`
}

/** The object of the SDK; of InvokeModelWithResponseStream, what it holds as bytes. */
function chunkOf(headers: ReadonlyMap<string, string>, payload: Uint8Array): unknown {
  const errorCode = headers.get(':error-code')
  if (errorCode !== undefined)
    return { error: { code: errorCode, message: headers.get(':error-message') ?? '' } }
  const type = headers.get(':event-type') ?? headers.get(':exception-type')
  const fields = jsonOf(payload)
  if (type === undefined || fields === undefined) return undefined
  const inner = type === 'chunk' && typeof fields.bytes === 'string' ? fromBase64(fields.bytes) : undefined
  return inner === undefined ? { [type]: fields } : jsonOf(inner)
}

function jsonOf(bytes: Uint8Array): Fields | undefined {
  const value = parsedJson(new TextDecoder().decode(bytes))
  return isFields(value) ? fieldsOf(value) : undefined
}

/** How many bytes are converted at once. */
const PIECE = 8192

/** Bytes as text, each a character. */
function binaryText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  }
  return text
}
