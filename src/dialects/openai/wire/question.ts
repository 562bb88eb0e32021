/** Questions as text: what a message asks, and what the answer to it is recognized by. */

/** What is asked. */
export interface Question {
  readonly prompt: string
  /** The call to approve. Omitted if it is about none. */
  readonly call?: { readonly toolName: string; readonly arguments: string }
}

/** What a message that asks about calls ends with. */
export const REPLY_TO_CALL = 'Reply "approve" or "decline".'

/** A question as part of a message, with the call that it is about. */
export function questionText({ prompt, call }: Question): string {
  return call === undefined ? prompt : `${prompt}\n${call.toolName} ${call.arguments}`
}
