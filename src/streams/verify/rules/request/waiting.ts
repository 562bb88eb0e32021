/** Rules of tasks that wait: for what, and what they must not send meanwhile. */

import { defineRule, ERROR_WARN_OFF, type Rules } from '../../../../rules/rule.ts'
import type { CheckContext } from '../../context.ts'
import type { WaitingRuleName } from '../../rule-names.ts'
import type { TaskState } from '../../state/task-state.ts'

export const waitingRules: Rules<WaitingRuleName> = {
  'waiting-for-something': defineRule(
    'K15',
    'inferred',
    ERROR_WARN_OFF,
    'While a task waits there is, at some point, an open input, an open authentication or a running subtask to wait for.',
  ),
  'silent-while-waiting': defineRule(
    'K44',
    'inferred',
    ERROR_WARN_OFF,
    'A task that waits for an input or an authentication sends no content and starts no tools.',
  ),
}

/** Whether the task has an open item of the type that a status waits for. */
export function hasWaitReason(task: TaskState, status: TaskState['status']): boolean {
  if (status === 'waiting-input') return task.open.inputs.length > 0
  if (status === 'waiting-auth') return task.open.auths.length > 0
  return status === 'waiting-subtask' && task.children.length > 0
}

/** Stores that a task which waits has something to wait for. */
export function noteWaitReason({ task }: CheckContext): void {
  if (hasWaitReason(task, task.status)) task.hadWaitReason = true
}

/** Reports a wait that is over, or a stream that ends, without anything to wait for in between. */
export function checkWaitReason(context: CheckContext): void {
  const { status, hadWaitReason } = context.task
  if (!status.startsWith('waiting-') || hadWaitReason || context.isTaskPartial) return
  const message = `Expected an open input, open authentication or running subtask with status ${status}, got none.`
  context.report('waiting-for-something', message, { actual: status })
}

/** Reports an event that a task must not send while it waits for a person. */
export function checkNotWaiting(context: CheckContext, kind: string): void {
  const { status } = context.task
  if (status !== 'waiting-input' && status !== 'waiting-auth') return
  const message = `Expected no ${kind} while the task has status ${status}.`
  context.report('silent-while-waiting', message, { path: '/kind', actual: kind })
}
