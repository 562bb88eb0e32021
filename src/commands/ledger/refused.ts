/** Events of agents that get past the gate only if the ledger allows it. */

import type { Diagnostic } from '../../core/machine.ts'
import type { ContextEvent } from '../../events/event.ts'
import type { InputReceivedEvent } from '../../events/input.ts'
import type { ToolStartEvent } from '../../events/tool.ts'
import { type ClosedGate, closedGate } from './gate.ts'
import type { CommandLedgerState, LedgerOptions } from './ledger.ts'
import { requestIn } from './ledger-step.ts'
import type { LedgerState } from './state.ts'

/**
 * Why the start of a call is not to be appended; `undefined` if it is. That of a tool which the provider of the model runs
 * comes when the tool runs already: it is reported.
 */
export function refusedStart(
  state: CommandLedgerState,
  event: ContextEvent<ToolStartEvent>,
  { needsApproval, enforce = 'refuse' }: LedgerOptions,
): ClosedGate | undefined {
  if (enforce === 'report' || event.metadata?.provider === AT_PROVIDER) return undefined
  return closedGate(state as unknown as LedgerState, event, needsApproval)
}

/**
 * Why an answer that an agent appends is not appended; `undefined` if it is: an approval comes from a sender, by `submit`.
 */
export function forgedApproval(
  state: CommandLedgerState,
  event: ContextEvent<InputReceivedEvent>,
): Diagnostic | undefined {
  const request = requestIn(state as unknown as LedgerState, 'input', event, event.inputId)
  const isApproval = request?.status === 'open' && request.call !== undefined && !request.isExecution
  if (!isApproval || event.outcome === 'declined') return undefined
  const message = `Expected the approval of inputId "${event.inputId}" by a command, got one of an agent.`
  return { code: 'dropped:input-received', message, detail: { inputId: event.inputId, reason: 'forged' } }
}

/** The `metadata.provider` of tools that run at the provider of the model. */
const AT_PROVIDER = 'provider'
