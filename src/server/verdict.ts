/** Which events of agents a stream does not append, by the state that it compares when it appends. */

import type { CommandLedgerState, LedgerOptions } from '../commands/ledger/ledger.ts'
import { isObsolete, mayBeLate } from '../commands/ledger/obsolete.ts'
import { adoptsTask, ancestorsOf, isKnown } from '../commands/ledger/read.ts'
import { forgedApproval, refusedStart } from '../commands/ledger/refused.ts'
import type { Diagnostic } from '../core/machine.ts'
import type { ContextAnyEvent, TaskName } from '../events/event.ts'
import { ApprovalError } from './approval-error.ts'

/** Why an event is not appended: an error for who appends it, or a diagnostic. */
export type Verdict =
  | { readonly error: ApprovalError; readonly dropped?: undefined }
  /** `null`: nothing is lost. */
  | { readonly error?: undefined; readonly dropped: Diagnostic | null }

/** Kinds that what another process has decided or begun may refuse. */
export const READ_FIRST: RegExp = /^(?:tool-start|subtask-created)$/

/** Whether the state of the ledger decides about an event. */
export function isDecided(event: ContextAnyEvent): boolean {
  return READ_FIRST.test(event.kind) || mayBeLate(event)
}

/** Whether an event that the agent of a task yields is of another task, not below its own, as far as the state knows. */
export function isForeign(state: CommandLedgerState, event: ContextAnyEvent, of: TaskName): boolean {
  const { contextId, parentTaskId } = event
  if (contextId !== of.contextId) return true
  if (isWithin(state, event, of)) return false
  // Its first event states where a task belongs.
  if (parentTaskId === undefined || isKnown(state, event)) return true
  return !isWithin(state, { contextId, taskId: parentTaskId }, of)
}

/** Whether a task is another one or below it. */
function isWithin(state: CommandLedgerState, task: TaskName, of: TaskName): boolean {
  return task.taskId === of.taskId || ancestorsOf(state, task).includes(of.taskId)
}

/**
 * That an event is of another task, not below that of the agent which yields it, or makes such a task a subtask; `undefined` if
 * neither holds.
 */
function foreignEvent(
  state: CommandLedgerState,
  event: ContextAnyEvent,
  of: TaskName = event,
): Diagnostic | undefined {
  const { kind, contextId, taskId } = event
  const foreign = (path: string, message: string): Diagnostic => ({
    ...{ code: `dropped:${kind}`, path, message, detail: { reason: 'foreign-task' } },
  })
  if (isForeign(state, event, of)) {
    const message = `Expected an event of task "${of.taskId}" or of a task below it from its agent, got one of task "${taskId}".`
    return foreign('/taskId', message)
  }
  if (adoptsTask(state, event)) {
    const message = `Expected no parentTaskId of another owner in an event of task "${taskId}", got "${event.parentTaskId}".`
    return foreign('/parentTaskId', message)
  }
  if (kind !== 'subtask-created') return undefined
  const subtask = { contextId, taskId: event.subtaskId }
  const isBelow = subtask.taskId !== of.taskId && isWithin(state, subtask, of)
  if (isBelow || (subtask.taskId !== of.taskId && !isKnown(state, subtask))) return undefined
  const message = `Expected a new subtask of task "${of.taskId}" or one below it, got "${subtask.taskId}", which is another task.`
  return foreign('/subtaskId', message)
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
  const late = isObsolete(state, event)
  const dropped = late === undefined && event.kind === 'input-received' ? forgedApproval(state, event) : late
  return dropped === undefined ? undefined : { dropped }
}
