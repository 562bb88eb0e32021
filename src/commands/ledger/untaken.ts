/**
 * Answers that their agent has not taken: while its task runs, they are not forgotten, and beyond a limit no more are accepted.
 *
 * What an agent has taken follows from its events, so that every process knows it: an approval once its call has started, any other
 * answer once the task continues. A process that stops in between finds the answer again.
 */

import { boundedGet, boundedValues } from '../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../../streams/context-key.ts'
import { awaitsStart } from './decisions.ts'
import type { LedgerState, RequestRecord, TaskRecord } from './state.ts'
import type { Answer } from './types.ts'

/** How many characters of untaken answers a task may have. */
export const MAX_UNTAKEN: number = 2 ** 21

/** How many those of all tasks may have, until a task may have no more than a share: that no other one can use up. */
const MAX_OF_ALL = 2 ** 23
const SHARE = 2 ** 17

/** The characters of what was answered, as JSON. */
export function charsOf({ value, call, reason }: Pick<Answer, 'value' | 'call' | 'reason'>): number {
  return JSON.stringify([value, call?.arguments, reason]).length
}

/** Whether the agent of a request has not taken its answer, and may: a decline is known without it. */
export function isUntaken(state: LedgerState, request: RequestRecord): boolean {
  const task = boundedGet(state.tasks, contextKey(request.contextId, request.taskId))
  if (!request.answer || request.isDeclined === true || !task || isTerminalStatus(task.status)) return false
  return request.approved === undefined
    ? request.turn === (task.turn ?? 0)
    : awaitsStart(state, task, request.answer.call?.toolCallId ?? '', request.id)
}

/** Whether a task may have no answer of so many characters more before its agent takes those that it has. */
export function isCrowded(state: LedgerState, { contextId, taskId }: TaskName, chars: number): boolean {
  const known = charsIn(boundedGet(state.tasks, contextKey(contextId, taskId)))
  // A task without any takes one of any length.
  if (known === 0 || known + chars <= SHARE) return false
  if (known + chars > MAX_UNTAKEN) return true
  let all = chars
  for (const task of boundedValues(state.tasks)) if (!isTerminalStatus(task.status)) all += charsIn(task)
  return all > MAX_OF_ALL
}

/** A task after an answer was accepted. */
export function withAnswer(task: TaskRecord, answer: Answer | undefined): TaskRecord {
  if (answer === undefined || answer.outcome === 'declined') return task
  const [others, approvals] = task.untaken ?? [0, 0]
  const chars = charsOf(answer)
  return { ...task, untaken: answer.call ? [others, approvals + chars] : [others + chars, approvals] }
}

/** A task after a call has started whose approval had an answer. */
export function withStarted(task: TaskRecord, answer: Answer | undefined): TaskRecord {
  const [others, approvals] = task.untaken ?? [0, 0]
  if (answer?.call === undefined || approvals === 0) return task
  return { ...task, untaken: [others, Math.max(0, approvals - charsOf(answer))] }
}

/** A task after an event of it: the same, unless only an agent that continues appends it. */
export function afterEvent(task: TaskRecord, event: ContextAnyEvent): TaskRecord {
  const [others, approvals] = task.untaken ?? [0, 0]
  if (others === 0 || isByOthers.test(event.kind) || isOfClient(event)) return task
  return { ...task, turn: (task.turn ?? 0) + 1, untaken: [0, approvals] }
}

/** What the ledger appends, who takes a task over, or an agent that asks several questions at once. */
const isByOthers = /^(?:task-|input-|auth-|content-complete$|thought-stream$|tool-complete$)/

/** Whether an event is of a call that the client runs. */
function isOfClient(event: ContextAnyEvent): boolean {
  return event.kind === 'tool-start' && event.metadata?.provider === 'client'
}

function charsIn(task: TaskRecord | undefined): number {
  const [others, approvals] = task?.untaken ?? [0, 0]
  return others + approvals
}
