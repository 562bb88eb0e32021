/** Which events of agents a stream does not append, by the state that it compares when it appends. */

import type { CommandLedgerState, LedgerOptions } from '../commands/ledger/ledger.ts'
import { isObsolete, mayBeLate } from '../commands/ledger/obsolete.ts'
import { forgedApproval, refusedStart } from '../commands/ledger/refused.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import { ApprovalError } from './approval-error.ts'

/** Why an event is not appended: an error for who appends it, or a diagnostic. */
export type Verdict =
  | { readonly error: ApprovalError; readonly dropped?: undefined }
  | { readonly error?: undefined; readonly dropped: Diagnostic }

/** Whether the state of the ledger decides about an event. */
export function isDecided(event: ContextAnyEvent): boolean {
  return event.kind === 'tool-start' || mayBeLate(event)
}

/** Why an event is not to be appended; `undefined` if it is. */
export function verdictOn(
  state: CommandLedgerState,
  event: ContextAnyEvent,
  options: LedgerOptions,
): Verdict | undefined {
  if (event.kind === 'tool-start') {
    const refused = refusedStart(state, event, options)
    return refused && { error: new ApprovalError(refused.code, event.toolCallId, refused.message) }
  }
  const dropped =
    isObsolete(state, event) ?? (event.kind === 'input-received' ? forgedApproval(state, event) : undefined)
  return dropped && { dropped }
}
