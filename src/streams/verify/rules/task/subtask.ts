/** Rules of tasks and their subtasks. */

import { describeValue } from '../../../../core/require.ts'
import { pushBounded, without } from '../../../../rules/bounded-list.ts'
import { defineRule, ERROR_LENIENT_WARN, ERROR_WARN_OFF, type Rules } from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { SubtaskRuleName } from '../../rule-names.ts'
import { newTask } from '../../state/task-state.ts'
import { noteWaitReason } from '../request/waiting.ts'
import { checkDepth } from './lineage.ts'

export const subtaskRules: Rules<SubtaskRuleName> = {
  'subtask-parent': defineRule(
    'K08',
    'stated',
    ERROR_LENIENT_WARN,
    'A `subtask-created` announces a new task, whose `parentTaskId` is the announcing task.',
  ),
  'subtask-pair': defineRule(
    'K08',
    'stated',
    ERROR_WARN_OFF,
    'A subtask has both a `subtask-created` and a `task-created`, in either order.',
  ),
  'subtask-first': defineRule(
    'K09',
    'stated',
    ERROR_LENIENT_WARN,
    'The first event of a subtask follows its `subtask-created` or is its `task-created`.',
  ),
}

export const subtaskChecks: Checks<'subtask-created'> = {
  'subtask-created'(context, { subtaskId }) {
    const { task } = context
    const key = context.contextKey(subtaskId)
    const path = '/subtaskId'
    const id = describeValue(subtaskId)
    if (key === task.key) {
      const message = `Expected a subtaskId other than that of the announcing task, got ${id}.`
      context.report('subtask-parent', message, { path, actual: subtaskId })
      return
    }
    const subtask = context.taskOf(key)
    if (subtask === undefined) {
      announceSubtask(context, subtaskId)
      return
    }
    const isAnnounced = subtask.status === 'announced'
    if (subtask.isPartial || (task.unpaired.includes(subtaskId) && !isAnnounced)) {
      task.unpaired = without(task.unpaired, subtaskId)
    } else if (!context.isTaskPartial || isAnnounced) {
      const message = isAnnounced
        ? `Duplicate subtask-created for subtaskId ${id}.`
        : `Expected the subtask-created before the task it announces, got it after task ${id} was created.`
      context.report('subtask-parent', message, { path, actual: subtaskId })
    }
  },
}

/** Adds a subtask before its first own event. */
function announceSubtask(context: CheckContext, subtaskId: string): void {
  const { task } = context
  const subtask = newTask(task.contextId, subtaskId, false)
  subtask.status = 'announced'
  subtask.parent = task.key
  subtask.parentTaskId = task.taskId
  subtask.depth = task.depth + 1
  context.set('tasks', subtask.key, subtask)
  task.children = pushBounded(task.children, subtask.key)
  task.unpaired = pushBounded(task.unpaired, subtaskId)
  checkDepth(context, subtask.depth)
  noteWaitReason(context)
}

/** Removes a subtask from the unpaired ones: both events were seen, or the other one will not come. */
export function markPaired(context: CheckContext, parent: string, taskId: string): void {
  context.changeTask(parent, (task) => {
    task.unpaired = without(task.unpaired, taskId)
  })
}
