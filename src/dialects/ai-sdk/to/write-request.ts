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
import type { ToolStartEvent } from '../../../events/tool.ts'
import { parsedArguments } from '../../../json/parsed.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { isFields } from '../../../validation/predicates.ts'
import { endedItem, forgetItem, newItem, openItem, setItem } from '../../engine/item.ts'
import type { UiAuthData, UiInputData } from '../wire/data-parts.ts'
import type { AiSdkVersion } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { inputChunk } from './item-formats.ts'
import { isAsking, type RequestRecord, type ToUiState } from './state.ts'
import { callRecord, setCall } from './write-call.ts'

type InputEnd = ContextEvent<InputReceivedEvent> | ContextEvent<InputCanceledEvent>

/** The call that a request asks to approve; `undefined` if it asks for something else, or version 5 reads it. */
function callToApprove(
  { inputType, metadata }: Pick<InputRequiredEvent, 'inputType' | 'metadata'>,
  version: AiSdkVersion,
): ToolCall | undefined {
  const isApproval = inputType === 'tool-execution' || inputType === 'confirmation'
  return isApproval && version > 5 && metadata?.provider !== 'client' ? metadata?.toolCall : undefined
}

/** Emits `tool-approval-request`, after the input of the call, or `data-input`. */
export function writeInputRequired(writer: ChunkWriter, event: ContextEvent<InputRequiredEvent>): void {
  const toApprove = callToApprove(event, writer.version)
  // A part has one approval. That of a call that has ended would replace its outcome.
  const isApproval =
    toApprove !== undefined &&
    endedItem(writer, event, 'call', toApprove.id) === undefined &&
    callRecord(writer, toApprove.id).approvalId === null
  if (isApproval) askApproval(writer, event, toApprove)
  const { kind, contextId, taskId, parentTaskId, path, timestamp, inputId, ...request } = event
  setRequest(writer, isApproval ? toApprove.id : null, { inputId, status: 'open', request })
}

const keyOf = (data: RequestRecord['data']): string =>
  'inputId' in data ? `input ${data.inputId}` : `auth ${data.authId}`

/** Stores a request, and emits it unless it is about a call: copies, as the consumer may change what is sent. */
function setRequest(writer: ChunkWriter, toolCallId: string | null, data: RequestRecord['data']): void {
  if (toolCallId === null) sendRequest(writer, data)
  const request = { toolCallId, data: copyOf(data) }
  writer.state.requests = writer.store(writer.state.requests, keyOf(data), request)
}

const copyOf = <Data extends RequestRecord['data']>(data: Data): Data => cleanObject(data) as unknown as Data

function sendRequest(writer: ChunkWriter, data: RequestRecord['data'], transient?: true): void {
  const own = { data: copyOf(data), ...(transient !== undefined && { transient }) }
  if ('inputId' in data) writer.send({ type: 'data-input', id: data.inputId, ...own })
  else writer.send({ type: 'data-auth', id: data.authId, ...own })
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
  const { inputId, prompt, metadata } = event
  const { toolCall, aiSdk, ...rest } = metadata ?? {}
  const carried: Metadata = isFields(aiSdk) ? aiSdk : {}
  const item = openItem(writer, event, 'call', toolCallId)
  let call = callRecord(writer, toolCallId)
  // Readers of events take a request that follows the input for one to start the call.
  if (item?.phase === 'running') writer.emit({ type: 'start', messageId: writer.state.taskId ?? '' })
  else if (call.asked === null) {
    const about = isFields(carried.call) ? (cleanObject(carried.call) as Metadata) : null
    const start = {
      toolCallId,
      toolName,
      arguments: parsedArguments(text),
      ...(about && { metadata: about }),
    }
    if (item === undefined) writer.beginItem(event)
    writer.send(inputChunk(writer, start))
    const place = { ...event, ...start, kind: 'tool-start' } as unknown as ContextEvent<ToolStartEvent>
    setItem(writer, newItem(place, toolCallId))
    call = { ...call, asked: JSON.stringify(start.arguments), metadata: about }
  }
  setCall(writer, toolCallId, { ...call, approvalId: inputId })
  const { isAutomatic, signature, approvalDescriptor, inputSchemaInput } = carried
  writer.send({
    type: 'tool-approval-request',
    approvalId: inputId,
    toolCallId,
    ...(writer.version === 7 && { reason: prompt }),
    ...(isAutomatic === true && writer.version === 7 && { isAutomatic }),
    ...(typeof signature === 'string' && { signature }),
    ...(approvalDescriptor !== undefined && { approvalDescriptor }),
    ...(inputSchemaInput !== undefined && { inputSchemaInput }),
  })
  const lost = ['requireUser', 'schema', 'options', ...(writer.version < 7 ? ['prompt'] : [])]
  reportFields(writer, event, lost)
  if (type !== 'function' || Object.keys({ ...rest, ...others, ...unknown }).length > 0)
    writer.lossy('metadata', 'A request to approve a call has no metadata.')
}

/** Reports the fields of an event that chunks about the approval of a call do not have. */
function reportFields(writer: ChunkWriter, event: object, fields: readonly string[]): void {
  const lost = fields.filter((field) => (event as Metadata)[field] !== undefined)
  for (const field of lost) writer.lossy(field, `The approval of a call has no ${field}.`)
}

/** The open or answered request with an id, as it was sent. */
function requestOf<Data extends RequestRecord['data']>(
  { state }: ChunkWriter,
  first: Data,
): [Data, string | null] {
  const { data, toolCallId = null } = boundedGet(state.requests, keyOf(first)) ?? { data: first }
  return [data as Data, toolCallId]
}

/** Emits `tool-approval-response`, `tool-output-denied` or `data-input` with the outcome. */
export function writeInputEnd(writer: ChunkWriter, event: InputEnd): void {
  const [request, toolCallId] = requestOf<UiInputData>(writer, { inputId: event.inputId, status: 'open' })
  const data = answered(request, event)
  if (toolCallId !== null) answerApproval(writer, event, toolCallId, data)
  setRequest(writer, toolCallId, data)
}

/** A request with its answer. */
function answered(data: UiInputData, event: InputEnd): UiInputData {
  if (event.kind === 'input-canceled') return { ...data, status: 'canceled', reason: event.reason }
  const { providedBy, userId, agentId, metadata, outcome = 'answered' } = event
  const answer = { providedBy, userId, agentId, metadata } as NonNullable<UiInputData['answer']>
  return { ...data, status: outcome, answer }
}

function answerApproval(
  writer: ChunkWriter,
  event: InputEnd,
  toolCallId: string,
  { inputId, status, reason }: UiInputData,
): void {
  if (callRecord(writer, toolCallId).approvalId !== inputId) {
    writer.dropped(event.kind, 'after-end', `Call ${describeValue(toolCallId)} has ended before the answer.`)
    return
  }
  sendAnswer(writer, toolCallId, { inputId, status, ...(reason !== undefined && { reason }) })
  const item = openItem(writer, event, 'call', toolCallId)
  // One that was refused begins again if it runs all the same.
  if (status !== 'answered' && item?.phase === 'new') forgetItem(writer, item)
  reportFields(writer, event, ['providedBy', 'userId', 'agentId', 'metadata'])
}

/** Emits whether a call may run. */
function sendAnswer(writer: ChunkWriter, toolCallId: string, answer: UiInputData): void {
  const { inputId: approvalId, status, reason } = answer
  const call = callRecord(writer, toolCallId)
  const approved = status === 'answered'
  const why = reason === undefined ? {} : { reason }
  if (writer.version === 7) writer.send({ type: 'tool-approval-response', approvalId, approved, ...why })
  // Version 6 has no response, so that readers of events would take the request for open. Pages do not keep this.
  else sendRequest(writer, answer, true)
  setCall(writer, toolCallId, {
    ...call,
    approvalId: null,
    isDenied: !approved,
    ...(!approved && { asked: null }),
  })
  if (approved || call.asked === null) return
  // A call that has not started has no other end; a page would take its refusal for an answer to send.
  writer.send({ type: 'tool-output-denied', toolCallId })
  writer.state.isStepOver = true
}

/** Emits `data-auth`. */
export function writeAuthRequired(writer: ChunkWriter, event: ContextEvent<AuthRequiredEvent>): void {
  const { kind, contextId, taskId, parentTaskId, path, timestamp, authId, ...request } = event
  setRequest(writer, null, { authId, status: 'open', request })
}

/** Emits `data-auth` with the outcome. */
export function writeAuthEnd(
  writer: ChunkWriter,
  event: ContextEvent<AuthCompletedEvent> | ContextEvent<AuthFailedEvent>,
): void {
  const [known] = requestOf<UiAuthData>(writer, { authId: event.authId, status: 'open' })
  const { userId, metadata, reason, message } = event as Partial<AuthCompletedEvent & AuthFailedEvent>
  const status = event.kind === 'auth-completed' ? 'completed' : 'failed'
  setRequest(writer, null, { ...known, status, userId, metadata, reason, message } as UiAuthData)
}

/** Whether nothing continues before an answer. Nobody is asked if all open requests are about calls that have ended. */
export function waitsForUser({ status, working, asking, requests, calls }: ToUiState): boolean {
  if (!isAsking(status) && (status !== 'waiting-subtask' || working > 0 || asking === 0)) return false
  const open = [...boundedEntries(requests)].filter(([, { data }]) => data.status === 'open')
  const isOpen = ({ toolCallId, data }: RequestRecord): boolean =>
    toolCallId === null || boundedGet(calls, toolCallId)?.approvalId === (data as UiInputData).inputId
  return open.length === 0 || open.some(([, request]) => isOpen(request))
}

/** Closes the requests that are open when the task ends: nobody is to answer them. */
export function closeRequests(writer: ChunkWriter): void {
  for (const [, { toolCallId, data }] of boundedEntries(writer.state.requests)) {
    if (data.status !== 'open') continue
    if (toolCallId !== null) withdraw(writer, toolCallId, (data as UiInputData).inputId)
    else if ('inputId' in data) sendRequest(writer, { ...data, status: 'canceled', reason: 'task-ended' })
    else sendRequest(writer, { ...data, status: 'ended' })
  }
  writer.state.requests = emptyBoundedMap
}

/** Emits that the task ended before the answer, unless the call has ended as well. */
function withdraw(writer: ChunkWriter, toolCallId: string, inputId: string): void {
  const { approvalId, asked } = callRecord(writer, toolCallId)
  if (approvalId !== inputId) return
  sendAnswer(writer, toolCallId, { inputId, status: 'canceled', reason: 'task-ended' })
  // Version 6 has no response to a request: the page would go on to ask.
  if (asked === null && writer.version < 7) writer.send({ type: 'tool-output-denied', toolCallId })
}
