/** Errors that other systems state: their texts may quote keys, addresses and prompts. */

import type { ErrorInfo } from '../../events/error.ts'

/** A failure, an error, or any other event. */
interface Failing {
  readonly kind?: unknown
  readonly status?: unknown
  readonly message?: string
  readonly error?: ErrorInfo
}

/** Whether an event states an error, or the message of a failure. */
export function isError({ kind, status, message, error }: Failing): boolean {
  return (error ?? message) !== undefined && (kind === 'task-error' || status === 'failed')
}

/** An error whose texts are in its details, for operators: users see what happened, and its code. */
export function withoutErrorText<Event extends Failing>(event: Event): Event {
  const { kind, message: text, error } = event
  const { code = 'internal', message: stated = text, details, ...rest } = error ?? { retry: 'terminal' }
  const isCode = /^[\w.-]{1,64}$/.test(code)
  const message = kind === 'task-error' ? 'The agent reported an error.' : 'The agent failed.'
  const hidden = {
    message: stated,
    ...(text !== undefined && text !== stated && { status: text }),
    ...(!isCode && { code }),
    ...(details !== undefined && { details }),
  }
  return {
    ...event,
    ...(text !== undefined && { message }),
    error: { ...rest, code: isCode ? code : 'internal', message, details: hidden },
  }
}
