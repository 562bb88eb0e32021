/** Reads tool calls. */

import { describeValue } from '../../../core/require.ts'
import { jsonText } from '../../../json/json-text.ts'
import { parsedArguments, parsedJson, parsedOrText } from '../../../json/parsed.ts'
import { isEqualJson } from '../../../json/value.ts'
import { isFields } from '../../../validation/predicates.ts'
import { appendArguments, dropUnstarted, iterationOf, withPiece } from '../../engine/draft-item.ts'
import { dropRepeated } from '../../engine/drop.ts'
import { resultMessageId } from '../wire/message-ids.ts'
import type {
  AgUiReasoningEncryptedValue,
  AgUiToolCallArgs,
  AgUiToolCallEnd,
  AgUiToolCallResult,
  AgUiToolCallStart,
} from '../wire/types/index.ts'
import { continuedItem, newPart } from './items.ts'
import { addMessage } from './messages.ts'
import { emitWith, mergedMetadata, withMetadata } from './metadata.ts'
import type { OpenCall, RunWriter } from './state.ts'
import { taskOf, uniqueId } from './tasks.ts'

export function readCallStart(writer: RunWriter, event: AgUiToolCallStart): void {
  const { type, toolCallId: key, toolCallName, parentMessageId } = event
  const task = taskOf(writer, event)
  if (task === undefined) return
  const known = writer.item('calls', key)
  if (known !== undefined && isPaused(known) && known.owner === task.key) {
    writer.setItem('calls', key, { ...withMetadata(writer, known, event), phase: 'writing' })
    return
  }
  if (known !== undefined) {
    const isSame = known.owner === task.key && known.toolName === toolCallName && isRunning(known)
    // LangGraph repeats a call as it resumes after a question that its tool has asked.
    if (isSame && known.again === undefined) writer.setItem('calls', key, { ...known, again: '' })
    else dropRepeated(writer, type, key)
    return
  }
  if (toolCallName === '')
    writer.inferred('toolCallName', `Expected the name of a tool in call ${describeValue(key)}, got "".`)
  const call: OpenCall = {
    ...newPart(writer, task, key, event),
    id: uniqueId(writer, 'call', key),
    toolName: toolCallName || 'unknown',
    text: '',
    deltas: 0,
    phase: 'writing',
    texts: task.texts,
    answer: null,
  }
  const parent = parentMessageId === undefined ? {} : { metadata: { parentMessageId } }
  writer.setItem('calls', key, withMetadata(writer, call, parent))
}

/** The call whose arguments an event continues or ends. Reports that there is none. */
function writtenCall(writer: RunWriter, event: AgUiToolCallArgs | AgUiToolCallEnd): OpenCall | undefined {
  const { type, toolCallId } = event
  const call = continuedItem(writer, 'calls', toolCallId, event)
  if (call?.phase === 'writing') return call
  dropUnstarted(writer, 'TOOL_CALL_START', toolCallId, type)
  return undefined
}

export function readCallArgs(writer: RunWriter, event: AgUiToolCallArgs): void {
  const { toolCallId: key, delta } = event
  const repeated = writer.item('calls', key)
  if (repeated?.again !== undefined && repeated.again.length <= repeated.text.length + MAX_SPACE) {
    writer.setItem('calls', key, { ...repeated, again: repeated.again + delta })
    return
  }
  const known = writtenCall(writer, event)
  if (known === undefined) return
  const call = withMetadata(writer, known, event)
  const piece = delta === '' ? call : appendArguments(writer, call, delta, call)
  writer.setItem('calls', key, withPiece(call, piece))
}

/** How much longer repeated arguments may be, as JSON may have white space. */
const MAX_SPACE = 1024

/** Ends a call that was repeated. Reports arguments that differ. */
function endAgain(writer: RunWriter, { again, ...call }: OpenCall): void {
  const [repeated, known] = [again ?? '', call.text].map(parsedArguments)
  if (!isEqualJson(repeated, known)) {
    const message = `Expected the arguments of call ${describeValue(call.key)} again, got others.`
    writer.dropped('TOOL_CALL_ARGS', 'repeated', message)
  }
  writer.setItem('calls', call.key, call)
}

export function readCallEnd(writer: RunWriter, event: AgUiToolCallEnd): void {
  const repeated = writer.item('calls', event.toolCallId)
  if (repeated?.again !== undefined) {
    endAgain(writer, repeated)
    return
  }
  const call = writtenCall(writer, event)
  if (call === undefined) return
  const { complete, ...others } = event.metadata ?? {}
  // What `toAgUi` states of a call whose arguments are cut off.
  if (complete === false) cutCall(writer, withMetadata(writer, call, { metadata: others }))
  else if (call.text === '') holdCall(writer, withMetadata(writer, call, event))
  else startCall(writer, withMetadata(writer, call, event))
}

/** More are not kept from starting. */
const MAX_HELD = 64

/** Announces a call that ends without arguments: a server that interleaves those of parallel calls sends them later. */
function holdCall(writer: RunWriter, call: OpenCall): void {
  const { held } = writer.state
  if (held.includes(call.key) || held.length >= MAX_HELD) {
    startCall(writer, call)
    return
  }
  const announced = call.deltas === 0 ? withPiece(call, appendArguments(writer, call, '', call)) : call
  writer.setItem('calls', call.key, announced)
  writer.state.held = [...held, call.key]
}

/** Starts the calls that have ended, once something else follows than arguments. */
export function startHeld(writer: RunWriter): void {
  const { held } = writer.state
  if (held.length === 0) return
  writer.state.held = []
  for (const key of held) {
    const call = writer.item('calls', key)
    if (call?.phase === 'writing') startCall(writer, call)
  }
}

/** Keeps a call from starting. One without arguments is announced, so that it can fail. */
function cutCall(writer: RunWriter, call: OpenCall): void {
  const cut = call.deltas === 0 ? withPiece(call, appendArguments(writer, call, '', call)) : call
  knowCall(writer, cut, false)
  writer.setItem('calls', call.key, { ...cut, phase: 'cut' })
}

/** Stores a call whose arguments have ended, to be compared with snapshots. */
function knowCall(
  writer: RunWriter,
  { key, owner, iteration, id, text }: OpenCall,
  hasStarted: boolean,
): void {
  addMessage(writer, { type: 'call', id: key, owner, iteration, itemId: id, hasStarted }, text)
}

/** Starts a call whose arguments are complete. One whose arguments are no JSON object waits for its result. */
function startCall(writer: RunWriter, call: OpenCall): OpenCall {
  const { key, id: toolCallId, toolName, metadata } = call
  const args = parsedArguments(call.text)
  const hasStarted = isFields(args)
  if (hasStarted) {
    const of = { toolCallId, toolName, ...iterationOf(call) }
    emitWith(writer, { kind: 'tool-start', ...of, arguments: { ...args } }, call, metadata)
  } else {
    const message = `Expected a JSON object as arguments of call ${describeValue(key)}, got other text; it fails.`
    writer.diagnostic('inferred:tool-complete', message, { detail: toolCallId })
  }
  knowCall(writer, call, hasStarted)
  const texts = writer.item('tasks', call.owner)?.texts ?? 0
  const next: OpenCall = { ...call, phase: hasStarted ? 'running' : 'invalid', texts }
  writer.setItem('calls', key, next)
  return next
}

/** A call that runs. One that an earlier run has written starts with the first that comes of it. */
export function runningCall(writer: RunWriter, key: string): OpenCall | undefined {
  const known = writer.item('calls', key)
  const call = known !== undefined && mayStart(known) ? startCall(writer, known) : known
  return call?.phase === 'running' ? call : undefined
}

export function readCallResult(writer: RunWriter, event: AgUiToolCallResult): void {
  const { type, toolCallId: key, messageId, content, metadata } = event
  const known = continuedItem(writer, 'calls', key, event)
  if (known === undefined) {
    dropUnstarted(writer, 'TOOL_CALL_START', key, type)
    return
  }
  if (known.phase === 'writing')
    writer.inferred('TOOL_CALL_END', `Expected the end of call ${describeValue(key)}, got its result.`)
  const { error, hasStarted, ...rest } = metadata ?? {}
  const isError = typeof error === 'string'
  // `toAgUi` states it of a call whose start it has not written.
  const isStated = mayStart(known) && hasStarted === true
  const others = isStated || hasStarted === undefined ? rest : { ...rest, hasStarted }
  const starts = known.phase === 'writing' || (mayStart(known) && (!isError || isStated))
  const call = starts ? startCall(writer, known) : known
  const { owner, id: toolCallId, toolName } = call
  writer.deleteItem('calls', key)
  const isOwnId = messageId === resultMessageId(toolCallId) || messageId === ''
  const base = {
    kind: 'tool-complete',
    toolCallId,
    toolName,
    ...iterationOf(call),
    ...(!isOwnId && { metadata: { messageId } }),
  } as const
  const isUnstarted = isNotStarted(call)
  if (typeof content === 'string') {
    // What never started is discarded with its response.
    const iteration = isUnstarted ? call.iteration : null
    addMessage(writer, { type: 'result', id: key, owner, iteration }, content)
  }
  const given = isError ? others : (metadata ?? {})
  // The metadata of a call that never started is that of its failure.
  const all = isUnstarted ? mergedMetadata(writer, call.metadata, { metadata: given }) : given
  const stated = all === null || Object.keys(all).length === 0 ? null : all
  if (isUnstarted || isError) {
    const text = typeof content === 'string' ? content : (jsonText(content) ?? '')
    emitWith(writer, { ...base, success: false, error: isError ? error : text }, call, stated)
    return
  }
  const value = typeof content === 'string' ? parsedJson(content) : undefined
  emitWith(writer, { ...base, success: true, result: value === undefined ? content : value }, call, stated)
}

/** Whether an earlier run has written a call, which may start in a later one. */
export function isPaused({ phase }: OpenCall): boolean {
  return phase === 'cut' || phase === 'asked'
}

function isRunning({ phase }: OpenCall): boolean {
  return phase === 'running' || phase === 'resumed'
}

/** Whether a call that an earlier run has written is whole, so that what comes of it starts it. */
function mayStart({ phase, text }: OpenCall): boolean {
  return phase === 'asked' || (phase === 'cut' && text !== '' && isFields(parsedArguments(text)))
}

/** Whether a call has not started, though what was written of it has ended. */
export function isNotStarted(call: OpenCall): boolean {
  return call.phase === 'invalid' || isPaused(call)
}

/** The result of a call that the client has executed. */
function answeredWith({ answer }: OpenCall): { success: boolean; error?: string; result?: unknown } {
  if (answer === null) return { success: true }
  const { content, error } = answer
  return error === undefined ? { success: true, result: parsedOrText(content) } : { success: false, error }
}

/**
 * Ends the calls of a task that are still open.
 *
 * @param keepsRunning - Whether calls that started stay open, as their results come later.
 */
export function endCalls(writer: RunWriter, owner: string, reason: string, keepsRunning: boolean): void {
  for (const [key, known] of writer.itemsOf('calls', owner)) {
    // A call without any event starts, so that it can fail.
    const isSilent = known.phase === 'writing' && known.deltas === 0
    const call = isSilent ? startCall(writer, known) : known
    const { id: toolCallId, toolName, phase, metadata } = call
    const hasStarted = phase !== 'writing' && !isNotStarted(call)
    if (keepsRunning && (hasStarted || isPaused(call)) && !isSilent) continue
    writer.deleteItem('calls', key)
    if (phase === 'asked') continue
    const wasAnswered = phase === 'executed' || phase === 'resumed'
    const message = `Expected the result of call ${describeValue(toolCallId)}, got none.`
    if (call.answer === null) writer.diagnostic('inferred:tool-complete', message, { detail: toolCallId })
    const error = hasStarted ? reason : 'The arguments are no JSON object.'
    const outcome = wasAnswered ? answeredWith(call) : { success: false, error }
    const draft = { kind: 'tool-complete', toolCallId, toolName, ...iterationOf(call), ...outcome } as const
    emitWith(writer, draft, call, hasStarted ? null : metadata)
  }
}

/**
 * Stores an encrypted value with a call whose arguments are written. Reports one that comes later, as the call has started.
 * Returns whether there is such a call.
 */
export function storeCallSignature(writer: RunWriter, event: AgUiReasoningEncryptedValue): boolean {
  const { type, entityId: key, encryptedValue: signature, metadata } = event
  const call = continuedItem(writer, 'calls', key, event)
  if (call?.phase === 'writing') {
    writer.setItem('calls', key, withMetadata(writer, call, { metadata: { ...metadata, signature } }))
  } else if (call !== undefined) {
    const message = `Expected the encrypted value before the end of call ${describeValue(key)}, got it later.`
    writer.dropped(type, 'after-end', message)
  }
  return call !== undefined
}
