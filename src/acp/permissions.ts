/** What an ACP agent asks permission for: each is asked of the user, and allowed for one call at most. */

import type { Diagnostic } from '../core/machine.ts'
import type { EventDraft } from '../emitter/event-draft.ts'
import { shortLine } from '../encoding/one-line.ts'
import type { AgentTask } from '../server/agent-task.ts'
import type { ToolCall } from '../server/ask-options.ts'
import type { Fields } from '../validation/predicates.ts'
import { fieldsOf, textIn, textOf } from '../validation/read-fields.ts'
import { type AcpCalls, MAX_NAME } from './calls.ts'

/** An answer to `session/request_permission`. */
export interface Outcome {
  readonly outcome: 'selected' | 'cancelled'
  readonly optionId?: string
}

export const CANCELED: Outcome = { outcome: 'cancelled' }

/** A permission that is answered at once, or asked of the user. */
export type Permission =
  | { readonly outcome: Outcome; readonly drafts: readonly EventDraft[] }
  | {
      readonly outcome?: undefined
      /** @param signal - Aborting it ends the wait. */
      ask(signal: AbortSignal): AsyncGenerator<EventDraft, Outcome>
    }

/** Reads a request for a permission. What lasts longer than one call is never selected: nobody was asked about it. */
export function permission(
  task: AgentTask,
  calls: AcpCalls,
  { toolCall, options }: Fields,
  report: (diagnostic: Diagnostic) => void,
): Permission {
  const choices = (Array.isArray(options) ? options : []).map(fieldsOf)
  const select = (kind: string): Outcome | undefined => {
    const choice = choices.find((option) => option.kind === kind)
    const optionId = textIn(choice, 'optionId')
    return optionId === undefined ? undefined : { outcome: 'selected', optionId }
  }
  const [allow, refuse = CANCELED] = [select('allow_once'), select('reject_once')]
  const call = calls.asked(fieldsOf(toolCall))
  if (call === undefined) {
    const message =
      'Expected a call that can be shown to the user, got another one: its permission is refused.'
    report({ code: 'dropped:request_permission', message })
    return { outcome: refuse, drafts: [] }
  }
  if (allow === undefined) {
    calls.decide(call.toolCallId, false)
    return { outcome: refuse, drafts: [unsupported(call, report, choices)] }
  }
  const title = textOf(fieldsOf(toolCall).title)
  return {
    async *ask(signal) {
      const prompt = ({ toolName }: ToolCall): string => `Run ${shortLine(title || toolName, MAX_NAME)}?`
      const [approval] = yield* task.approve([call], { always: true, prompt, signal })
      const isApproved = approval?.status === 'approved'
      yield* calls.decide(call.toolCallId, isApproved)
      if (approval?.status === 'canceled') return CANCELED
      return isApproved ? allow : refuse
    },
  }
}

/** That a permission cannot be given, for user and developer. */
function unsupported(
  { toolCallId, toolName }: ToolCall,
  report: (diagnostic: Diagnostic) => void,
  choices: readonly Fields[],
): EventDraft {
  const message = `Expected the option allow_once for the call of ${toolName}, got others: it is refused.`
  report({ code: 'unsupported-permission', message, detail: { toolCallId, options: choices } })
  const error = {
    code: 'unsupported',
    message: 'The agent asked for more than one call, which cannot be allowed here: the call is refused.',
    retry: 'terminal',
    scope: 'tool',
    toolCallId,
  } as const
  return { kind: 'task-error', error }
}
