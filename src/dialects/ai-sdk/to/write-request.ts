/** Maps requests for input and authentication, and their answers, to chunks. */

import { boundedEntries, boundedGet, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from '../../../events/auth.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type {
  InputCanceledEvent,
  InputReceivedEvent,
  InputRequiredEvent,
  ToolCall,
} from '../../../events/input.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { parsedArguments } from '../../../json/parsed.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { UiAuthData, UiInputData } from '../wire/data-parts.ts'
import type { AiSdkVersion } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { type CallRecord, isAsking, type ToUiState } from './state.ts'
import { callOf, inputChunk, newCall, setCall } from './write-tool.ts'

/** The call that a request asks to approve; `undefined` if it asks for something else, or version 5 reads it. */
export function callToApprove(
  { inputType, metadata }: Pick<InputRequiredEvent, 'inputType' | 'metadata'>,
  version: AiSdkVersion,
): ToolCall | undefined {
  const isApproval = inputType === 'tool-execution' || inputType === 'confirmation'
  return isApproval && version > 5 && metadata?.provider !== 'client' ? metadata?.toolCall : undefined
}

/** Emits `tool-approval-request`, after the input of the call, or `data-input`. */
export function writeInputRequired(writer: ChunkWriter, event: ContextEvent<InputRequiredEvent>): void {
  const { inputId } = event
  const data: UiInputData = { inputId, status: 'open', request: requestOf(event) }
  const toApprove = callToApprove(event, writer.version)
  const call = toApprove && callOf(writer, toApprove.id)
  // A part has one approval. That of a call that has ended would replace its outcome.
  const isApproval = toApprove !== undefined && call?.phase !== 'ended' && call?.approvalId == null
  if (isApproval) askApproval(writer, event, toApprove)
  else writer.send({ type: 'data-input', id: inputId, data })
  storeInput(writer, isApproval ? toApprove.id : null, data)
}

/** Stores a copy, as the consumer may change what is sent. */
function storeInput(writer: ChunkWriter, toolCallId: string | null, data: UiInputData): void {
  const copy = cleanObject(data) as unknown as UiInputData
  writer.state.inputs = writer.store(writer.state.inputs, data.inputId, { toolCallId, data: copy })
}

/** The fields of a request besides its id, as views show them. */
function requestOf(event: ContextEvent<InputRequiredEvent>): NonNullable<UiInputData['request']> {
  const { kind, contextId, taskId, parentTaskId, path, timestamp, inputId, ...request } = event
  return request
}

function askApproval(
  writer: ChunkWriter,
  event: ContextEvent<InputRequiredEvent>,
  {
    id: toolCallId,
    type = 'function',
    function: { name: toolName, arguments: text, ...unknown },
    ...others
  }: ToolCall,
): void {
  const { prompt, metadata } = event
  const carried = isFields(metadata?.aiSdk) ? metadata.aiSdk : {}
  let call = callOf(writer, toolCallId)
  if (call === undefined || call.phase === 'denied') writer.beginItem()
  if (call === undefined || call.phase === 'writing' || call.phase === 'denied') {
    const input = parsedArguments(text)
    const about = isFields(carried.call) ? (cleanObject(carried.call) as Metadata) : undefined
    writer.send(inputChunk(writer, { toolCallId, toolName, arguments: input, metadata: about }))
    call = { ...newCall(toolName, 'asked', JSON.stringify(input)), metadata: about ?? null }
  }
  // Readers of events take a request that follows the input for one to start the call.
  if (call.phase === 'running') writer.emit({ type: 'start', messageId: writer.state.taskId ?? '' })
  setCall(writer, toolCallId, { ...call, approvalId: event.inputId })
  const { isAutomatic, signature, approvalDescriptor, inputSchemaInput } = carried
  writer.send({
    type: 'tool-approval-request',
    approvalId: event.inputId,
    toolCallId,
    ...(writer.version === 7 && { reason: prompt }),
    ...(isAutomatic === true && writer.version === 7 && { isAutomatic }),
    ...(typeof signature === 'string' && { signature }),
    ...(approvalDescriptor !== undefined && { approvalDescriptor }),
    ...(inputSchemaInput !== undefined && { inputSchemaInput }),
  })
  for (const field of ['requireUser', 'schema', 'options'] as const) {
    if (event[field] !== undefined) writer.changed(field, `A request to approve a call has no ${field}.`)
  }
  if (writer.version < 7) writer.changed('prompt', 'A request to approve a call has no reason.')
  const { toolCall, aiSdk, ...rest } = metadata ?? {}
  if (type !== 'function' || Object.keys({ ...rest, ...others, ...unknown }).length > 0)
    writer.changed('metadata', 'A request to approve a call has no metadata.')
}

/** Emits `tool-approval-response`, `tool-output-denied` or `data-input` with the outcome. */
export function writeInputEnd(
  writer: ChunkWriter,
  event: ContextEvent<InputReceivedEvent> | ContextEvent<InputCanceledEvent>,
): void {
  const { inputId } = event
  const known = boundedGet(writer.state.inputs, inputId)
  const request = cleanObject(known?.data ?? { inputId, status: 'open' }) as unknown as UiInputData
  const data = answered(request, event)
  if (known?.toolCallId == null) writer.send({ type: 'data-input', id: inputId, data })
  else answerApproval(writer, event, known.toolCallId, data)
  storeInput(writer, known?.toolCallId ?? null, data)
}

/** A request with its answer. */
function answered(
  data: UiInputData,
  event: ContextEvent<InputReceivedEvent> | ContextEvent<InputCanceledEvent>,
): UiInputData {
  if (event.kind === 'input-canceled') return { ...data, status: 'canceled', reason: event.reason }
  const { providedBy, userId, agentId, metadata, outcome = 'answered' } = event
  const answer = {
    providedBy,
    ...(userId !== undefined && { userId }),
    ...(agentId !== undefined && { agentId }),
    ...(metadata !== undefined && { metadata }),
  }
  return { ...data, status: outcome, answer }
}

/** Emits that the task ended before the answer, unless the call has ended as well. */
function withdraw(writer: ChunkWriter, inputId: string, toolCallId: string): void {
  const call = callOf(writer, toolCallId)
  if (call?.approvalId !== inputId) return
  refuse(writer, toolCallId, call, { inputId, status: 'canceled', reason: 'task-ended' })
  // Version 6 has no response to a request: the page would go on to ask.
  if (call.phase === 'running' && writer.version < 7) writer.send({ type: 'tool-output-denied', toolCallId })
}

/** Emits that a call is not to run. */
function refuse(writer: ChunkWriter, toolCallId: string, call: CallRecord, answer: UiInputData): void {
  const { inputId: approvalId, reason } = answer
  if (writer.version === 7) {
    const why = reason === undefined ? {} : { reason }
    writer.send({ type: 'tool-approval-response', approvalId, approved: false, ...why })
  } else sendAnswer(writer, answer)
  // A call that has not started has no other end; a page would take its refusal for an answer to send.
  const isOver = call.phase === 'asked'
  if (isOver) {
    writer.send({ type: 'tool-output-denied', toolCallId })
    writer.endItem()
    writer.state.isStepOver = true
  }
  const phase = isOver ? 'denied' : call.phase
  setCall(writer, toolCallId, { ...call, phase, approvalId: null, isDenied: true })
}

/** Version 6 has no response to a request, so that readers of events would take it for open. Pages do not keep this. */
function sendAnswer(writer: ChunkWriter, data: UiInputData): void {
  writer.send({ type: 'data-input', id: data.inputId, data, transient: true })
}

function approve(writer: ChunkWriter, toolCallId: string, call: CallRecord, inputId: string): void {
  if (writer.version === 7)
    writer.send({ type: 'tool-approval-response', approvalId: inputId, approved: true })
  else sendAnswer(writer, { inputId, status: 'answered' })
  setCall(writer, toolCallId, { ...call, approvalId: null, isDenied: false })
}

function answerApproval(
  writer: ChunkWriter,
  event: ContextEvent<InputReceivedEvent> | ContextEvent<InputCanceledEvent>,
  toolCallId: string,
  { inputId, status, reason }: UiInputData,
): void {
  const call = callOf(writer, toolCallId)
  if (call?.approvalId !== inputId) {
    writer.dropped(event.kind, 'after-end', `Call ${describeValue(toolCallId)} has ended before the answer.`)
    return
  }
  if (status === 'answered') approve(writer, toolCallId, call, inputId)
  else refuse(writer, toolCallId, call, { inputId, status, ...(reason !== undefined && { reason }) })
  const lost = ['providedBy', 'userId', 'agentId', 'metadata'].filter((field) => field in event)
  for (const field of lost) writer.changed(field, `A response about a call has no ${field}.`)
}

/** Emits `data-auth`. */
export function writeAuthRequired(writer: ChunkWriter, event: ContextEvent<AuthRequiredEvent>): void {
  const { kind, contextId, taskId, parentTaskId, path, timestamp, authId, ...request } = event
  sendAuth(writer, { authId, status: 'open', request })
}

/** Emits `data-auth` with the outcome. */
export function writeAuthEnd(
  writer: ChunkWriter,
  event: ContextEvent<AuthCompletedEvent> | ContextEvent<AuthFailedEvent>,
): void {
  const { authId } = event
  const stored = boundedGet(writer.state.auths, authId) ?? { authId, status: 'open' as const }
  const known = cleanObject(stored) as unknown as UiAuthData
  if (event.kind === 'auth-completed') {
    const { userId, metadata } = event
    sendAuth(writer, {
      ...known,
      status: 'completed',
      userId,
      ...(metadata !== undefined && { metadata }),
    })
    return
  }
  const { reason, message } = event
  sendAuth(writer, { ...known, status: 'failed', reason, ...(message !== undefined && { message }) })
}

function sendAuth(writer: ChunkWriter, data: UiAuthData): void {
  writer.send({ type: 'data-auth', id: data.authId, data })
  const copy = cleanObject(data) as unknown as UiAuthData
  writer.state.auths = writer.store(writer.state.auths, data.authId, copy)
}

/** Whether nothing continues before an answer. Nobody is asked if all open requests are about calls that have ended. */
export function waitsForUser({ status, working, asking, inputs, auths, calls }: ToUiState): boolean {
  if (!isAsking(status) && (status !== 'waiting-subtask' || working > 0 || asking === 0)) return false
  for (const [, { status }] of boundedEntries(auths)) if (status === 'open') return true
  let isOver = false
  for (const [inputId, { toolCallId, data }] of boundedEntries(inputs)) {
    if (data.status !== 'open') continue
    if (toolCallId === null || boundedGet(calls, toolCallId)?.approvalId === inputId) return true
    isOver = true
  }
  return !isOver
}

/** Closes the requests that are open when the task ends: nobody is to answer them. */
export function closeRequests(writer: ChunkWriter): void {
  for (const [inputId, { toolCallId, data }] of boundedEntries(writer.state.inputs)) {
    if (data.status !== 'open') continue
    const canceled: UiInputData = {
      ...(cleanObject(data) as unknown as UiInputData),
      status: 'canceled',
      reason: 'task-ended',
    }
    if (toolCallId === null) writer.send({ type: 'data-input', id: inputId, data: canceled })
    else withdraw(writer, inputId, toolCallId)
  }
  for (const [authId, data] of boundedEntries(writer.state.auths)) {
    if (data.status !== 'open') continue
    writer.send({ type: 'data-auth', id: authId, data: { ...cleanObject(data), status: 'ended' } })
  }
  writer.state.inputs = emptyBoundedMap
  writer.state.auths = emptyBoundedMap
}
