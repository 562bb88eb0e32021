/** The ends of a command: who sent it, what the sender gets, and what the agent gets. */

import { requireObject, requireOneOf, requireText } from '../../core/require.ts'
import { audiences } from '../../streams/access/audience.ts'
import type { LedgerInput, LedgerOutput, Receipt, Sender } from '../ledger/types.ts'
import type { LedgerListener } from './ledger.ts'

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

/**
 * Hands outputs to the agent. Input that it does not take is returned, so that its sender can try again; the error is
 * thrown once all others are handed over.
 */
export function handOver(
  outputs: readonly LedgerOutput[],
  onOutput: LedgerListener | undefined,
  onReturn: (input: Extract<LedgerInput, { type: 'returned' }>) => void,
): void {
  const errors: unknown[] = []
  for (const output of outputs) {
    if (output.type !== 'send' && output.type !== 'cancel') continue
    try {
      onOutput?.(output)
    } catch (error) {
      errors.push(error)
      if (output.type === 'send')
        onReturn({ type: 'returned', command: output.command, sender: output.sender })
    }
  }
  if (errors.length > 0) throw errors[0]
}
