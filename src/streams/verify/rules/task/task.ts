/** Rules of the status and the result of tasks. */

import { describeValue } from '../../../../core/require.ts'
import { isTerminalStatus } from '../../../../events/task-status.ts'
import { defineRule, ERROR_LENIENT_WARN, ERROR_WARN_OFF, type Rules } from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { TaskRuleName } from '../../rule-names.ts'
import { hasEnded } from '../../state/task-state.ts'
import { checkWaitReason, hasWaitReason } from '../request/waiting.ts'
import { isResult } from '../text/content.ts'
import { ancestorsOf } from './lineage.ts'
import { endTask } from './task-end.ts'
import { checkResultAfterError, checkStatusAfterError, checkStatusError } from './task-error.ts'

export const taskRules: Rules<TaskRuleName> = {
  'status-order': defineRule(
    'K10',
    'stated',
    ERROR_LENIENT_WARN,
    'A task is `submitted` only before it works or waits; repeating a status is legal.',
  ),
  'result-repeats-content': defineRule(
    'K20',
    'inferred',
    ERROR_WARN_OFF,
    'The `content` of a `task-complete` equals that of the last `content-complete`, or joins all texts that were open together with it, in the order in which they began.',
  ),
  'result-artifacts': defineRule(
    'K21',
    'inferred',
    ERROR_WARN_OFF,
    'The `artifacts` of a `task-complete` were completed by the task or its descendants.',
  ),
}

export const taskChecks: Checks<'task-created' | 'task-status' | 'task-complete'> = {
  'task-created'(context, { initiator, parentTaskId }) {
    if (parentTaskId === undefined || initiator === 'agent') return
    const details = { path: '/initiator', expected: 'agent', actual: initiator }
    context.report('subtask-initiator', `Expected initiator agent for a subtask, got ${initiator}.`, details)
  },

  'task-status'(context, { status, error }) {
    const { task } = context
    const isTerminal = isTerminalStatus(status)
    const isRepeated = status === task.status
    checkStatusError(context, status, error)
    if (status === 'submitted' && task.status !== 'created' && task.status !== 'submitted') {
      const message = `Expected a status that may follow ${task.status}, got submitted.`
      context.report('status-order', message, { path: '/status', actual: status })
    }
    checkStatusAfterError(context, status)
    if (!isRepeated && !isTerminal) checkWaitReason(context)
    task.hadWaitReason = (isRepeated && task.hadWaitReason) || hasWaitReason(task, status)
    task.status = status
    if (!isTerminal) return
    task.hasTerminalStatus = true
    endTask(context, status === 'completed')
  },

  'task-complete'(context, { content, artifacts }) {
    const { task } = context
    if (!hasEnded(task)) {
      checkResultAfterError(context)
      task.status = 'completed'
      endTask(context, true, content)
    }
    task.hasResult = true
    if (content !== undefined && !isResult(context, content)) {
      const message = `Expected the content of the last content-complete, got another text (length ${content.length}).`
      context.report('result-repeats-content', message, { path: '/content' })
    }
    for (const [i, id] of (artifacts ?? []).entries()) {
      if (isWriter(context, id)) continue
      const message = `Artifact ${describeValue(id)} was not completed by the task or its descendants.`
      context.report('result-artifacts', message, { path: `/artifacts/${i}`, actual: id })
    }
  },
}

/** Whether the task or a descendant completed an artifact, or may have. */
function isWriter(context: CheckContext, artifactId: string): boolean {
  const artifact = context.get('artifacts', context.contextKey(artifactId))
  if (artifact === undefined) return context.isPartial
  if (artifact.writers === null) return true
  return artifact.writers.some((writer) => {
    const ancestors = [...ancestorsOf(context, writer)]
    const root = context.taskOf(ancestors.at(-1) ?? writer)
    const isRootPartial = root === undefined ? context.isPartial : root.isPartial
    return ancestors.includes(context.task.key) || isRootPartial
  })
}
