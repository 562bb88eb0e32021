/** Applies `tool.result`: the outcome of a tool that the client has run. */

import { digestOf } from '../../encoding/sha256.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { ToolResultCommand } from '../tool.ts'
import { answerInput, openFor } from './apply-answers.ts'
import { argumentsOf } from './apply-event.ts'
import { isOver, type LedgerStep } from './ledger-step.ts'
import type { CallRecord, RequestRecord } from './state.ts'
import type { CommandResult, ReceiptStatus, Sender } from './types.ts'

/**
 * Ends a call that the client was asked to run: by an `input-required` of a tool execution, or by a `tool-start` with
 * the provider `client`.
 */
export function applyToolResult(step: LedgerStep, command: ToolResultCommand, sender: Sender): CommandResult {
  const { toolCallId } = command
  const result = (status: ReceiptStatus, message: string): CommandResult => ({ status, message, toolCallId })
  const contextId = step.contextOf(command.contextId)
  const call = contextId === undefined ? undefined : step.call(contextId, toolCallId)
  if (contextId === undefined || call === undefined) {
    return result('unknown-request', `Unknown toolCallId "${toolCallId}".`)
  }
  const digest = digestOfResult(command)
  if (digest === undefined)
    return result('invalid', 'Expected a result of at most 1000 levels, got a deeper one.')
  if (sender.role !== 'user' && sender.role !== 'coordinator') {
    return result('forbidden', `Expected a result by user or coordinator, got one by ${sender.role}.`)
  }
  if (call.result !== undefined) {
    return call.result === digest
      ? result('repeated', `The same result of toolCallId "${toolCallId}" was accepted before.`)
      : result('conflict', `Another result of toolCallId "${toolCallId}" was accepted before.`)
  }
  const asked = call.request === undefined ? undefined : step.get('requests', call.request)
  const isAsked = asked !== undefined && call.status === 'requested'
  if (isAsked || asked?.status === 'open') {
    const found = openFor(step, 'input', contextId, asked.id, sender, () => false)
    if ('status' in found) return result(found.status, found.message)
    answerInput(step, found.request, sender, { outcome: 'answered' })
    complete(step, command, call, digest, found.request)
    return result('accepted', `Accepted the result of toolCallId "${toolCallId}".`)
  }
  if (call.status === 'ended' || isOver(step.taskOf(call))) {
    return result('unknown-request', `toolCallId "${toolCallId}" is no longer open.`)
  }
  if (!call.isClient) {
    return result('forbidden', `Expected a toolCallId of a tool that the client runs, got "${toolCallId}".`)
  }
  complete(step, command, call, digest)
  return result('accepted', `Accepted the result of toolCallId "${toolCallId}".`)
}

/** Emits the end of a call, and its start if it has not started. A task that waits for something else waits again. */
function complete(
  step: LedgerStep,
  { toolCallId, success, result, error = 'The tool failed.' }: ToolResultCommand,
  call: CallRecord,
  digest: string,
  request?: RequestRecord,
): void {
  const { toolName } = call
  const of = request ?? call
  const { status } = step.taskOf(call)
  const isWaiting = status === 'waiting-input' || status === 'waiting-auth'
  step.setCall(toolCallId, { ...call, status: 'ended', result: digest })
  if (isWaiting && call.status === 'requested') step.setStatus(step.taskOf(call), 'working')
  if (call.status === 'requested') {
    step.event(of, {
      ...{ kind: 'tool-start', toolCallId, toolName },
      arguments: (request?.call && argumentsOf(request.call)) ?? {},
      metadata: { provider: 'client' },
    })
  }
  step.event(of, {
    ...{ kind: 'tool-complete', toolCallId, toolName, success },
    ...(success && result !== undefined && { result: structuredClone(result) }),
    ...(!success && { error }),
  })
  const types = [...step.openRequests(call)].map(({ type }) => type)
  const task = step.taskOf(call)
  if (types.length === 0) step.resume(call)
  else if (isWaiting && task.status === 'working') {
    step.setStatus(task, types.includes('input') ? 'waiting-input' : 'waiting-auth')
  }
}

function digestOfResult({ success, result, error }: ToolResultCommand): string | undefined {
  const text = canonicalJson(success ? [true, result ?? null] : [false, error ?? null])
  return text === undefined ? undefined : digestOf(new TextEncoder().encode(text))
}
