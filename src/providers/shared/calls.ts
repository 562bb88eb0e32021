/** The tool calls of a response: their arguments are assembled, checked and emitted. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import { parsePartialJson } from '../../json/partial/partial-json.ts'
import { isEqualJson } from '../../json/value.ts'
import { isFields } from '../../validation/predicates.ts'
import { type Fields, jsonTextOf } from './fields.ts'
import { contentOf, grow, noText } from './growing.ts'
import { hasRoom, keep, type ModelWriter } from './model-writer.ts'
import { type CallState, findOpen, withItem } from './state.ts'

/** What a chunk states about a call. Empty: nothing. */
export interface CallInfo {
  readonly toolCallId?: string
  readonly toolName?: string
  /** Where the tool runs, if it runs at the provider. */
  readonly server?: string
  readonly signature?: string
  /**
   * If the input is text and not JSON: further arguments, often none. The arguments are these and `{ "input": text }`,
   * written as the text arrives.
   */
  readonly input?: Fields
}

/** What the arguments are: JSON as far as they go, and what they are good for. */
export interface Arguments {
  readonly status: 'complete' | 'incomplete' | 'invalid'
  /** Omitted unless they are complete. */
  readonly value?: Record<string, unknown>
}

/** Opens a call, or completes what is known of the open call with a key: its first id and name count. */
export function openCall(writer: ModelWriter, key: string, info: CallInfo = {}): void {
  const { calls } = writer.state
  const { toolCallId = '', toolName = '', server = '', signature = '', input } = info
  const known = findOpen(calls, key, 'writing')
  if (known === -1 && !hasRoom(writer, calls, 'call')) return
  const at = known === -1 ? calls.length : known
  const call = calls[known] ?? newCall(key)
  writer.state.calls = withItem(calls, at, {
    ...call,
    toolCallId: call.toolCallId || (toolCallId === '' ? '' : unusedId(writer, toolCallId)),
    toolName: call.toolName || toolName,
    server: call.server || server,
    signature: signature || call.signature,
    opening: call.opening || (input === undefined ? '' : openingOf(input)),
  })
  flushArguments(writer, at)
}

/** Infers the id of the open call with a key, if the provider states none with its start: none will follow. */
export function identifyCall(writer: ModelWriter, key: string): void {
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at !== -1) identify(writer, at)
}

/** Appends text to the arguments of the open call with a key. */
export function addArguments(writer: ModelWriter, key: string, piece: string): void {
  if (piece === '') return
  if (findOpen(writer.state.calls, key, 'writing') === -1) openCall(writer, key)
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at === -1) return
  const { opening, text } = callAt(writer, at)
  if (opening === '') append(writer, at, piece)
  else append(writer, at, (contentOf(text) === '' ? opening : '') + JSON.stringify(piece).slice(1, -1))
}

/**
 * Ends the arguments of the open call with a key, if there is one.
 *
 * @param final - All arguments, if the provider repeats them. What the deltas lack is one more delta.
 */
export function endCall(writer: ModelWriter, key: string, final?: string): void {
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at === -1) return
  if (callAt(writer, at).opening !== '') endInput(writer, at, final)
  else if (final !== undefined) addRest(writer, at, final)
  const { toolCallId, toolName } = identify(writer, at)
  const { text, isTruncated } = callAt(writer, at)
  const known = isTruncated ? incomplete : argumentsOf(contentOf(text))
  const { status, value } = toolName === '' ? invalid : known
  if (value === undefined) failCall(writer, at, status)
  else {
    const { server, signature } = callAt(writer, at)
    change(writer, at, { status: server === '' ? 'complete' : 'running' })
    if (server === '' && !writer.settings.startsCalls) return
    const draft: EventDraft & { kind: 'tool-start' } = {
      kind: 'tool-start',
      toolCallId,
      toolName,
      arguments: value,
    }
    if (server !== '') draft.metadata = { provider: server }
    if (signature !== '') draft.metadata = { ...draft.metadata, signature }
    writer.emit(draft)
  }
}

/**
 * How a response ended: the model stopped by itself, it could not finish, as by the token limit, or its end did not
 * come.
 */
export type Ending = 'stop' | 'limit' | 'lost'

/** Ends all open calls. */
export function endCalls(writer: ModelWriter, ending: Ending): void {
  const open = writer.state.calls.flatMap(({ status }, at) => (status === 'writing' ? [at] : []))
  for (const at of open) {
    const { key, text } = callAt(writer, at)
    const { status } = argumentsOf(contentOf(text))
    // A limit cuts off the last call. It may not have begun to write its arguments.
    const isWhole = at !== open.at(-1) || (status !== 'incomplete' && contentOf(text) !== '')
    if (ending === 'stop' || (ending === 'limit' && isWhole)) endCall(writer, key)
    else failCall(writer, at, status === 'invalid' ? 'invalid' : 'incomplete')
  }
}

/** Parses the arguments of a call that has ended. No text is no arguments. */
export function argumentsOf(text: string): Arguments {
  if (text.trim() === '') return { status: 'complete', value: {} }
  const { value, verdict } = parsePartialJson(text)
  if (verdict !== 'complete') return { status: verdict }
  return isFields(value) ? { status: 'complete', value: value as Record<string, unknown> } : invalid
}

const invalid: Arguments = { status: 'invalid' }
const incomplete: Arguments = { status: 'incomplete' }

/** Reports a call that cannot start, and ends it if it has deltas. */
function failCall(writer: ModelWriter, at: number, status: Arguments['status']): void {
  const { toolCallId, toolName, hasDeltas } = identify(writer, at)
  change(writer, at, { status })
  const isInvalid = status === 'invalid'
  const error = isInvalid ? 'The arguments are not a JSON object.' : 'The arguments were cut off.'
  const detail = { toolCallId, toolName, arguments: contentOf(callAt(writer, at).text).slice(0, 256) }
  writer.diagnostic(isInvalid ? 'arguments-invalid' : 'arguments-incomplete', error, { detail })
  const code = 'tool_failed'
  writer.emit({
    kind: 'task-error',
    error: { code, message: error, retry: 'retryable', scope: 'tool', toolCallId },
  })
  if (hasDeltas) writer.emit({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
}

/** The arguments up to the text of the input. */
function openingOf(others: Fields): string {
  const text = jsonTextOf({ ...others, input: '' })
  return text.slice(0, -INPUT_END.length)
}

const INPUT_END = '"}'

/** Ends an input that is text. */
function endInput(writer: ModelWriter, at: number, final: string | undefined): void {
  const { text, opening } = callAt(writer, at)
  const written = contentOf(text)
  const all = opening + JSON.stringify(final ?? '').slice(1)
  if (final === undefined && written !== '') append(writer, at, INPUT_END)
  else if (`${all}}`.startsWith(written)) append(writer, at, `${all}}`.slice(written.length))
  else {
    append(writer, at, INPUT_END)
    addRest(writer, at, `${all}}`)
  }
}

/** Adds what the arguments lack, compared with all of them. */
function addRest(writer: ModelWriter, at: number, final: string): void {
  const { text, toolCallId } = callAt(writer, at)
  const written = contentOf(text)
  if (final.startsWith(written)) append(writer, at, final.slice(written.length))
  else if (!isEqualJson(argumentsOf(written).value, argumentsOf(final).value)) {
    writer.diagnostic('done-differs', 'The arguments differ from the deltas, which are kept.', {
      detail: { toolCallId, done: final },
    })
  }
}

function append(writer: ModelWriter, at: number, piece: string): void {
  const call = callAt(writer, at)
  const kept = keep(writer, piece)
  const [text, added] = grow(call.text, kept)
  const isTruncated = call.isTruncated || kept.length < piece.length
  change(writer, at, { text, waiting: call.waiting + added, isTruncated })
  flushArguments(writer, at)
}

/** Emits the arguments that wait, once the id and the name are known. */
function flushArguments(writer: ModelWriter, at: number): void {
  const { toolCallId, toolName, waiting } = callAt(writer, at)
  if (toolCallId === '' || toolName === '' || waiting === '') return
  change(writer, at, { waiting: '', hasDeltas: true })
  writer.emit({ kind: 'tool-arguments-delta', toolCallId, toolName, delta: waiting })
}

/** The call with an id, which is inferred if the provider states none. */
function identify(writer: ModelWriter, at: number): CallState {
  if (callAt(writer, at).toolCallId === '') {
    const { responseId, earlierCalls } = writer.state
    const prefix = responseId === '' ? `iteration-${writer.settings.iteration}` : responseId
    const toolCallId = unusedId(writer, `${prefix}-call-${earlierCalls.length + at}`)
    writer.inferred('toolCallId', `Expected an id of the call, got none. It is ${toolCallId}.`)
    change(writer, at, { toolCallId })
  }
  flushArguments(writer, at)
  return callAt(writer, at)
}

/** The id, with a number if another call of the stream has it. */
function unusedId({ state: { calls, earlierCalls } }: ModelWriter, id: string): string {
  const isUsed = (other: string): boolean =>
    earlierCalls.includes(other) || calls.some(({ toolCallId }) => toolCallId === other)
  if (!isUsed(id)) return id
  let number = 2
  while (isUsed(`${id}-${number}`)) number++
  return `${id}-${number}`
}

function newCall(key: string): CallState {
  return {
    key,
    toolCallId: '',
    toolName: '',
    text: noText,
    waiting: '',
    isTruncated: false,
    hasDeltas: false,
    signature: '',
    server: '',
    opening: '',
    status: 'writing',
  }
}

function callAt(writer: ModelWriter, at: number): CallState {
  return writer.state.calls[at] as CallState
}

function change(writer: ModelWriter, at: number, changes: Partial<CallState>): void {
  writer.state.calls = withItem(writer.state.calls, at, { ...callAt(writer, at), ...changes })
}
