/** Maps requests to approve a call, and their answers, to events. */

import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { dropUnstarted } from '../../engine/draft-item.ts'
import { dropRepeated } from '../../engine/drop.ts'
import type {
  ToolApprovalRequestChunk,
  ToolApprovalResponseChunk,
  ToolOutputDeniedChunk,
} from '../wire/types.ts'
import { answerInput, cancelRequest, takeRequests } from './answers.ts'
import { endCall, openCall, startApproved } from './calls.ts'
import { emitOr } from './emit.ts'
import type { Call, MessageWriter } from './state.ts'

/** Emits `input-required` for the call. */
export function mapApprovalRequest(writer: MessageWriter, chunk: ToolApprovalRequestChunk): void {
  const { type, approvalId, toolCallId, reason, isAutomatic, signature, ...rest } = chunk
  const call = openCall(writer, toolCallId)
  if (call === undefined) {
    dropUnstarted(writer, 'tool-input-available', toolCallId, type)
    return
  }
  const { approvalDescriptor, inputSchemaInput } = rest
  // The events of a call that has started have them.
  const { signature: signed, ...about } = (call.isStarted ? null : call.metadata) ?? {}
  const carried = cleanObject({
    call: Object.keys(about).length > 0 ? about : undefined,
    isAutomatic,
    signature,
    approvalDescriptor,
    inputSchemaInput,
  })
  const prompt = reason ?? `Run ${call.toolName}?`
  const metadata = {
    ...(signed !== undefined && { signature: signed }),
    ...(Object.keys(carried).length > 0 && { aiSdk: carried }),
  }
  askFor(writer, type, approvalId, toolCallId, call, prompt, metadata)
}

/** Emits `input-required` about a call. */
export function askFor(
  writer: MessageWriter,
  type: string,
  inputId: string,
  toolCallId: string,
  call: Call,
  prompt: string,
  metadata: Metadata,
): void {
  const { state } = writer
  if (writer.item('requests', inputId) !== undefined) {
    dropRepeated(writer, type, inputId)
    return
  }
  const toolCall = { id: call.id, function: { name: call.toolName, arguments: call.input || '{}' } }
  const isEmitted = emitOr(writer, type, {
    kind: 'input-required',
    inputId,
    requireUser: true,
    inputType: 'tool-execution',
    prompt,
    metadata: { toolCall, ...metadata },
  })
  if (!isEmitted) return
  const [isInferred, order] = [type === 'finish', state.nextRequest++]
  const request = { isOpen: true, order, before: call.request, toolCallId, isInferred }
  writer.setItem('requests', inputId, request)
  const isHeld = call.phase === 'ready'
  if (isHeld) state.heldCall = null
  writer.setItem('calls', toolCallId, { ...call, phase: isHeld ? 'asked' : call.phase, request: inputId })
}

/** The reasons of a refusal that nobody has made. */
const cancelReasons: readonly unknown[] = ['expired', 'withdrawn', 'task-ended']

/** Emits `input-received` or `input-canceled`, and `tool-start` for a call that is approved. */
export function mapApprovalResponse(writer: MessageWriter, chunk: ToolApprovalResponseChunk): void {
  const { type, approvalId, approved, reason, providerExecuted, providerMetadata } = chunk
  const request = writer.item('requests', approvalId)
  if (request === undefined || !request.isOpen) {
    const why = request === undefined ? 'not-started' : 'repeated'
    writer.dropped(type, why, `No request ${describeValue(approvalId)} is open.`)
    return
  }
  if (!approved && cancelReasons.includes(reason)) {
    cancelRequest(writer, approvalId, reason as 'expired')
    return
  }
  const carried = cleanObject({
    reason,
    providerExecuted,
    providerMetadata: providerMetadata && cleanObject(providerMetadata),
  })
  const hasCarried = Object.keys(carried).length > 0
  answerInput(writer, approvalId, approved ? 'answered' : 'declined', hasCarried ? carried : undefined)
  if (approved) startApproved(writer, request.toolCallId)
}

/** Emits the refusal, if it is not known yet, and ends the call. */
export function mapOutputDenied(writer: MessageWriter, { type, toolCallId }: ToolOutputDeniedChunk): void {
  const call = openCall(writer, toolCallId)
  if (call === undefined) {
    writer.dropped(type, 'after-end', `Call ${describeValue(toolCallId)} has ended, or has not begun.`)
    return
  }
  for (const inputId of takeRequests(writer, toolCallId)) answerInput(writer, inputId, 'declined')
  // A call of which nothing was emitted has nothing to end: the refusal states all.
  if (call.isStarted || call.deltas > 0) {
    endCall(writer, toolCallId, call, { success: false, error: 'denied' })
  } else writer.setItem('calls', toolCallId, { ...call, phase: 'ended', text: '', input: '', metadata: null })
}
