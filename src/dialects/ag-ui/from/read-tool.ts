/** Reads tool calls. */

import { describeValue } from '../../../core/require.ts'
import { jsonText } from '../../../json/json-text.ts'
import { parsedArguments, parsedJson } from '../../../json/parsed.ts'
import { isFields } from '../../../validation/predicates.ts'
import { resultMessageId } from '../wire/message-ids.ts'
import type {
  AgUiReasoningEncryptedValue,
  AgUiToolCallArgs,
  AgUiToolCallEnd,
  AgUiToolCallResult,
  AgUiToolCallStart,
} from '../wire/types/index.ts'
import type { EventWriter } from './event-writer.ts'
import { addMessage } from './messages.ts'
import type { OpenCall } from './state.ts'
import { iterationOf, taskOf } from './tasks.ts'

export function readCallStart(writer: EventWriter, event: AgUiToolCallStart): void {
  const { toolCallId: id, toolCallName, parentMessageId } = event
  const task = taskOf(writer, event)
  if (task === undefined) return
  const known = writer.item('calls', id)
  if (known?.phase === 'cut' && known.owner === task.key) {
    writer.setItem('calls', id, {
      ...known,
      metadata: writer.mergedMetadata(known.metadata, event),
      phase: 'writing',
    })
    return
  }
  if (known !== undefined) {
    writer.droppedEvent(event, 'repeated', `Call ${describeValue(id)} is open, got its start again.`)
    return
  }
  const stated = writer.mergedMetadata(null, event)
  if (toolCallName === '')
    writer.inferred('toolCallName', `Expected the name of a tool in call ${describeValue(id)}, got "".`)
  writer.setItem('calls', id, {
    owner: task.key,
    iteration: task.step,
    metadata:
      parentMessageId === undefined
        ? stated
        : writer.mergedMetadata(stated, { metadata: { parentMessageId } }),
    id,
    toolCallId: writer.uniqueId('call', id),
    toolName: toolCallName || 'unknown',
    text: '',
    deltas: 0,
    phase: 'writing',
  })
}

export function readCallArgs(writer: EventWriter, event: AgUiToolCallArgs): void {
  const { toolCallId: id, delta } = event
  const call = writer.continuedItem('calls', id, event)
  if (call?.phase !== 'writing') {
    const message = `Expected a call ${describeValue(id)} whose arguments are written, got none.`
    writer.droppedEvent(event, 'not-started', message)
    return
  }
  const task = writer.item('tasks', call.owner)
  if (task === undefined) return
  const { toolCallId, toolName, deltas: index } = call
  if (delta !== '') {
    writer.emitEvent(task, {
      kind: 'tool-arguments-delta',
      toolCallId,
      toolName,
      delta,
      index,
      ...iterationOf(call),
    })
  }
  writer.setItem('calls', id, {
    owner: call.owner,
    iteration: call.iteration,
    metadata: writer.mergedMetadata(call.metadata, event),
    id,
    toolCallId,
    toolName,
    text: call.text + delta,
    deltas: delta === '' ? index : index + 1,
    phase: 'writing',
  })
}

export function readCallEnd(writer: EventWriter, event: AgUiToolCallEnd): void {
  const call = writer.continuedItem('calls', event.toolCallId, event)
  if (call?.phase !== 'writing') {
    const message = `Expected a call ${describeValue(event.toolCallId)} whose arguments are written, got none.`
    writer.droppedEvent(event, 'not-started', message)
    return
  }
  const { complete, ...others } = event.metadata ?? {}
  // What `toAgUi` states of a call whose arguments are cut off.
  const isCut = complete === false
  const metadata = writer.mergedMetadata(call.metadata, isCut ? { metadata: others } : event)
  if (isCut) cutCall(writer, { ...call, metadata })
  else startCall(writer, { ...call, metadata })
}

/** Keeps a call from starting. One without arguments is announced, so that it can fail. */
function cutCall(writer: EventWriter, call: OpenCall): void {
  const { owner, id, toolCallId, toolName, deltas: index } = call
  const task = writer.item('tasks', owner)
  if (index === 0 && task !== undefined) {
    writer.emitEvent(task, {
      kind: 'tool-arguments-delta',
      toolCallId,
      toolName,
      delta: '',
      index,
      ...iterationOf(call),
    })
  }
  addMessage(writer, { type: 'call', id, owner, iteration: call.iteration, itemId: toolCallId }, call.text)
  writer.setItem('calls', id, { ...call, deltas: Math.max(index, 1), phase: 'cut' })
}

/** Starts a call whose arguments are complete. One whose arguments are no JSON object waits for its result. */
function startCall(writer: EventWriter, call: OpenCall): OpenCall {
  const { owner, id, toolCallId, toolName, metadata } = call
  const task = writer.item('tasks', owner)
  const args = argumentsOf(call.text)
  if (args === undefined) {
    const message = `Expected a JSON object as arguments of call ${describeValue(id)}, got other text; it fails.`
    writer.diagnostic('inferred:tool-complete', message, { detail: toolCallId })
  } else if (task !== undefined) {
    writer.emitEvent(
      task,
      { kind: 'tool-start', toolCallId, toolName, arguments: args, ...iterationOf(call) },
      metadata,
    )
  }
  const hasStarted = args !== undefined
  addMessage(
    writer,
    { type: 'call', ...{ id, owner, iteration: call.iteration, itemId: toolCallId, hasStarted } },
    call.text,
  )
  const next: OpenCall = { ...call, phase: hasStarted ? 'running' : 'invalid' }
  writer.setItem('calls', id, next)
  return next
}

function argumentsOf(text: string): Record<string, unknown> | undefined {
  const value = parsedArguments(text)
  return isFields(value) ? { ...value } : undefined
}

export function readCallResult(writer: EventWriter, event: AgUiToolCallResult): void {
  const { toolCallId: id, messageId, content, metadata } = event
  let call = writer.continuedItem('calls', id, event)
  if (call === undefined) {
    writer.droppedEvent(event, 'not-started', `Call ${describeValue(id)} is not open, got its result.`)
    return
  }
  if (call.phase === 'writing') {
    writer.inferred('TOOL_CALL_END', `Expected the end of call ${describeValue(id)}, got its result.`)
    call = startCall(writer, call)
  }
  const { owner, toolCallId, toolName } = call
  writer.deleteItem('calls', id)
  const task = writer.item('tasks', owner)
  if (task === undefined) return
  const base = { kind: 'tool-complete', toolCallId, toolName, ...iterationOf(call) } as const
  const carried =
    messageId === resultMessageId(toolCallId) || messageId === '' ? {} : { metadata: { messageId } }
  const { error, ...others } = metadata ?? {}
  const isError = typeof error === 'string'
  const isUnstarted = call.phase === 'invalid' || call.phase === 'cut'
  if (typeof content === 'string') {
    // What never started is discarded with its response.
    const iteration = isUnstarted ? call.iteration : null
    addMessage(writer, { type: 'result', id: messageId, owner, iteration }, content)
  }
  const given = isError ? others : (metadata ?? {})
  // The metadata of a call that never started is that of its failure.
  const all = isUnstarted ? writer.mergedMetadata(call.metadata, { metadata: given }) : given
  const stated = all === null || Object.keys(all).length === 0 ? null : all
  if (isUnstarted || isError) {
    const text = typeof content === 'string' ? content : (jsonText(content) ?? '')
    writer.emitEvent(task, { ...base, success: false, error: isError ? error : text, ...carried }, stated)
    return
  }
  writer.inferredOnce('success', 'AG-UI does not state whether a call succeeded: success was inferred.')
  const value = typeof content === 'string' ? parsedJson(content) : undefined
  const result = value === undefined ? content : value
  writer.emitEvent(task, { ...base, success: true, result, ...carried }, stated)
}

/**
 * Ends the calls of a task that are still open.
 *
 * @param keepsRunning - Whether calls that started stay open, as their results come later.
 */
export function endCalls(writer: EventWriter, owner: string, reason: string, keepsRunning: boolean): void {
  const task = writer.item('tasks', owner)
  if (task === undefined) return
  for (const call of writer.itemsOf('calls', owner)) {
    // A call without any event starts, so that it can fail.
    const isSilent = call.phase === 'writing' && call.deltas === 0
    const { id, toolCallId, toolName, phase, metadata } = isSilent ? startCall(writer, call) : call
    const hasStarted = phase !== 'writing' && phase !== 'invalid' && phase !== 'cut'
    if (keepsRunning && (hasStarted || phase === 'cut') && !isSilent) continue
    writer.deleteItem('calls', id)
    const wasAnswered = phase === 'executed' || phase === 'resumed'
    const message = `Expected the result of call ${describeValue(toolCallId)}, got none.`
    writer.diagnostic('inferred:tool-complete', message, { detail: toolCallId })
    const base = { kind: 'tool-complete', toolCallId, toolName, ...iterationOf(call) } as const
    const error = hasStarted ? reason : 'The arguments are no JSON object.'
    const outcome = wasAnswered ? { success: true } : { success: false, error }
    writer.emitEvent(task, { ...base, ...outcome }, hasStarted ? null : metadata)
  }
}

/**
 * Stores an encrypted value with a call whose arguments are written. Reports one that comes later, as the call has started.
 * Returns whether there is such a call.
 */
export function storeCallSignature(writer: EventWriter, event: AgUiReasoningEncryptedValue): boolean {
  const { entityId: id, encryptedValue: signature, metadata } = event
  const call = writer.continuedItem('calls', id, event)
  if (call === undefined) return false
  if (call.phase === 'writing') {
    const merged = writer.mergedMetadata(call.metadata, { metadata: { ...metadata, signature } })
    writer.setItem('calls', id, { ...call, metadata: merged })
  } else {
    const message = `Expected the encrypted value before the end of call ${describeValue(id)}, got it later.`
    writer.droppedEvent(event, 'after-end', message)
  }
  return true
}
