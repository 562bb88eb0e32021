/** The tool calls of a response: their arguments are assembled, checked and emitted. */

import type { Mutable } from '../../core/mutable.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { mustBeApproved } from '../../events/approval.ts'
import { balanceOf, isOpen } from '../../json/balance.ts'
import { parsedJson } from '../../json/parsed.ts'
import { isEqualJson } from '../../json/value.ts'
import { isFields } from '../../validation/predicates.ts'
import { type Fields, jsonTextOf } from './fields.ts'
import { contentOf, grow, noText } from './growing.ts'
import { drop, hasRoom, hasSpace, keep, keepName } from './limits.ts'
import { idPrefix, type ModelWriter } from './model-writer.ts'
import { type CallState, edit, findOpen } from './state.ts'

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
  /** `incomplete`: something is open at their end, whatever is within. */
  readonly status: 'complete' | 'incomplete' | 'invalid'
  /** Omitted unless they are complete. */
  readonly value?: Record<string, unknown>
}

/** A call, to be changed in the step that is running. */
type Call = Mutable<CallState>

/** The open call with a key. */
function openCallOf({ state }: ModelWriter, key: string): Call | undefined {
  const call = findOpen(state.calls, key, 'writing')
  return call && edit(state, 'calls', call)
}

/** Opens a call, or completes what is known of the open call with a key: its first id and name count. */
export function openCall(writer: ModelWriter, key: string, info: CallInfo = {}): void {
  const { state } = writer
  const { toolCallId = '', toolName = '', server = '', signature = '', input } = info
  const known = openCallOf(writer, key)
  if (known === undefined && !hasRoom(writer, state.calls, 'call')) return
  const call = known ?? newCall(key)
  call.toolCallId ||= unusedId(writer, keepName(writer, toolCallId))
  call.toolName ||= keepName(writer, toolName)
  call.server ||= server
  if (signature !== call.signature) call.signature = keepName(writer, signature) || call.signature
  if (input !== undefined) call.opening ||= keepName(writer, openingOf(input))
  if (known === undefined) state.calls = [...state.calls, call]
  // Later chunks may state less of the response.
  if (call.toolCallId === '' && writer.settings.newId === undefined) idPrefix(writer)
  flushArguments(writer, call)
}

/** Replaces the name of the open call with a key, of which nothing was emitted. */
export function renameCall(writer: ModelWriter, key: string, toolName: string): void {
  const call = openCallOf(writer, key)
  if (call === undefined || call.hasDeltas) return
  if (hasSpace(writer, toolName.length - call.toolName.length)) call.toolName = toolName
}

/** Creates the id of the open call with a key, if an API that needs none states none with its start: none will follow. */
export function identifyCall(writer: ModelWriter, key: string): void {
  const call = openCallOf(writer, key)
  if (call !== undefined) identify(writer, call, false)
}

/** Appends text to the arguments of the open call with a key. Drops it if all arguments were stated before. */
export function addArguments(writer: ModelWriter, key: string, piece: string): void {
  if (piece === '') return
  if (findOpen(writer.state.calls, key, 'writing') === undefined) openCall(writer, key)
  const call = openCallOf(writer, key)
  if (call === undefined) {
    drop(writer, 'call', piece.length)
    return
  }
  const { opening, text, isStated } = call
  if (isStated) dropArguments(writer)
  else if (opening === '') append(writer, call, piece)
  else append(writer, call, (contentOf(text) === '' ? opening : '') + JSON.stringify(piece).slice(1, -1))
}

/** Reports arguments of a call that has all of them. */
export function dropArguments(writer: ModelWriter): void {
  writer.dropped('arguments', 'after-end', 'Expected no arguments of a call that has all of them.')
}

/**
 * States all arguments of the open call with a key, if there is one. They count if they differ from the deltas. What the
 * deltas lack is one more delta.
 */
export function stateArguments(writer: ModelWriter, key: string, final: string): void {
  const call = openCallOf(writer, key)
  if (call === undefined) return
  if (call.opening !== '') endInput(writer, call, final)
  else addRest(writer, call, final)
  call.isStated = true
}

/**
 * Ends the arguments of the open call with a key, if there is one. A call without a character of arguments waits for the
 * end of the response: they may be lost or late.
 *
 * @param final - All arguments, if the provider repeats them.
 */
export function endCall(writer: ModelWriter, key: string, final?: string): void {
  if (final !== undefined) stateArguments(writer, key, final)
  const call = openCallOf(writer, key)
  if (call !== undefined) endOpen(writer, call)
}

/** Whether a call has ended, and waits for the end of the response. */
export function hasWaitingCall({ state: { calls } }: ModelWriter): boolean {
  return calls.some(({ status, isEnded }) => status === 'writing' && isEnded)
}

/** Fails the calls without arguments, for providers that state the arguments of each. */
export function failUnstated(writer: ModelWriter): void {
  for (const call of openCalls(writer))
    if (!call.isStated && contentOf(call.text) === '') failCall(writer, call, 'incomplete')
}

/** All open calls. */
function openCalls({ state }: ModelWriter): Call[] {
  return state.calls.filter(({ status }) => status === 'writing').map((call) => edit(state, 'calls', call))
}

/** Checks the arguments of an open call, and starts it if it starts here. */
function settleCall(writer: ModelWriter, call: Call): void {
  if (call.opening !== '' && !call.isStated) endInput(writer, call, undefined)
  identify(writer, call)
  const { toolCallId, toolName, text, server, signature } = call
  const known = call.isTruncated ? incomplete : argumentsOf(contentOf(text))
  const { status, value } = toolName === '' ? invalid : known
  if (value === undefined) {
    failCall(writer, call, status)
    return
  }
  call.status = server === '' ? 'complete' : 'running'
  if (server === '' && !startsHere(writer, toolName)) return
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

/** Whether a call of one of the application's tools starts with its arguments. */
export function startsHere(
  { settings: { startsCalls, needsApproval } }: ModelWriter,
  toolName: string,
): boolean {
  return startsCalls && !mustBeApproved(needsApproval, { toolName })
}

/**
 * How a response ended: the model stopped by itself, it could not finish, as by the token limit, or its end did not
 * come.
 */
export type Ending = 'stop' | 'limit' | 'lost'

/** Ends all open calls, except for those that wait for the end of the response. */
export function endCalls(writer: ModelWriter, ending: Ending): void {
  const open = openCalls(writer)
  for (const call of open) {
    const { text, isEnded } = call
    const isEmpty = contentOf(text) === ''
    const { status } = argumentsOf(contentOf(text))
    // A limit cuts off the last call. It may not have begun to write its arguments.
    const isWhole = call !== open.at(-1) || (status !== 'incomplete' && !isEmpty)
    if (ending === 'stop' || (ending === 'limit' && isWhole)) endOpen(writer, call)
    else if (ending === 'lost' && isEnded && writer.state.isFinished && !(isEmpty && hasStray(writer)))
      settleCall(writer, call)
    else failCall(writer, call, status === 'invalid' ? 'invalid' : 'incomplete')
  }
}

function endOpen(writer: ModelWriter, call: Call): void {
  if (contentOf(call.text) === '' && call.server === '' && !call.isStated) call.isEnded = true
  else settleCall(writer, call)
}

/** Whether there are arguments of an unknown call: they may be those that another one lacks. */
function hasStray({ state: { calls } }: ModelWriter): boolean {
  return calls.some(({ toolName, text }) => toolName === '' && contentOf(text) !== '')
}

/** Parses the arguments of a call that has ended. No text is no arguments. */
export function argumentsOf(text: string): Arguments {
  if (text.trim() === '') return { status: 'complete', value: {} }
  const value = parsedJson(text)
  if (isFields(value)) return { status: 'complete', value: value as Record<string, unknown> }
  return value === undefined && isOpen(balanceOf(text)) ? incomplete : invalid
}

const invalid: Arguments = { status: 'invalid' }
const incomplete: Arguments = { status: 'incomplete' }

const unnamed = ['tool-unnamed', 'The call names no tool.'] as const
const notObject = ['arguments-invalid', 'The arguments are not a JSON object.'] as const
const cutOff = ['arguments-incomplete', 'The arguments were cut off.'] as const

/** Reports a call that cannot start, and ends it if it has deltas. */
function failCall(writer: ModelWriter, call: Call, status: Arguments['status']): void {
  identify(writer, call)
  call.status = status
  const { toolCallId, toolName, hasDeltas } = call
  const [fault, error] = toolName === '' ? unnamed : status === 'invalid' ? notObject : cutOff
  const detail = { toolCallId, toolName, arguments: contentOf(call.text).slice(0, 256) }
  writer.diagnostic(fault, error, { detail })
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
function endInput(writer: ModelWriter, call: Call, final: string | undefined): void {
  const { text, opening } = call
  const written = contentOf(text)
  const all = opening + JSON.stringify(final ?? '').slice(1)
  if (final === undefined && written !== '') append(writer, call, INPUT_END)
  else if (`${all}}`.startsWith(written)) append(writer, call, `${all}}`.slice(written.length))
  else {
    append(writer, call, INPUT_END)
    addRest(writer, call, `${all}}`)
  }
}

/**
 * Adds what the arguments lack, compared with all of them. If they differ, all of them count: a call whose deltas were
 * emitted is then invalid. A tool at the provider runs anyway, and keeps the deltas. Some servers end a call with empty
 * arguments after its deltas: these do not repeat them.
 */
function addRest(writer: ModelWriter, call: Call, final: string): void {
  if (final === '') return
  const { text, toolCallId, hasDeltas, server } = call
  const written = contentOf(text)
  if (final.startsWith(written)) {
    append(writer, call, final.slice(written.length))
    return
  }
  if (isEqualJson(argumentsOf(written).value, argumentsOf(final).value)) return
  writer.diagnostic('done-differs', 'Expected the arguments that the deltas have, got others.', {
    detail: { toolCallId, done: final },
  })
  if (server !== '') return
  const kept = keep(writer, final)
  call.text = grow(noText, kept)[0]
  call.waiting = hasDeltas ? '' : kept
  call.isTruncated = kept.length < final.length
  if (hasDeltas) failCall(writer, call, 'invalid')
}

function append(writer: ModelWriter, call: Call, piece: string): void {
  const kept = keep(writer, piece)
  const [text, added] = grow(call.text, kept)
  call.text = text
  call.waiting += added
  call.isTruncated ||= kept.length < piece.length
  flushArguments(writer, call)
}

/** Emits the arguments that wait, once the id and the name are known. */
function flushArguments(writer: ModelWriter, call: Call): void {
  const { toolCallId, toolName, waiting } = call
  if (toolCallId === '' || toolName === '' || waiting === '') return
  call.waiting = ''
  call.hasDeltas = true
  writer.emit({ kind: 'tool-arguments-delta', toolCallId, toolName, delta: waiting })
}

/** Gives a call an id, which is inferred, if the provider states none. */
function identify(writer: ModelWriter, call: Call, isReported = true): void {
  if (call.toolCallId === '') {
    const { earlierCalls, calls } = writer.state
    const number = earlierCalls.length + calls.indexOf(call)
    call.toolCallId = unusedId(writer, `${idPrefix(writer)}-call-${number}`)
    if (isReported)
      writer.inferred('toolCallId', `Expected an id of the call, got none. It is ${call.toolCallId}.`)
  }
  flushArguments(writer, call)
}

/** The id, with a number if another call of the stream has it. */
function unusedId({ state: { calls, earlierCalls } }: ModelWriter, id: string): string {
  const isUsed = (other: string): boolean =>
    earlierCalls.includes(other) || calls.some(({ toolCallId }) => toolCallId === other)
  if (id === '' || !isUsed(id)) return id
  // Of many calls with the same id, most find a free number at once.
  let number = earlierCalls.length + calls.length + 1
  while (isUsed(`${id}-${number}`)) number++
  return `${id}-${number}`
}

function newCall(key: string): Call {
  return {
    key,
    toolCallId: '',
    toolName: '',
    text: noText,
    waiting: '',
    isTruncated: false,
    isStated: false,
    isEnded: false,
    hasDeltas: false,
    signature: '',
    server: '',
    opening: '',
    status: 'writing',
  }
}
