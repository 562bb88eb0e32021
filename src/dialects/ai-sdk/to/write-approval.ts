/** Maps requests to approve a call, and their answers, to chunks. */

import { describeValue } from '../../../core/require.ts'
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
import { fieldsOf } from '../../../validation/read-fields.ts'
import { ALL_DELTAS, forgetItem, newItem, openItem, setItem } from '../../engine/item.ts'
import type { UiInputData } from '../wire/data-parts.ts'
import type { AiSdkVersion } from '../wire/types.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { inputChunk } from './item-formats.ts'
import type { RequestRecord } from './state.ts'
import { callRecord, setCall } from './write-call.ts'

export type InputEnd = ContextEvent<InputReceivedEvent> | ContextEvent<InputCanceledEvent>

/** A copy of a request, as the consumer may change what is sent. */
export const copyOf = <Data extends RequestRecord['data']>(data: Data): Data =>
  cleanObject(data) as unknown as Data

/** Emits `data-input` or `data-auth`. */
export function sendRequest(writer: ChunkWriter, data: RequestRecord['data'], transient?: true): void {
  const own = { data: copyOf(data), ...(transient !== undefined && { transient }) }
  if ('inputId' in data) writer.send({ type: 'data-input', id: data.inputId, ...own })
  else writer.send({ type: 'data-auth', id: data.authId, ...own })
}

/** The call that a request asks to approve; `undefined` if it asks for something else, or version 5 reads it. */
export function callToApprove(
  { inputType, metadata }: Pick<InputRequiredEvent, 'inputType' | 'metadata'>,
  version: AiSdkVersion,
): ToolCall | undefined {
  const isApproval = inputType === 'tool-execution' || inputType === 'confirmation'
  return isApproval && version > 5 && metadata?.provider !== 'client' ? metadata?.toolCall : undefined
}

/** Emits `tool-approval-request`, after the input of the call. */
export function askApproval(
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
  const carried: Metadata = fieldsOf(aiSdk)
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
    // The request has all of the arguments: deltas that follow repeat them.
    setItem(writer, { ...newItem(place, toolCallId), next: ALL_DELTAS })
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

/** Emits `tool-approval-response` or, in version 6, what stands for it. */
export function answerApproval(
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

/** Emits that the task ended before the answer, unless the call has ended as well. */
export function withdraw(writer: ChunkWriter, toolCallId: string, inputId: string): void {
  const { approvalId, asked } = callRecord(writer, toolCallId)
  if (approvalId !== inputId) return
  sendAnswer(writer, toolCallId, { inputId, status: 'canceled', reason: 'task-ended' })
  // Version 6 has no response to a request: the page would go on to ask.
  if (asked === null && writer.version < 7) writer.send({ type: 'tool-output-denied', toolCallId })
}
