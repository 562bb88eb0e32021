/** Rules of what may follow the end of a task. */

import { describeValue } from '../../../core/require.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { defineRule, ERROR, ERROR_LENIENT_WARN, type Rules } from '../../../rules/rule.ts'
import type { CheckContext } from '../context.ts'
import type { AfterEndRuleName } from '../rule-names.ts'
import { hasEnded } from '../state/task-state.ts'
import { answersEndedRequest } from './request/request.ts'

export const afterEndRules: Rules<AfterEndRuleName> = {
  'nothing-after-end': defineRule(
    'K11',
    'inferred',
    ERROR_LENIENT_WARN,
    'After its end, a task has no events but the `task-complete` or the status `completed` that belongs to it.',
  ),
  'single-result': defineRule('K12', 'inferred', ERROR, 'Each task has at most one `task-complete`.'),
  'no-result-after-failure': defineRule(
    'K13',
    'inferred',
    ERROR,
    'A task that failed or was canceled has no `task-complete`.',
  ),
}

/** Whether an event is to be checked: its task has not ended, or is ended by it. Reports other events. */
export function checkAfterEnd(context: CheckContext, event: ContextAnyEvent): boolean {
  const { task } = context
  if (!hasEnded(task)) return true
  const { kind } = event
  // Reported as a duplicate when the task was looked up.
  if (kind === 'task-created') return false
  if (kind === 'task-complete' && task.status === 'completed' && !task.hasResult) return true
  if (isFinalStatus(event) && !task.hasTerminalStatus) {
    task.hasTerminalStatus = true
    return false
  }
  reportAfterEnd(context, event)
  return false
}

function isFinalStatus(event: ContextAnyEvent): boolean {
  return event.kind === 'task-status' && event.status === 'completed'
}

function reportAfterEnd(context: CheckContext, event: ContextAnyEvent): void {
  const { status, taskId } = context.task
  const { kind } = event
  const details = { path: '/kind', actual: kind }
  const nothing = `Expected nothing after status ${status}, got ${kind}.`
  if (kind === 'task-complete' && status !== 'completed') {
    context.report('no-result-after-failure', nothing, details)
  } else if (kind === 'task-complete') {
    context.report('single-result', `Duplicate task-complete for taskId ${describeValue(taskId)}.`)
  } else if (answersEndedRequest(context, event)) {
    const message = `Expected no answer to a request that status ${status} has closed, got ${kind}.`
    context.report('answer-after-end', message, details)
  } else context.report('nothing-after-end', nothing, details)
}
