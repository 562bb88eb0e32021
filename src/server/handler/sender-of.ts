/** Who sends a request. */

import type { Sender } from '../../commands/ledger/types.ts'
import { requireSender } from '../receipt-in.ts'
import type { HandlerSettings } from './options.ts'

/** Who sent a request; `undefined` if nobody is signed in. */
export async function senderOf(
  request: Request,
  { user, onError }: Pick<HandlerSettings, 'user' | 'onError'>,
): Promise<Sender | undefined> {
  let found: string | Sender | null | undefined
  try {
    found = await user(request)
  } catch (error) {
    // Others are how libraries refuse a token.
    if (error instanceof TypeError || error instanceof ReferenceError) onError(error)
    return undefined
  }
  if (found == null || found === '') return undefined
  const sender: Sender = typeof found === 'string' ? { role: 'user', id: found } : found
  requireSender(sender)
  return { role: sender.role, id: sender.id }
}
