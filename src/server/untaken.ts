/** Input that is stored and that no agent has taken yet: a process that stops in between leaves it to the next one. */

import type { CommandLedgerState } from '../commands/ledger/ledger.ts'
import type { LedgerOutput } from '../commands/ledger/types.ts'

/** Input for an agent. */
export type Send = Extract<LedgerOutput, { type: 'send' }>

/** The state as it is stored. */
type Stored = CommandLedgerState & { readonly untaken?: readonly Send[] }

/** The inputs among outputs. */
export function sendsIn(outputs: readonly LedgerOutput[]): Send[] {
  return outputs.flatMap((output) => (output.type === 'send' ? [output] : []))
}

/** A stored state, and the input that is stored with it. */
export function withoutUntaken(stored: CommandLedgerState): {
  state: CommandLedgerState
  untaken: readonly Send[]
} {
  const { untaken = [], ...state } = stored as Stored
  return { state: untaken.length === 0 ? stored : (state as CommandLedgerState), untaken }
}

/** A state to store with the input that is not taken. */
export function withUntaken(state: CommandLedgerState, untaken: readonly Send[]): CommandLedgerState {
  return untaken.length === 0 ? state : ({ ...state, untaken } as CommandLedgerState)
}
