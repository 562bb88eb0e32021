/** Rules of what a task may leave open when it ends. */

import { describeValue } from '../../../../core/require.ts'
import { without } from '../../../../rules/bounded-list.ts'
import {
  defineRule,
  ERROR_WARN_OFF,
  ERROR_WARN_WARN,
  type Rules,
  WARN_LENIENT_OFF,
} from '../../../../rules/rule.ts'
import type { CheckContext } from '../../context.ts'
import type { TaskEndRuleName } from '../../rule-names.ts'
import { hasEnded } from '../../state/task-state.ts'
import { endWrites } from '../artifact/artifact-chunk.ts'
import { endRequests } from '../request/request.ts'
import { checkWaitReason } from '../request/waiting.ts'
import { endSegments } from '../text/content.ts'
import { endCalls } from '../tool/tool.ts'

export const taskEndRules: Rules<TaskEndRuleName> = {
  'task-ends': defineRule('K14', 'inferred', ERROR_WARN_WARN, 'Every task has ended when the stream ends.'),
  'completed-status': defineRule(
    'K14',
    'inferred',
    WARN_LENIENT_OFF,
    'A task with a `task-complete` also has the status `completed`.',
  ),
  'children-end-first': defineRule(
    'K45',
    'inferred',
    ERROR_WARN_OFF,
    'A task completes after all its subtasks have ended.',
  ),
}

/**
 * Reports and closes the open items of a task that ends.
 *
 * @param content - The text of the `task-complete` that ends it. Omitted if it ends otherwise, or without text.
 */
export function endTask(context: CheckContext, isSuccess: boolean, content?: string): void {
  const { task } = context
  endSegments(context, isSuccess, content)
  endCalls(context, isSuccess)
  endRequests(context)
  endWrites(context, isSuccess)
  reportUnpaired(context)
  const count = task.children.length
  if (isSuccess && count > 0) {
    const message = `Expected 0 running subtasks when the task completes, got ${count}.`
    context.report('children-end-first', message, { expected: 0, actual: count })
  }
  task.children = []
  task.unpaired = []
  if (task.parent === null) return
  context.changeTask(task.parent, (parent) => {
    parent.children = without(parent.children, task.key)
  })
}

/** Reports the subtasks that have a `subtask-created` or a `task-created`, but not both. */
function reportUnpaired(context: CheckContext): void {
  for (const id of context.task.unpaired) {
    const message = `Expected both a subtask-created and a task-created for subtask ${describeValue(id)}, got only one.`
    context.report('subtask-pair', message, { actual: id })
  }
}

/** Reports what is missing at the end of a task when the stream ends. */
export function checkStreamEnd(context: CheckContext): void {
  const { taskId, status, hasResult, hasTerminalStatus, isPartial } = context.task
  if (hasResult && !hasTerminalStatus && !isPartial) {
    const message = `Expected a task-status completed of task ${describeValue(taskId)}, got only its task-complete.`
    context.report('completed-status', message)
  }
  if (status === 'announced' || hasEnded(context.task)) return
  const message = `Expected task ${describeValue(taskId)} to end before the stream, got status ${status}.`
  context.report('task-ends', message, { actual: status })
  checkWaitReason(context)
  reportUnpaired(context)
}
