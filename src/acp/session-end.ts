/** How a task ends: by the end of its prompt, or because its session has failed. */

import { describeValue } from '../core/require.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import type { ErrorInfo } from '../events/error.ts'
import type { AgentTask } from '../server/agent-task.ts'
import { describeError } from '../server/describe-error.ts'
import type { Fields } from '../validation/predicates.ts'
import { AcpError } from './connection.ts'
import { usageOf } from './session-state.ts'
import { ModeError, Violation } from './start-session.ts'

export const canceled: EventDraft = { kind: 'task-status', status: 'canceled' }

/** How a task ends whose prompt has ended. */
export function endOf({ stopReason: reason, usage }: Fields): EventDraft {
  const known = usageOf(usage)
  switch (reason) {
    case 'end_turn':
      return { kind: 'task-complete', ...(known !== undefined && { metadata: { usage: [known] } }) }
    case 'cancelled':
      return canceled
    case 'refusal':
      return failed('refused', 'The agent refused to answer.')
    case 'max_tokens':
    case 'max_turn_requests':
      return failed('budget_exhausted', 'The agent has used up its tokens or turns.')
    default:
      throw new Violation(`Expected a stop reason of ACP, got ${describeValue(reason)}.`)
  }
}

/** How a task ends whose session has failed. The developer gets the error, the page a sentence without details. */
export function failureOf(error: unknown, isLate: boolean, task: AgentTask): EventDraft {
  const known = describeError(task.onError(error))
  if (known !== undefined) return { kind: 'task-status', status: 'failed', error: known }
  if (isLate) return failed('timeout', 'The agent did not start in time.')
  if (error instanceof Violation) return failed('protocol_violation', 'The agent broke its protocol.')
  if (error instanceof ModeError) return failed('unsupported', 'The agent does not have the mode.')
  if (error instanceof AcpError) return failed('provider_error', 'The agent failed.')
  return failed('unavailable', 'The agent cannot be reached.')
}

export function late(ms: number): Error {
  return new Error(`Expected a session of the agent within ${ms} ms.`)
}

function failed(code: ErrorInfo['code'], message: string): EventDraft {
  return { kind: 'task-status', status: 'failed', error: { code, message, retry: 'terminal' } }
}
