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

/** The call that a request leaves to the client though the application has not declared its tool; `undefined` if there is none. */
export function foreignCallIn(event: ContextAnyEvent, declared: ReadonlySet<string>): string | undefined {
  if (event.kind !== 'input-required' || !isClientCall(event)) return undefined
  const name = event.metadata?.toolCall?.function.name ?? ''
  return declared.has(name) ? undefined : name
}

/** An event of a call that is not for the client to run, whatever its agent states, unless the application has declared its tool. */
export function withOwnProvider(event: ContextAnyEvent, declared: ReadonlySet<string>): ContextAnyEvent {
  if (!('toolCallId' in event) || !('metadata' in event) || event.metadata?.provider !== 'client')
    return event
  if ('toolName' in event && declared.has(event.toolName)) return event
  return { ...event, metadata: { ...event.metadata, provider: 'provider' } }
}
