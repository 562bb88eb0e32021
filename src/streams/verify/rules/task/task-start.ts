/** Rules of how tasks begin. */

import { describeValue } from '../../../../core/require.ts'
import type { ContextAnyEvent } from '../../../../events/event.ts'
import { defineRule, ERROR, ERROR_LENIENT_OFF, ERROR_WARN_OFF, type Rules } from '../../../../rules/rule.ts'
import type { CheckContext } from '../../context.ts'
import type { TaskStartRuleName } from '../../rule-names.ts'
import { copyTask, newTask } from '../../state/task-state.ts'
import { checkParent, joinParent, setParentOfPartialTask } from './lineage.ts'
import { markPaired } from './subtask.ts'

export const taskStartRules: Rules<TaskStartRuleName> = {
  'created-first': defineRule(
    'K04',
    'stated',
    ERROR_LENIENT_OFF,
    'The first event of a task is its `task-created`.',
  ),
  'created-once': defineRule('K05', 'inferred', ERROR, 'Each task has exactly one `task-created`.'),
  'subtask-initiator': defineRule(
    'K07',
    'inferred',
    ERROR_WARN_OFF,
    'A task with a parent has the initiator `agent`.',
  ),
}

/** Sets the task of an event on the context; checks how it begins and which parent it has. */
export function startTask(context: CheckContext, event: ContextAnyEvent): void {
  const { contextId, taskId, parentTaskId } = event
  const isCreated = event.kind === 'task-created'
  const known = context.storedTask(event)
  if (known === undefined) {
    // Without its task-created, it is treated as joined late, so that nothing else is reported for the same reason.
    context.task = newTask(contextId, taskId, !isCreated)
    if (isCreated) {
      if (parentTaskId !== undefined) joinParent(context, parentTaskId)
      return
    }
    reportNotCreated(context, event, parentTaskId === undefined ? 'created-first' : 'subtask-first')
    if (parentTaskId !== undefined) setParentOfPartialTask(context, parentTaskId)
    return
  }
  context.task = copyTask(known)
  if (isCreated) createKnownTask(context, parentTaskId ?? null)
  else {
    if (known.status === 'announced') startWithoutCreated(context, event)
    checkParent(context, parentTaskId)
  }
}

/** Begins a task that was announced, but whose first event is no `task-created`. */
function startWithoutCreated(context: CheckContext, event: ContextAnyEvent): void {
  const { task } = context
  reportNotCreated(context, event, 'created-first')
  task.status = 'created'
  task.isPartial = true
  task.nextThought = null
  if (task.parent !== null) markPaired(context, task.parent, task.taskId)
}

function reportNotCreated(
  context: CheckContext,
  { kind, taskId }: ContextAnyEvent,
  rule: 'created-first' | 'subtask-first',
): void {
  if (context.isPartial) return
  const message = `Expected task-created as the first event of task ${describeValue(taskId)}, got ${kind}.`
  context.report(rule, message, { path: '/kind', expected: 'task-created', actual: kind })
}

/** Handles the `task-created` of a task that was announced or has other events. */
function createKnownTask(context: CheckContext, parentTaskId: string | null): void {
  const { task } = context
  const id = describeValue(task.taskId)
  if (task.status === 'announced') {
    task.status = 'created'
    const { parentTaskId: expected } = task
    if (expected !== parentTaskId) {
      const actual = describeValue(parentTaskId)
      const message = `Expected parentTaskId ${describeValue(expected)} as announced by subtask-created, got ${actual}.`
      context.report('subtask-parent', message, { path: '/parentTaskId', expected, actual: parentTaskId })
    }
    if (task.parent !== null) markPaired(context, task.parent, task.taskId)
  } else if (!task.isPartial) {
    context.report('created-once', `Duplicate task-created for taskId ${id}.`)
  } else if (context.isPartial) {
    // In a stream that is seen from its beginning, this was reported with the first event.
    context.report(
      'created-first',
      `Expected task-created before the other events of task ${id}, got it after them.`,
    )
  }
}
