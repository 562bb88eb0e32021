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

/** Reports the error of an event to the developer, and returns the event as clients get it. */
export function reported(event: ContextAnyEvent, task: Pick<AgentTask, 'onError'>): ContextAnyEvent {
  if (event.kind !== 'task-error' && event.kind !== 'task-status') return event
  const { error } = event
  if (error === undefined && (event.kind !== 'task-status' || event.status !== 'failed')) return event
  const stated = error ?? { ...unknown, message: (event as { message?: string }).message ?? unknown.message }
  const shown = describeError(task.onError(new RemoteAgentError(stated)))
  if (shown === undefined) return event
  return event.kind === 'task-error'
    ? { ...event, error: shown }
    : { ...event, message: shown.message, error: shown }
}

const unknown = { code: 'provider_error', message: 'The agent failed.', retry: 'terminal' } as const
