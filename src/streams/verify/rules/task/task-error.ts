/** Rules of errors: which belong to a task, and what follows them. */

import { describeValue } from '../../../../core/require.ts'
import type { ErrorInfo } from '../../../../events/error.ts'
import type { TaskStatus } from '../../../../events/task-status.ts'
import { defineRule, ERROR_LENIENT_WARN, ERROR_WARN_OFF, type Rules } from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { TaskErrorRuleName } from '../../rule-names.ts'

export const taskErrorRules: Rules<TaskErrorRuleName> = {
  'error-with-failure': defineRule(
    'K46',
    'added',
    ERROR_LENIENT_WARN,
    'Only a `task-status` with the status `failed` has an `error`.',
  ),
  'fatal-error-ends-task': defineRule(
    'K46',
    'added',
    ERROR_LENIENT_WARN,
    'After a task error with `retry` of `exhausted` or `terminal`, the next status is `failed` or `canceled`.',
  ),
  'attempt-order': defineRule(
    'K46',
    'added',
    ERROR_WARN_OFF,
    'The `attempt` of a retried error increases until it restarts at 1.',
  ),
  'tool-error-before-end': defineRule(
    'K46',
    'added',
    ERROR_WARN_OFF,
    'An error of a tool call comes before the `tool-complete` of the call.',
  ),
  'stream-error-outside': defineRule(
    'K46',
    'added',
    ERROR_WARN_OFF,
    'Errors with scope `stream` are not events of a task.',
  ),
}

export const taskErrorChecks: Checks<'task-error'> = {
  'task-error'(context, { error }) {
    const { code, retry, attempt, scope = 'task', toolCallId } = error
    if (scope === 'stream') {
      const details = { path: '/error/scope', actual: scope }
      context.report(
        'stream-error-outside',
        'Expected an error with scope task or tool, got scope stream.',
        details,
      )
    }
    if (scope === 'tool' && toolCallId !== undefined) {
      const call = context.get('calls', context.itemKey(toolCallId))
      if (call?.state === 'ended') {
        const message = `Expected no task-error after the end of toolCallId ${describeValue(toolCallId)}.`
        const details = { path: '/error/toolCallId', actual: toolCallId }
        context.report('tool-error-before-end', message, details)
      }
    }
    if (scope === 'task' && (retry === 'exhausted' || retry === 'terminal')) {
      context.task.hasFatalError = true
    }
    if (retry === 'retrying' && attempt !== undefined) {
      checkAttempt(context, `${scope} ${toolCallId} ${code}`, attempt)
    }
  },
}

/** Attempts are stored for this many error codes of a task. */
const MAX_CODES = 8

function checkAttempt(context: CheckContext, code: string, attempt: number): void {
  const { attempts } = context.task
  const previous = attempts.find(([other]) => other === code)?.[1] ?? 0
  if (attempt <= previous && attempt !== 1) {
    const expected = previous + 1
    const details = { path: '/error/attempt', expected, actual: attempt }
    context.report('attempt-order', `Expected attempt ${expected} or later, got ${attempt}.`, details)
  }
  const others = attempts.filter(([other]) => other !== code).slice(1 - MAX_CODES)
  context.task.attempts = [...others, [code, attempt]]
}

/** Checks that only a failed task has an error. */
export function checkStatusError(
  context: CheckContext,
  status: TaskStatus,
  error: ErrorInfo | undefined,
): void {
  if (error === undefined || status === 'failed') return
  context.report('error-with-failure', `Expected no error with status ${status}, got one.`, {
    path: '/error',
  })
}

/** Checks the first status after an error. */
export function checkStatusAfterError(context: CheckContext, status: TaskStatus): void {
  const { task } = context
  if (task.hasFatalError && status !== 'failed' && status !== 'canceled') {
    const message = `Expected status failed or canceled after a fatal error, got ${status}.`
    context.report('fatal-error-ends-task', message, { path: '/status', actual: status })
  }
  task.hasFatalError = false
}

/** Checks that a task that completes had no fatal error. */
export function checkResultAfterError(context: CheckContext): void {
  if (!context.task.hasFatalError) return
  context.report(
    'fatal-error-ends-task',
    'Expected status failed or canceled after a fatal error, got task-complete.',
    { path: '/kind' },
  )
}
