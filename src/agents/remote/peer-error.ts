/** Errors of remote agents: their texts are for the developer. */

import type { ErrorInfo } from '../../events/error.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { AgentTask } from '../../server/agent-task.ts'
import { describeError } from '../../server/describe-error.ts'
import { textIn } from '../../validation/read-fields.ts'

/** An error that a remote agent has reported, with its text. */
class RemoteAgentError extends Error {
  readonly code: string

  constructor({ code, message, details }: ErrorInfo) {
    super(textIn(details, 'message') ?? message)
    this.name = 'RemoteAgentError'
    this.code = code
  }
}

/**
 * Reports the error of an event to the developer, and returns the event as clients get it.
 *
 * @param isText - Whether the message of the error is a text of the agent that is not for clients.
 */
export function reported(
  event: ContextAnyEvent,
  task: Pick<AgentTask, 'onError'>,
  isText: boolean,
): ContextAnyEvent {
  if (event.kind !== 'task-error' && event.kind !== 'task-status') return event
  const { error } = event
  if (error === undefined && (event.kind !== 'task-status' || event.status !== 'failed')) return event
  const stated = error ?? { ...hidden, message: (event as { message?: string }).message ?? hidden.message }
  const known = describeError(task.onError(new RemoteAgentError(stated)))
  const shown = known ?? (isText && error?.code === 'provider_error' ? withoutText(error) : error)
  if (shown === undefined || shown === error) return event
  return event.kind === 'task-error'
    ? { ...event, error: shown }
    : { ...event, message: shown.message, error: shown }
}

const hidden = { code: 'provider_error', message: 'The agent failed.', retry: 'terminal' } as const

function withoutText(error: ErrorInfo): ErrorInfo {
  const { message, details = { message } } = error
  return { ...error, message: hidden.message, details }
}
