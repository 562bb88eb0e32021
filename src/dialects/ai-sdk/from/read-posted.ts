/** Reads what the request answers: approvals, and results of tools that the page has run. */

import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf, textIn } from '../../../validation/read-fields.ts'
import { toolNameOf } from '../wire/chat-request.ts'
import { answerInput, openInputs } from './answers.ts'
import { endCall, newCall, type Outcome, openCall, startApproved, startCall } from './calls.ts'
import { askFor } from './map-approval.ts'
import { argumentsOf } from './map-input.ts'
import type { MessageWriter } from './state.ts'

/** Whether the request answers the message of the task: servers may give a message that continues another id. */
export function continuesTask(writer: MessageWriter): boolean {
  const { posted } = writer.options
  if (posted?.isContinued !== true) return false
  return (
    posted.messageId === writer.state.taskId ||
    posted.calls.some(([id]) => writer.item('calls', id) !== undefined)
  )
}

/** Begins the calls of the message that the request continues, and asks for what it waits for. */
export function askPosted(writer: MessageWriter): void {
  for (const [toolCallId, part] of writer.options.posted?.calls ?? []) {
    const input = JSON.stringify(argumentsOf(writer, part.input, true))
    const call = { ...newCall(writer, toolCallId, toolNameOf(part) ?? ''), input, phase: 'ready' as const }
    writer.setItem('calls', toolCallId, call)
    const approvalId = textIn(part.approval, 'id')
    if (approvalId !== undefined)
      askFor(writer, 'start', approvalId, toolCallId, call, `Run ${call.toolName}?`, {})
  }
}

/** Emits the answers of the request to what is open. */
export function answerOpen(writer: MessageWriter): void {
  if (!continuesTask(writer)) return
  const parts = new Map(writer.options.posted?.calls)
  for (const [inputId, { toolCallId, isInferred }] of openInputs(writer)) {
    const part = toolCallId === null ? undefined : parts.get(toolCallId)
    if (part === undefined) continue
    const { approved, reason, id } = fieldsOf(part.approval)
    if (isInferred === true) {
      if (outcomeIn(part) !== undefined) answerInput(writer, inputId, 'answered')
    } else if (id === inputId && typeof approved === 'boolean') {
      const carried = typeof reason === 'string' ? cleanObject({ reason }) : undefined
      answerInput(writer, inputId, approved ? 'answered' : 'declined', carried)
    }
  }
}

/** Starts the calls that the request has approved, and ends those that the page has run. */
export function continuePosted(writer: MessageWriter): void {
  if (!continuesTask(writer)) return
  for (const [toolCallId, part] of writer.options.posted?.calls ?? []) {
    const call = openCall(writer, toolCallId)
    const isAsked = call?.request != null && writer.item('requests', call.request)?.isOpen === true
    if (call === undefined || isAsked) continue
    if (isFields(part.approval) && part.approval.approved === true) startApproved(writer, toolCallId)
    const outcome = outcomeIn(part)
    const started = openCall(writer, toolCallId)
    if (outcome === undefined || started === undefined) continue
    endCall(writer, toolCallId, started.isStarted ? started : startCall(writer, toolCallId, started), outcome)
  }
}

/** The outcome of a call in a part. */
function outcomeIn({ state, output, preliminary, errorText }: Fields): Outcome | undefined {
  if (state === 'output-available' && preliminary !== true)
    return { success: true, result: cleanJson(output) ?? null }
  if (state !== 'output-error') return undefined
  return { success: false, error: typeof errorText === 'string' ? errorText : 'failed' }
}
