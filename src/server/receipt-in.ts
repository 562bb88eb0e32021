/** The ends of a command: who sent it, and what the sender gets. */

import type { LedgerOutput, Receipt, Sender } from '../commands/ledger/types.ts'
import { requireObject, requireOneOf, requireText } from '../core/require.ts'
import { audiences } from '../streams/access/audience.ts'
import { isFields } from '../validation/predicates.ts'

/** Requires a sender with a role and an id. */
export function requireSender(sender: Sender): void {
  requireObject('sender', sender)
  requireOneOf('role', sender.role, audiences)
  requireText('id', sender.id)
}

/** The receipt among the outputs of a command. */
export function receiptIn(outputs: readonly LedgerOutput[]): Receipt {
  for (const output of outputs) if (output.type === 'receipt') return output.receipt
  throw new TypeError('Expected a receipt for a command, got none.')
}

/** A command whose fields can be read; `undefined`, which is `invalid`, if they throw. */
export function readable(command: unknown): unknown {
  try {
    // Reads each member.
    return isFields(command) ? { ...command } : command
  } catch {
    return undefined
  }
}
