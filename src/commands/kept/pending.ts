/** The events that a state includes and the stream does not yet: a ledger that cannot append them together has some. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { CommandLedgerState } from '../ledger/ledger.ts'
import type { LedgerState } from '../ledger/state.ts'

/** The events that are still to be appended, in order. */
export function pendingOf(state: CommandLedgerState): readonly ContextAnyEvent[] {
  return (state as unknown as LedgerState).pending ?? []
}

/** A state with other events that are still to be appended. */
export function withPending(
  state: CommandLedgerState,
  pending: readonly ContextAnyEvent[],
): CommandLedgerState {
  const ledger = state as unknown as LedgerState
  if (pending.length === 0 && ledger.pending === undefined) return state
  const { pending: _, ...rest } = ledger
  return (pending.length === 0 ? rest : { ...rest, pending }) as unknown as CommandLedgerState
}
