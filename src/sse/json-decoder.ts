/** Decoding a body of JSON to values: SSE, JSON Lines, or one JSON document. */

import type { JsonMessage } from '../core/json-message.ts'
import type { Diagnostic, Machine, Step } from '../core/machine.ts'
import { type MachineState, opaque } from '../core/machine-state.ts'
import { textOf } from '../encoding/growing-text.ts'
import { decodeChunk, endOfStream, tooLargeDiagnostic } from './decoder.ts'
import { initialJsonText, type JsonTextState, readJsonText, restOf } from './json-text.ts'
import { type ParsedMessage, parseText } from './parser.ts'
import {
  initialSseState,
  messageLimit,
  type ReconnectFields,
  type SseOptions,
  type SseState,
} from './state.ts'

/** The state between two chunks. Plain JSON. */
interface JsonState extends SseState {
  /** `null`: SSE, or not known yet. */
  readonly json: JsonTextState | null
  /** The first characters, for the report of a stream without a message. `null`: there was a message, or a report. */
  readonly start: string | null
  /** Whether the message before was not JSON: more of them are not reported. */
  readonly isInvalid?: true
}

const initial: JsonState = { ...initialSseState, json: null, start: '' }

/**
 * Decodes the body of a response with JSON, such as the stream of a model provider, from bytes or text, cut anywhere:
 *
 * - SSE whose data is JSON. `[DONE]`, which ends the streams of several providers, is no message; the field `error`, which
 *   llama.cpp sends, is a message of the type `error`, and a line that begins with `{` is one of the type `message`
 * - JSON Lines (NDJSON): a message for each value
 * - one JSON document, as servers send that do not stream: a message, or one for each item of an array, as soon as it is whole
 *
 * A body whose first character is `{` or `[` is JSON, any other is SSE.
 *
 * Diagnostics, besides those of {@link sseDecoder}:
 * - `invalid-json`: a message that is not JSON, or several in a row; they are dropped, and `detail` has the first 64 characters
 * - `no-message`: the stream ended without a message and any other diagnostic, such as a page of HTML; `detail` has its
 *   first 64 characters
 *
 * @throws TypeError if `maxMessageSize` is not an integer >= 1, or an option is unknown.
 *
 * @example
 * ```ts
 * const { push } = run(jsonDecoder())
 * push('data: {"a":1}\n\n') // [{ value: { a: 1 }, raw: '{"a":1}', event: 'message', id: '' }]
 * ```
 *
 * @example
 * ```ts
 * run(jsonDecoder()).push('{"a":1}\n{"a":2}\n') // two messages
 * ```
 */
export function jsonDecoder(
  options: SseOptions = {},
): Machine<MachineState<'jsonDecoder', ReconnectFields>, string | Uint8Array, JsonMessage> {
  const limit = messageLimit(options)
  /** Reads a line without a field of SSE as a message: a server that fails may write its error as it is, or as llama.cpp does. */
  function readRaw(messages: ParsedMessage[], line: string, id: string): void {
    const [named = '', value = line] = /^error: ?(.*)$/s.exec(line) ?? []
    const data = line.length > limit ? undefined : value
    if (named !== '' || line.startsWith('{'))
      messages.push({ event: named === '' ? 'message' : 'error', data, id })
  }
  const machine: Machine<JsonState, string | Uint8Array, JsonMessage> = {
    initial,
    step(state, input) {
      const { text, rest } = decodeChunk(state.bytes, input)
      const isFirst = state.json === null && state.start !== null && /^\s*$/.test(state.start)
      const isJson = isFirst && /^\s*[{[]/.test(text)
      const json = isJson ? initialJsonText : state.json
      const out: JsonMessage[] = []
      const diagnostics: Diagnostic[] = []
      let isInvalid = state.isInvalid === true
      const add = (data: string, event: string, id: string): void => {
        const value = parse(data)
        if (value === undefined && data.trim() === '[DONE]') return
        if (value !== undefined) out.push({ value, raw: data, event, id })
        else if (!isInvalid) diagnostics.push(notJson(data))
        isInvalid = value === undefined
      }
      let next: JsonState
      if (json === null) {
        const { state: sse, messages } = parseText(state, text, rest, limit, readRaw)
        next = { ...sse, json, start: state.start }
        for (const { data, event, id } of messages) {
          if (data === undefined) diagnostics.push(tooLargeDiagnostic(limit, id))
          else if (data !== null) add(data, event, id)
        }
      } else {
        const read = readJsonText(json, isJson ? text.trimStart() : text, limit)
        next = { ...initial, bytes: rest, json: read.state, start: state.start }
        for (const value of read.values) {
          if (value === undefined) diagnostics.push(tooLargeDiagnostic(limit, ''))
          else add(value, 'message', '')
        }
      }
      if (isInvalid) next = { ...next, isInvalid }
      const isQuiet = next.start !== null && out.length + diagnostics.length === 0
      const start = isQuiet ? `${state.start}${text}`.trimStart().slice(0, SHOWN) : null
      return stepOf({ ...next, start }, out, diagnostics)
    },
    end(state) {
      const { json, start } = state
      const { state: sse, diagnostics: cut = [] } = endOfStream(state)
      const next = { ...initial, lastEventId: sse.lastEventId, retry: sse.retry }
      const line = json === null && state.dataBuffer === undefined ? textOf(state.line) : ''
      const sseRest = line.startsWith('{') ? line : ''
      const { rest, isOpen } =
        json === null ? { rest: sseRest, isOpen: cut.length > 0 && sseRest === '' } : restOf(json)
      const value = isOpen || rest === '' ? undefined : parse(rest)
      if (value !== undefined) return stepOf(next, [{ value, raw: rest, event: 'message', id: '' }], [])
      if (rest !== '' && !isOpen) return stepOf(next, [], state.isInvalid ? [] : [notJson(rest)])
      const isSilent = start !== null && (!isOpen || !(json !== null || field.test(start)))
      if (isSilent) return stepOf(next, [], [noMessage(start)])
      return stepOf(next, [], isOpen ? [incomplete] : [])
    },
  }
  return opaque(machine)
}

/** How many characters of a text a diagnostic has. */
const SHOWN = 64

/** The start of a stream of SSE. */
const field = /^(data|event|id|retry|error)?[:\r\n]|^(data|event|id|retry|error)?$/

const incomplete: Diagnostic = { code: 'incomplete-message', message: 'The stream ended within a message.' }

/** JSON has no `undefined`. */
function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function notJson(data: string): Diagnostic {
  const detail = { data: data.slice(0, SHOWN) }
  return { code: 'invalid-json', message: 'Expected JSON as the data of a message.', detail }
}

function noMessage(start: string): Diagnostic {
  const got = start === '' ? 'nothing' : /^</.test(start) ? 'HTML or XML' : 'text without one'
  const message = `Expected a message of SSE or a value of JSON, got ${got}.`
  return { code: 'no-message', message, detail: { data: start } }
}

function stepOf<State>(
  state: State,
  out: JsonMessage[],
  diagnostics: Diagnostic[],
): Step<State, JsonMessage> {
  return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
}
