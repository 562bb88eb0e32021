/** Questions as text: what a message asks, and what the answer to it is recognized by. */

import { digitsOf, textDigest } from '../../../encoding/sha256.ts'

/** What is asked. */
export interface Question {
  /** The request, and its task. */
  readonly id: string
  readonly taskId: string
  readonly prompt: string
  /** The call to approve. Omitted if it is about none. */
  readonly call?: { readonly toolName: string; readonly arguments: string }
}

/** What a message that asks about calls ends with. */
export const REPLY_TO_CALL = 'Reply "approve" or "decline".'

/**
 * A question as part of a message, with the call that it is about, and a number: the same may be asked again, and an answer that comes
 * late is not one to that.
 */
export function questionText({ id, taskId, prompt, call }: Question): string {
  const number = digitsOf(textDigest(JSON.stringify([taskId, id])), 8)
  const about = call === undefined ? '' : `\n${call.toolName} ${call.arguments}`
  return `${prompt}${about}\n(Question ${number})`
}
