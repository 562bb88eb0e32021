/** Applies `tool.result`: the outcome of a tool that the client has run. */

import { textDigest } from '../../encoding/sha256.ts'
import { mustBeApproved } from '../../events/approval.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { ToolResultCommand } from '../tool.ts'
import { answerInput, closedTo, refusalOf, strangerTo } from './apply-answers.ts'
import { argumentsOf } from './apply-event.ts'
import { isOver, isWaiting, type LedgerStep } from './ledger-step.ts'
import { type Refusal, takerOf } from './named.ts'
import type { CallRecord, RequestRecord } from './state.ts'
import type { ApprovedCall, CommandResult, ReceiptStatus, Sender } from './types.ts'

/** Ends a call that the client was asked to run: by an `input-required` or a `tool-start` with the provider `client`. */
export function applyToolResult(step: LedgerStep, command: ToolResultCommand, sender: Sender): CommandResult {
  const { toolCallId, taskId } = command
  const result = (status: ReceiptStatus, message: string): CommandResult => {
    return { status, message, toolCallId, ...(taskId !== undefined && { taskId }) }
  }
  if (sender.role !== 'user' && sender.role !== 'coordinator') {
    return result('forbidden', `Expected a result by user or coordinator, got one by ${sender.role}.`)
  }
  const contextId = step.contextOf(command.contextId)
  const digest = digestOfResult(command)
  const calls = contextId === undefined ? [] : step.calls(contextId, taskId, toolCallId)
  const found = takerOf(calls, `toolCallId "${toolCallId}"`, (call) =>
    refusalOfResult(step, call, digest, sender),
  )
  if ('status' in found) return result(found.status, found.message)
  const { taker: call } = found
  const [approval, run] = requestsOf(step, call)
  if (run?.status === 'open') answerInput(step, run, sender, { outcome: 'answered' })
  complete(step, command, call, digest, run, approval?.answer?.call?.arguments)
  return result('accepted', `Accepted the result of toolCallId "${toolCallId}".`)
}

/** The latest request to approve a call, and the latest to run it. */
function requestsOf(step: LedgerStep, call: CallRecord): (RequestRecord | undefined)[] {
  return [call.approval, call.run].map((id) =>
    id === undefined ? undefined : step.request('input', call, id),
  )
}

/** Why a call takes no result with a digest; `undefined` if it does. */
function refusalOfResult(
  step: LedgerStep,
  call: CallRecord,
  digest: string,
  sender: Sender,
): Refusal | undefined {
  const shownId = `toolCallId "${call.toolCallId}"`
  const unknown: Refusal = { status: 'unknown-request', message: `Unknown ${shownId}.` }
  if (call.audience?.includes(sender.role) === false) return unknown
  const [approval, run] = requestsOf(step, call)
  // A call that has not started is known from its requests only.
  const isShown = [approval, run].some((each) => each && each.audience?.includes(sender.role) !== false)
  if (call.status === 'requested' && !isShown) return unknown
  const stranger = strangerTo(step, call, sender, shownId)
  if (stranger !== undefined) return stranger
  if (call.result !== undefined) {
    return call.result === digest
      ? { status: 'repeated', message: `The same result of ${shownId} was accepted before.` }
      : { status: 'conflict', message: `Another result of ${shownId} was accepted before.` }
  }
  if (!call.isClient) {
    return {
      status: 'forbidden',
      message: `Expected a toolCallId of a tool that the client runs, got ${shownId}.`,
    }
  }
  const needed = call.status === 'requested' ? step.limits.needsApproval : undefined
  const isNeeded =
    call.approval !== undefined || mustBeApproved(needed, { toolName: call.toolName, provider: 'client' })
  if (isNeeded && approval?.approved === undefined) {
    return { status: 'forbidden', message: `Expected an approval of ${shownId} before the result, got none.` }
  }
  // The arguments that were approved are forgotten.
  if (approval?.forgotten !== undefined && call.status === 'requested') return unknown
  const refused = run && refusalOf(step, run, sender)
  if (refused !== undefined) return refused
  if (run !== undefined && (run.status === 'open' || call.status === 'requested')) {
    return closedTo(step, run, sender, () => '')
  }
  if (call.status !== 'ended' && !isOver(step.taskOf(call))) return undefined
  return { status: 'unknown-request', message: `${shownId} is no longer open.` }
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
