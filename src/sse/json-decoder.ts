/** Decoding an SSE stream of JSON to values. */

import type { JsonMessage } from '../core/json-message.ts'
import type { Diagnostic, Machine, Step } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { endOfStream, parseChunk, tooLargeDiagnostic } from './decoder.ts'
import { initialSseState, messageLimit, type SseOptions, type SseState } from './state.ts'

/**
 * Decodes SSE whose data is JSON, such as the stream of a model provider, from bytes or text, cut anywhere.
 *
 * Diagnostics, besides those of {@link sseDecoder}:
 * - `done`: a message whose data is `[DONE]`, which ends the streams of several providers
 * - `invalid-json`: a message with other data that is not JSON; it is dropped, and `detail` has its first 64 characters
 *
 * @throws TypeError if `maxMessageSize` is not an integer >= 1, or an option is unknown.
 *
 * @example
 * ```ts
 * const { push } = run(jsonDecoder())
 * push('data: {"a":1}\n\n') // [{ value: { a: 1 }, raw: '{"a":1}', event: 'message', id: '' }]
 * ```
 */
export function jsonDecoder(
  options: SseOptions = {},
): Machine<
  MachineState<'jsonDecoder', { readonly lastEventId: string; readonly retry?: number | undefined }>,
  string | Uint8Array,
  JsonMessage
> {
  const limit = messageLimit(options)
  const machine: Machine<SseState, string | Uint8Array, JsonMessage> = {
    initial: initialSseState,
    step(state, input) {
      const { state: next, messages } = parseChunk(state, input, limit)
      const out: JsonMessage[] = []
      const diagnostics: Diagnostic[] = []
      for (const { data, event, id } of messages) {
        if (data === null) continue
        if (data === undefined) diagnostics.push(tooLargeDiagnostic(limit, id))
        else {
          const value = parse(data)
          if (value === undefined) diagnostics.push(notJson(data))
          else out.push({ value, raw: data, event, id })
        }
      }
      return stepOf(next, out, diagnostics)
    },
    end: endOfStream,
  }
  return opaque(machine)
}

/** JSON has no `undefined`. */
function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function notJson(data: string): Diagnostic {
  if (data.trim() === '[DONE]') return { code: 'done', message: 'The stream sent [DONE].' }
  const detail = { data: data.slice(0, 64) }
  return { code: 'invalid-json', message: 'Expected JSON as the data of a message.', detail }
}

function stepOf(state: SseState, out: JsonMessage[], diagnostics: Diagnostic[]): Step<SseState, JsonMessage> {
  return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
}
