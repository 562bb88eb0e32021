/** Maps requests for input and authentication, and their answers, to chunks. */

import { boundedEntries, boundedGet, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from '../../../events/auth.ts'
import type { ContextEvent } from '../../../events/event.ts'
import type { InputRequiredEvent } from '../../../events/input.ts'
import { dropAskedAgain } from '../../engine/asked.ts'
import { endedItem, openItem } from '../../engine/item.ts'
import { writeItem } from '../../engine/write-item.ts'
import { clientCallOf } from '../../shared/client-call.ts'
import { stored } from '../../shared/stored.ts'
import type { UiAuthData, UiInputData } from '../wire/data-parts.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { formats } from './item-formats.ts'
import { isAsking, type RequestRecord, type ToUiState } from './state.ts'
import {
  answerApproval,
  askApproval,
  callToApprove,
  copyOf,
  type InputEnd,
  sendRequest,
  withdraw,
} from './write-approval.ts'
import { callRecord } from './write-call.ts'

/** Emits `tool-approval-request`, after the input of the call, or `data-input`. */
export function writeInputRequired(writer: ChunkWriter, event: ContextEvent<InputRequiredEvent>): void {
  if (dropAskedAgain(writer, event)) return
  const toApprove = callToApprove(event, writer.version)
  // A part has one approval. That of a call that has ended would replace its outcome.
  const isApproval =
    toApprove !== undefined &&
    endedItem(writer, event, 'call', toApprove.id) === undefined &&
    callRecord(writer, toApprove.id).approvalId === null
  if (isApproval) askApproval(writer, event, toApprove)
  const call = clientCallOf(event)
  const isNew =
    call !== undefined &&
    openItem(writer, call, 'call', call.toolCallId)?.phase !== 'running' &&
    endedItem(writer, call, 'call', call.toolCallId) === undefined
  if (isNew) writeItem(writer, formats, call)
  const { kind, contextId, taskId, parentTaskId, path, timestamp, inputId, ...request } = event
  setRequest(writer, isApproval ? toApprove.id : null, { inputId, status: 'open', request })
}

const keyOf = (data: RequestRecord['data']): string =>
  'inputId' in data ? `input ${data.inputId}` : `auth ${data.authId}`

/** Stores a request, and emits it unless it is about a call: copies, as the consumer may change what is sent. */
function setRequest(writer: ChunkWriter, toolCallId: string | null, data: RequestRecord['data']): void {
  if (toolCallId === null) sendRequest(writer, data)
  const request = { toolCallId, data: copyOf(data) }
  writer.state.requests = stored(writer, writer.state.requests, keyOf(data), request, 'requests')
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

/** Emits `data-auth`. */
export function writeAuthRequired(writer: ChunkWriter, event: ContextEvent<AuthRequiredEvent>): void {
  if (dropAskedAgain(writer, event)) return
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
