/** The tool calls of a response: their arguments are assembled, checked and emitted. */

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
  /** `incomplete`: something is open at their end, whatever is within. */
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
    toolCallId: call.toolCallId || unusedId(writer, keepName(writer, toolCallId)),
    toolName: call.toolName || keepName(writer, toolName),
    server: call.server || server,
    signature: (signature !== call.signature && keepName(writer, signature)) || call.signature,
    opening: call.opening || (input === undefined ? '' : keepName(writer, openingOf(input))),
  })
  // Later chunks may state less of the response.
  if (callAt(writer, at).toolCallId === '' && writer.settings.newId === undefined) idPrefix(writer)
  flushArguments(writer, at)
}

/** Replaces the name of the open call with a key, of which nothing was emitted. */
export function renameCall(writer: ModelWriter, key: string, toolName: string): void {
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at === -1 || callAt(writer, at).hasDeltas) return
  if (hasSpace(writer, toolName.length - callAt(writer, at).toolName.length)) change(writer, at, { toolName })
}

/** Creates the id of the open call with a key, if an API that needs none states none with its start: none will follow. */
export function identifyCall(writer: ModelWriter, key: string): void {
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at !== -1) identify(writer, at, false)
}

/** Appends text to the arguments of the open call with a key. Drops it if all arguments were stated before. */
export function addArguments(writer: ModelWriter, key: string, piece: string): void {
  if (piece === '') return
  if (findOpen(writer.state.calls, key, 'writing') === -1) openCall(writer, key)
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at === -1) {
    drop(writer, 'call', piece.length)
    return
  }
  const { opening, text, isStated } = callAt(writer, at)
  if (isStated) dropArguments(writer)
  else if (opening === '') append(writer, at, piece)
  else append(writer, at, (contentOf(text) === '' ? opening : '') + JSON.stringify(piece).slice(1, -1))
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
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at === -1) return
  if (callAt(writer, at).opening !== '') endInput(writer, at, final)
  else addRest(writer, at, final)
  change(writer, at, { isStated: true })
}

/**
 * Ends the arguments of the open call with a key, if there is one. A call without a character of arguments waits for the
 * end of the response: they may be lost or late.
 *
 * @param final - All arguments, if the provider repeats them.
 */
export function endCall(writer: ModelWriter, key: string, final?: string): void {
  if (final !== undefined) stateArguments(writer, key, final)
  const at = findOpen(writer.state.calls, key, 'writing')
  if (at !== -1) endOpen(writer, at)
}

/** Whether a call has ended, and waits for the end of the response. */
export function hasWaitingCall({ state: { calls } }: ModelWriter): boolean {
  return calls.some(({ status, isEnded }) => status === 'writing' && isEnded)
}

/** Fails the calls without arguments, for providers that state the arguments of each. */
export function failUnstated(writer: ModelWriter): void {
  for (const [at, { status, text, isStated }] of writer.state.calls.entries()) {
    if (status === 'writing' && !isStated && contentOf(text) === '') failCall(writer, at, 'incomplete')
  }
}

/** Checks the arguments of an open call, and starts it if it starts here. */
function settleCall(writer: ModelWriter, at: number): void {
  const { isStated, opening } = callAt(writer, at)
  if (opening !== '' && !isStated) endInput(writer, at, undefined)
  const { toolCallId, toolName } = identify(writer, at)
  const { text, isTruncated } = callAt(writer, at)
  const known = isTruncated ? incomplete : argumentsOf(contentOf(text))
  const { status, value } = toolName === '' ? invalid : known
  if (value === undefined) failCall(writer, at, status)
  else {
    const { server, signature } = callAt(writer, at)
    change(writer, at, { status: server === '' ? 'complete' : 'running' })
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
  const open = writer.state.calls.flatMap(({ status }, at) => (status === 'writing' ? [at] : []))
  for (const at of open) {
    const { text, isEnded } = callAt(writer, at)
    const isEmpty = contentOf(text) === ''
    const { status } = argumentsOf(contentOf(text))
    // A limit cuts off the last call. It may not have begun to write its arguments.
    const isWhole = at !== open.at(-1) || (status !== 'incomplete' && !isEmpty)
    if (ending === 'stop' || (ending === 'limit' && isWhole)) endOpen(writer, at)
    else if (ending === 'lost' && isEnded && writer.state.isFinished && !(isEmpty && hasStray(writer)))
      settleCall(writer, at)
    else failCall(writer, at, status === 'invalid' ? 'invalid' : 'incomplete')
  }
}

function endOpen(writer: ModelWriter, at: number): void {
  const { text, server, isStated } = callAt(writer, at)
  if (contentOf(text) === '' && server === '' && !isStated) change(writer, at, { isEnded: true })
  else settleCall(writer, at)
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
function failCall(writer: ModelWriter, at: number, status: Arguments['status']): void {
  const { toolCallId, toolName, hasDeltas } = identify(writer, at)
  change(writer, at, { status })
  const [fault, error] = toolName === '' ? unnamed : status === 'invalid' ? notObject : cutOff
  const detail = { toolCallId, toolName, arguments: contentOf(callAt(writer, at).text).slice(0, 256) }
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

/**
 * Adds what the arguments lack, compared with all of them. If they differ, all of them count: a call whose deltas were
 * emitted is then invalid. A tool at the provider runs anyway, and keeps the deltas. Some servers end a call with empty
 * arguments after its deltas: these do not repeat them.
 */
function addRest(writer: ModelWriter, at: number, final: string): void {
  if (final === '') return
  const { text, toolCallId, hasDeltas, server } = callAt(writer, at)
  const written = contentOf(text)
  if (final.startsWith(written)) {
    append(writer, at, final.slice(written.length))
    return
  }
  if (isEqualJson(argumentsOf(written).value, argumentsOf(final).value)) return
  writer.diagnostic('done-differs', 'Expected the arguments that the deltas have, got others.', {
    detail: { toolCallId, done: final },
  })
  if (server !== '') return
  const kept = keep(writer, final)
  change(writer, at, {
    text: grow(noText, kept)[0],
    waiting: hasDeltas ? '' : kept,
    isTruncated: kept.length < final.length,
  })
  if (hasDeltas) failCall(writer, at, 'invalid')
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
function identify(writer: ModelWriter, at: number, isReported = true): CallState {
  if (callAt(writer, at).toolCallId === '') {
    const { earlierCalls } = writer.state
    const toolCallId = unusedId(writer, `${idPrefix(writer)}-call-${earlierCalls.length + at}`)
    if (isReported)
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
  if (id === '' || !isUsed(id)) return id
  // Of many calls with the same id, most find a free number at once.
  let number = earlierCalls.length + calls.length + 1
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
    isStated: false,
    isEnded: false,
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
