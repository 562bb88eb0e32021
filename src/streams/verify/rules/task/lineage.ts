/** The parents of tasks. */

import { describeValue } from '../../../../core/require.ts'
import { pushBounded } from '../../../../rules/bounded-list.ts'
import { expectEqual } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules } from '../../../../rules/rule.ts'
import type { CheckContext } from '../../context.ts'
import type { LineageRuleName } from '../../rule-names.ts'
import { hasEnded } from '../../state/task-state.ts'

export const lineageRules: Rules<LineageRuleName> = {
  'known-parent': defineRule(
    'K06',
    'stated',
    ERROR_LENIENT_WARN,
    'All events of a task have the same `parentTaskId`, which names another, unfinished task of the context; tasks are nested at most 16 deep.',
  ),
}

/** The maximum nesting depth of tasks. Root tasks have depth 0. */
const MAX_DEPTH = 16

/** Adds a new task to its parent. */
export function joinParent(context: CheckContext, parentTaskId: string): void {
  const { task } = context
  const parent = context.contextKey(parentTaskId)
  const parentTask = context.taskOf(parent)
  task.parent = parent
  task.parentTaskId = parentTaskId
  task.depth = (parentTask?.depth ?? 0) + 1
  if (parent === task.key) {
    reportOwnParent(context)
    return
  }
  const id = describeValue(parentTaskId)
  const report = (message: string): void =>
    context.report('known-parent', message, { path: '/parentTaskId', actual: parentTaskId })
  if (parentTask === undefined) {
    if (!context.isPartial) report(`Unknown parentTaskId ${id}.`)
  } else if (hasEnded(parentTask)) report(`Parent task ${id} has already ended.`)
  else if ([...ancestorsOf(context, parent)].includes(task.key)) {
    report(`Parent task ${id} is a descendant of task ${describeValue(task.taskId)}.`)
  } else {
    checkDepth(context, task.depth)
    context.changeTask(parent, (draft) => {
      if (draft.status === 'waiting-subtask') draft.hadWaitReason = true
      draft.children = pushBounded(draft.children, task.key)
      // A parent that was joined late may have announced it before.
      if (!draft.isPartial) draft.unpaired = pushBounded(draft.unpaired, task.taskId)
    })
  }
}

/** Checks the parent that an event of a known task names. */
export function checkParent(context: CheckContext, parentTaskId: string | undefined): void {
  const { task } = context
  const { parentTaskId: expected } = task
  if (parentTaskId === undefined || parentTaskId === expected) return
  if (expected === null && task.isPartial) setParentOfPartialTask(context, parentTaskId)
  else expectEqual(context, 'known-parent', '/parentTaskId', expected, parentTaskId)
}

/** Sets the parent of a task whose beginning was not seen. */
export function setParentOfPartialTask(context: CheckContext, parentTaskId: string): void {
  const { task } = context
  const parent = context.contextKey(parentTaskId)
  task.parentTaskId = parentTaskId
  if (parent === task.key) reportOwnParent(context)
  else task.parent = parent
}

function reportOwnParent(context: CheckContext): void {
  const { taskId } = context.task
  const message = `Task ${describeValue(taskId)} is its own parentTaskId.`
  context.report('known-parent', message, { path: '/parentTaskId', actual: taskId })
}

export function checkDepth(context: CheckContext, depth: number): void {
  if (depth <= MAX_DEPTH) return
  const message = `Expected a nesting depth of at most ${MAX_DEPTH}, got ${depth}.`
  context.report('known-parent', message, { expected: MAX_DEPTH, actual: depth })
}

/** The keys of a task and of its known ancestors, at most 17. */
export function* ancestorsOf(context: CheckContext, key: string): Generator<string> {
  let at: string | null = key
  for (let depth = 0; at !== null && depth <= MAX_DEPTH; depth++) {
    yield at
    at = context.taskOf(at)?.parent ?? null
  }
}
