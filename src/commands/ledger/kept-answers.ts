/**
 * Answers that their agent has not taken: while its task runs, they are not forgotten, and beyond a limit no more are accepted.
 *
 * An approval is taken once its call has started, any other answer once a process has given it to an agent that continues. A process that
 * stops before finds the answer again.
 */

import { boundedGet, boundedValues } from '../../core/bounded-map/bounded-map.ts'
import type { TaskName } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { contextKey } from '../../streams/context-key.ts'
import { isStartedBy } from './decisions.ts'
import type { LedgerState, RequestRecord, TaskRecord } from './state.ts'
import type { Answer } from './types.ts'

/** How many characters of kept answers a task may have. */
export const MAX_KEPT: number = 2 ** 21

/** How many those of all tasks may have, until a task may have no more than a share: that no other one can use up. */
const MAX_OF_ALL = 2 ** 23
const SHARE = 2 ** 17

/** The characters of what was answered, as JSON. */
export function charsOf({ value, call, reason }: Pick<Answer, 'value' | 'call' | 'reason'>): number {
  return JSON.stringify([value, call?.arguments, reason]).length
}

/** Whether the agent of a request has not taken its answer, and may: a decline is known without it. */
export function isKept(state: LedgerState, request: RequestRecord): boolean {
  const task = boundedGet(state.tasks, contextKey(request.contextId, request.taskId))
  if (!request.answer || request.isDeclined === true || !task || isTerminalStatus(task.status)) return false
  return request.approved === undefined
    ? request.isTaken !== true
    : isStartedBy(state, task, request.answer.call?.toolCallId ?? '', request.id) === false
}

/** Whether a task may have no answer of so many characters more before its agent takes those that it has. */
export function isCrowded(state: LedgerState, { contextId, taskId }: TaskName, chars: number): boolean {
  const known = charsIn(boundedGet(state.tasks, contextKey(contextId, taskId)))
  // A task without any takes one of any length.
  if (known === 0 || known + chars <= SHARE) return false
  if (known + chars > MAX_KEPT) return true
  let all = chars
  for (const task of boundedValues(state.tasks)) if (!isTerminalStatus(task.status)) all += charsIn(task)
  return all > MAX_OF_ALL
}

/** A task after an answer was accepted. */
export function withAnswer(task: TaskRecord, answer: Answer | undefined): TaskRecord {
  if (answer === undefined || answer.outcome === 'declined') return task
  return { ...task, keptChars: charsIn(task) + charsOf(answer) }
}

/** A task after an answer that it has kept was taken. */
export function withoutAnswer(task: TaskRecord, answer: Answer): TaskRecord {
  return { ...task, keptChars: Math.max(0, charsIn(task) - charsOf(answer)) }
}

function charsIn(task: TaskRecord | undefined): number {
  return task?.keptChars ?? 0
}
