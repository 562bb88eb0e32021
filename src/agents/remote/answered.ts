/** What a remote agent has asked, and what was answered. */

import type { ContextAnyEvent } from '../../events/event.ts'
import type { Reply } from '../../server/ask-options.ts'

export type InputRequired = Extract<ContextAnyEvent, { kind: 'input-required' }>

/** What was asked, and what the user answered. */
export interface Answered {
  readonly request: InputRequired
  readonly reply: Reply
}

/** Whether the client is to run the call that a request is about. */
export function isClientCall({ metadata }: InputRequired): boolean {
  return metadata?.provider === 'client'
}
