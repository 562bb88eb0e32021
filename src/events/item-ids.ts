/** Which ids of a task an event names: those of calls, requests and thoughts are unique only within the task. */

import type { AnyEvent } from './event.ts'

/** A call, a request for an input or an authentication, or a thought. */
export type ItemType = 'call' | 'input' | 'auth' | 'thought'

/** Calls the function with each id that an event names. The call of an error is not counted: it has other events. */
export function eachItemId(event: AnyEvent, use: (type: ItemType, id: string) => void): void {
  switch (event.kind) {
    case 'tool-arguments-delta':
    case 'tool-start':
    case 'tool-progress':
    case 'tool-complete':
      use('call', event.toolCallId)
      break
    case 'input-required': {
      const call = event.metadata?.toolCall
      if (call !== undefined) use('call', call.id)
      use('input', event.inputId)
      break
    }
    case 'input-received':
    case 'input-canceled':
      use('input', event.inputId)
      break
    case 'auth-required':
    case 'auth-completed':
    case 'auth-failed':
      use('auth', event.authId)
      break
    case 'thought-delta':
    case 'thought-stream':
      use('thought', event.thoughtId)
  }
}
