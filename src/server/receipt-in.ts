/** The ends of a command: who sent it, and what the sender gets. */

import type { LedgerOutput, Receipt, Sender } from '../commands/ledger/types.ts'
import { requireObject, requireOneOf, requireText } from '../core/require.ts'
import { audiences } from '../streams/access/audience.ts'

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
