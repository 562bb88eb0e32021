/** Reads a request: who sends it, and its body. */

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

/** Whether a request states that its body is JSON: no form of a page of another site can. */
export function isJson(request: Request): boolean {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  return type.trim().toLowerCase() === 'application/json'
}

/** The text of a body; `undefined` if it is longer than a number of bytes. */
export async function textOf(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined
  if (request.body === null) return ''
  const decoder = new TextDecoder()
  const reader = request.body.getReader()
  let [text, length] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.byteLength
    if (length > maxBytes) {
      void reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
