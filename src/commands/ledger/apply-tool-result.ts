/** Applies `tool.result`: the outcome of a tool that the client has run. */

import { textDigest } from '../../encoding/sha256.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { ToolResultCommand } from '../tool.ts'
import { answerInput, openFor, refusalOf } from './apply-answers.ts'
import { argumentsOf } from './apply-event.ts'
import { isOver, isWaiting, type LedgerStep } from './ledger-step.ts'
import type { CallRecord, RequestRecord } from './state.ts'
import type { ApprovedCall, CommandResult, ReceiptStatus, Sender } from './types.ts'

/** Ends a call that the client was asked to run: by an `input-required` or a `tool-start` with the provider `client`. */
export function applyToolResult(step: LedgerStep, command: ToolResultCommand, sender: Sender): CommandResult {
  const { toolCallId } = command
  const result = (status: ReceiptStatus, message: string): CommandResult => ({ status, message, toolCallId })
  if (sender.role !== 'user' && sender.role !== 'coordinator') {
    return result('forbidden', `Expected a result by user or coordinator, got one by ${sender.role}.`)
  }
  const contextId = step.contextOf(command.contextId)
  const call = contextId === undefined ? undefined : step.call(contextId, toolCallId)
  if (contextId === undefined || call === undefined || call.audience?.includes(sender.role) === false) {
    return result('unknown-request', `Unknown toolCallId "${toolCallId}".`)
  }
  const requestOf = (id: string | undefined): RequestRecord | undefined =>
    id === undefined ? undefined : step.request('input', contextId, id)
  const [approval, run] = [requestOf(call.approval), requestOf(call.run)]
  // A call that has not started is known from its requests only.
  const isShown = [approval, run].some((each) => each && each.audience?.includes(sender.role) !== false)
  if (call.status === 'requested' && !isShown) {
    return result('unknown-request', `Unknown toolCallId "${toolCallId}".`)
  }
  const digest = digestOfResult(command)
  if (call.result !== undefined) {
    return call.result === digest
      ? result('repeated', `The same result of toolCallId "${toolCallId}" was accepted before.`)
      : result('conflict', `Another result of toolCallId "${toolCallId}" was accepted before.`)
  }
  if (!call.isClient) {
    return result('forbidden', `Expected a toolCallId of a tool that the client runs, got "${toolCallId}".`)
  }
  const approved = approval?.answer?.call
  if (call.approval !== undefined && approved === undefined && approval?.status !== 'foreign') {
    return result(
      'forbidden',
      `Expected an approval of toolCallId "${toolCallId}" before the result, got none.`,
    )
  }
  const refused = run && refusalOf(run, sender)
  if (refused !== undefined) return result(refused.status, refused.message)
  if (run !== undefined && (run.status === 'open' || call.status === 'requested')) {
    const found = openFor(step, 'input', contextId, run.id, sender, () => false)
    if ('status' in found) return result(found.status, found.message)
    answerInput(step, found.request, sender, { outcome: 'answered' })
    complete(step, command, call, digest, found.request, approved?.arguments)
    return result('accepted', `Accepted the result of toolCallId "${toolCallId}".`)
  }
  if (call.status === 'ended' || isOver(step.taskOf(call))) {
    return result('unknown-request', `toolCallId "${toolCallId}" is no longer open.`)
  }
  complete(step, command, call, digest, run, approved?.arguments)
  return result('accepted', `Accepted the result of toolCallId "${toolCallId}".`)
}

/** Emits the end of a call, and its start if it has not started. A task that waits for something else waits again. */
function complete(
  step: LedgerStep,
  { toolCallId, success, result, error = 'The tool failed.' }: ToolResultCommand,
  call: CallRecord,
  digest: string,
  request?: RequestRecord,
  approved?: ApprovedCall['arguments'],
): void {
  const { toolName } = call
  const of = call.audience === undefined && request !== undefined ? request : call
  const wasWaiting = isWaiting(step.taskOf(call))
  step.setCall({ ...call, status: 'ended', result: digest })
  if (wasWaiting && call.status === 'requested') step.setStatus(step.taskOf(call), 'working')
  if (call.status === 'requested') {
    step.event(of, {
      ...{ kind: 'tool-start', toolCallId, toolName },
      arguments: approved ?? (request?.call && argumentsOf(request.call)) ?? {},
      metadata: { provider: 'client' },
    })
  }
  step.event(of, {
    ...{ kind: 'tool-complete', toolCallId, toolName, success },
    ...(success && result !== undefined && { result: structuredClone(result) }),
    ...(!success && { error }),
  })
  const types = step.openRequests(call).map(({ type }) => type)
  const task = step.taskOf(call)
  if (types.length === 0) step.resume(call)
  else if (wasWaiting && task.status === 'working') {
    step.setStatus(task, types.includes('input') ? 'waiting-input' : 'waiting-auth')
  }
}

function digestOfResult({ success, result, error }: ToolResultCommand): string {
  return textDigest(canonicalJson(success ? [true, result ?? null] : [false, error ?? null]) ?? '')
}
