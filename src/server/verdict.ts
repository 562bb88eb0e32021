/** Which events of agents a stream does not append, by the state that it compares when it appends. */

import type { CommandLedgerState, LedgerOptions } from '../commands/ledger/ledger.ts'
import { isObsolete, mayBeLate } from '../commands/ledger/obsolete.ts'
import { ancestorsOf, isKnown } from '../commands/ledger/read.ts'
import { forgedApproval, refusedStart } from '../commands/ledger/refused.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { ApprovalError } from './approval-error.ts'

/** Why an event is not appended: an error for who appends it, or a diagnostic. */
export type Verdict =
  | { readonly error: ApprovalError; readonly dropped?: undefined }
  | { readonly error?: undefined; readonly dropped: Diagnostic }

/** Whether the state of the ledger decides about an event. */
export function isDecided(event: ContextAnyEvent): boolean {
  return event.kind === 'tool-start' || mayBeLate(event)
}

/** Whether an event that the agent of a task yields is of another task, not below its own, as far as the state knows. */
export function isForeign(state: CommandLedgerState, event: ContextAnyEvent, of: TaskName): boolean {
  const { contextId, taskId, parentTaskId } = event
  if (contextId !== of.contextId) return true
  if (taskId === of.taskId || ancestorsOf(state, event).includes(of.taskId)) return false
  // Its first event states where a task belongs.
  if (parentTaskId === undefined || isKnown(state, event)) return true
  const parent = { contextId, taskId: parentTaskId }
  return parentTaskId !== of.taskId && !ancestorsOf(state, parent).includes(of.taskId)
}

/** That the agent of a task yields an event of another task, not below its own; `undefined` if it does not. */
function foreignEvent(
  state: CommandLedgerState,
  event: ContextAnyEvent,
  of: TaskName | undefined,
): Diagnostic | undefined {
  if (of === undefined || !isForeign(state, event, of)) return undefined
  const message = `Expected an event of task "${of.taskId}" or of a task below it from its agent, got one of task "${event.taskId}".`
  return { code: `dropped:${event.kind}`, path: '/taskId', message, detail: { reason: 'foreign-task' } }
}

/** Why an event is not to be appended; `undefined` if it is. */
export function verdictOn(
  state: CommandLedgerState,
  event: ContextAnyEvent,
  options: LedgerOptions,
  of?: TaskName,
): Verdict | undefined {
  const foreign = foreignEvent(state, event, of)
  if (foreign !== undefined) return { dropped: foreign }
  if (event.kind === 'tool-start') {
    const refused = refusedStart(state, event, options)
    return refused && { error: new ApprovalError(refused.code, event.toolCallId, refused.message) }
  }
  const dropped =
    isObsolete(state, event) ?? (event.kind === 'input-received' ? forgedApproval(state, event) : undefined)
  return dropped && { dropped }
}
