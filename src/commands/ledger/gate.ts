/** The gate: which calls may start. */

import { boundedGet } from '../../core/bounded-map/bounded-map.ts'
import { mustBeApproved, type NeedsApproval } from '../../events/approval.ts'
import type { TaskName } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import type { ToolStartEvent } from '../../events/tool.ts'
import { callDigest } from '../../json/call-digest.ts'
import { contextKey, itemKey } from '../../streams/context-key.ts'
import { callDecision, hasApproved } from './decisions.ts'
import type { LedgerState, RequestRecord } from './state.ts'

/**
 * Why a call may not start:
 *
 * - `not-asked`: it needs an approval, and nobody was asked
 * - `waiting`: the request to approve it is open
 * - `declined`, `expired`, `canceled`: how that request ended
 * - `changed`: it was approved with another tool or other arguments
 * - `started`: it has started with this approval before
 * - `ended`: its task has ended, or is being canceled
 */
export type ApprovalErrorCode =
  | 'not-asked'
  | 'waiting'
  | 'declined'
  | 'expired'
  | 'canceled'
  | 'changed'
  | 'started'
  | 'ended'

/** Why a call may not start, for people. */
export interface ClosedGate {
  readonly code: ApprovalErrorCode
  readonly message: string
}

/** Why a call may not start; `undefined` if it may. */
export function closedGate(
  state: LedgerState,
  event: TaskName &
    Pick<ToolStartEvent, 'toolCallId' | 'toolName' | 'metadata'> & { readonly arguments: unknown },
  needsApproval: NeedsApproval | undefined,
): ClosedGate | undefined {
  const { toolCallId, toolName, arguments: args, metadata } = event
  const shownId = `toolCallId "${toolCallId}"`
  const task = boundedGet(state.tasks, contextKey(event.contextId, event.taskId))
  if (isTerminalStatus(task?.status ?? null)) {
    const message = `Expected a task that has not ended for the tool-start of ${shownId}, got task "${event.taskId}".`
    return { code: 'ended', message }
  }
  const call = boundedGet(state.calls, itemKey(event, toolCallId))
  const decision = callDecision(state, event, toolCallId)
  const wasAsked = decision !== undefined || call?.approval !== undefined
  const provider = metadata?.provider
  if (!wasAsked && !mustBeApproved(needsApproval, { toolName, ...(provider !== undefined && { provider }) }))
    return undefined
  const refused = (code: ApprovalErrorCode, expected: string, got: string): ClosedGate => {
    return { code, message: `Expected ${expected} before the tool-start of ${shownId}, got ${got}.` }
  }
  // One that was refused, as there were too many, is not among the decisions.
  if (decision === undefined) return refused(wasAsked ? 'canceled' : 'not-asked', 'an approval', 'none')
  const { request, isStarted } = decision
  if (request.approved === undefined) return refused(unapproved(request), 'an approval', 'none')
  if (task?.isCanceled === true) return refused('ended', 'a task to continue', 'one that is being canceled')
  if (!hasApproved(request, callDigest({ toolName, arguments: args })))
    return refused('changed', 'the approved arguments', 'others')
  if (isStarted) return refused('started', 'a new approval', 'one that was used')
  return undefined
}

function unapproved({ status, isDeclined }: RequestRecord): ApprovalErrorCode {
  if (status === 'open') return 'waiting'
  if (status === 'expired') return 'expired'
  return isDeclined === true ? 'declined' : 'canceled'
}
