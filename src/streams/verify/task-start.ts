/** Rules of how tasks begin and which parent they have. */

import { describeValue } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { pushBounded, without } from '../collections/generational-map.ts'
import type { CheckContext } from './context.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_OFF,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rules,
} from './rule.ts'
import type { EventRuleName, TaskStartRuleName } from './rule-names.ts'
import { hasEnded, initialTaskState, type TaskState } from './state.ts'

export const taskStartRules: Rules<TaskStartRuleName> = {
  'created-first': defineRule(
    'K04',
    'stated',
    ERROR_LENIENT_OFF,
    'The first event of a task is its `task-created`.',
  ),
  'created-once': defineRule('K05', 'inferred', ERROR, 'Each task has exactly one `task-created`.'),
  'known-parent': defineRule(
    'K06',
    'stated',
    ERROR_LENIENT_WARN,
    'All events of a task have the same `parentTaskId`, which names another, unfinished task of the context; tasks are nested at most 16 deep.',
  ),
  'subtask-initiator': defineRule(
    'K07',
    'inferred',
    ERROR_WARN_OFF,
    'A task with a parent has the initiator `agent`.',
  ),
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

/** The maximum nesting depth of tasks. Root tasks have depth 0. */
const MAX_DEPTH = 16

/** Sets the task of an event on the context; checks how it begins and which parent it has. */
export function resolveTask(
  context: CheckContext,
  event: ContextAnyEvent,
  known: TaskState | undefined,
): void {
  const { contextId, taskId, parentTaskId, kind } = event
  if (kind === 'task-created') {
    if (known === undefined) createTask(context, event)
    else createKnownTask(context, event, known)
    return
  }
  if (known === undefined) {
    reportNotCreated(context, event, parentTaskId === undefined ? 'created-first' : 'subtask-first')
    // From here on it is treated as joined late, so that nothing else is reported for the same reason.
    context.task = initialTaskState(contextId, taskId, true)
    if (parentTaskId !== undefined) setParentOfPartialTask(context, parentTaskId)
    return
  }
  context.task = known
  if (known.lifecycle.status === 'announced') {
    reportNotCreated(context, event, 'created-first')
    context.changeTask('lifecycle', { status: 'created', isPartial: true })
    context.task = { ...context.task, nextThought: null }
    if (known.lineage.parent !== null) markPaired(context, known.lineage.parent, taskId)
  }
  const { parentTaskId: expected } = known.lineage
  if (parentTaskId === undefined || parentTaskId === expected) return
  if (expected === null && known.lifecycle.isPartial) setParentOfPartialTask(context, parentTaskId)
  else {
    const message = `Expected parentTaskId ${describeValue(expected)}, got ${describeValue(parentTaskId)}.`
    context.report('known-parent', message, { path: '/parentTaskId', expected, actual: parentTaskId })
  }
}

function reportNotCreated(
  context: CheckContext,
  { kind, taskId }: ContextAnyEvent,
  rule: EventRuleName,
): void {
  if (context.isPartial) return
  const message = `Expected task-created as the first event of task ${describeValue(taskId)}, got ${kind}.`
  context.report(rule, message, { path: '/kind', expected: 'task-created', actual: kind })
}

/** Sets the parent of a task whose beginning was not seen. */
function setParentOfPartialTask(context: CheckContext, parentTaskId: string): void {
  const isSelf = parentTaskId === context.task.taskId
  if (isSelf) reportOwnParent(context, parentTaskId)
  const parent = isSelf ? null : context.contextKey(parentTaskId)
  context.changeTask('lineage', { parentTaskId, parent })
}

function reportOwnParent(context: CheckContext, taskId: string): void {
  const message = `Task ${describeValue(taskId)} is its own parentTaskId.`
  context.report('known-parent', message, { path: '/parentTaskId', actual: taskId })
}

/** Handles the `task-created` of a task that was announced or has other events. */
function createKnownTask(context: CheckContext, event: ContextAnyEvent, known: TaskState): void {
  const { taskId, parentTaskId = null } = event
  const { lifecycle, lineage } = known
  context.task = known
  if (lifecycle.status === 'announced') {
    context.changeTask('lifecycle', { status: 'created' })
    const { parentTaskId: expected } = lineage
    if (expected !== parentTaskId) {
      const actual = describeValue(parentTaskId)
      const message = `Expected parentTaskId ${describeValue(expected)} as announced by subtask-created, got ${actual}.`
      context.report('subtask-parent', message, { path: '/parentTaskId', expected, actual: parentTaskId })
    }
    if (lineage.parent !== null) markPaired(context, lineage.parent, taskId)
  } else if (!lifecycle.isPartial) {
    context.report('created-once', `Duplicate task-created for taskId ${describeValue(taskId)}.`)
  } else if (context.isPartial) {
    // In a stream that is seen from its beginning, this was reported with the first event.
    context.report('created-first', `task-created after other events of task ${describeValue(taskId)}.`)
  }
}

/** Creates a task under its parent. */
function createTask(context: CheckContext, event: ContextAnyEvent): void {
  const { contextId, taskId, parentTaskId = null } = event
  context.task = initialTaskState(contextId, taskId, false)
  if (parentTaskId === null) return
  const key = context.contextKey(taskId)
  const parent = context.contextKey(parentTaskId)
  const parentTask = context.get('tasks', parent)
  const depth = (parentTask?.lineage.depth ?? 0) + 1
  context.changeTask('lineage', { parent, parentTaskId, depth })
  const details = { path: '/parentTaskId', actual: parentTaskId }
  const id = describeValue(parentTaskId)
  if (parentTaskId === taskId) reportOwnParent(context, taskId)
  else if (parentTask === undefined) {
    if (!context.isPartial) context.report('known-parent', `Unknown parentTaskId ${id}.`, details)
  } else if (hasEnded(parentTask)) {
    context.report('known-parent', `Parent task ${id} has already ended.`, details)
  } else if ([...ancestorsOf(context, parent)].includes(key)) {
    const message = `Parent task ${id} is a descendant of task ${describeValue(taskId)}.`
    context.report('known-parent', message, details)
  } else {
    checkDepth(context, depth)
    context.changeTaskByKey(parent, (task) => withChild(task, key, taskId))
  }
}

/** A parent task with one more subtask that has begun. */
function withChild(task: TaskState, key: string, taskId: string): TaskState {
  const { lifecycle, lineage } = task
  const hadWaitReason = lifecycle.hadWaitReason || lifecycle.status === 'waiting-subtask'
  // A parent that was joined late may have announced it before.
  const unpaired = lifecycle.isPartial ? lineage.unpaired : pushBounded(lineage.unpaired, taskId)
  return {
    ...task,
    lifecycle: { ...lifecycle, hadWaitReason },
    lineage: { ...lineage, children: pushBounded(lineage.children, key), unpaired },
  }
}

/** Removes a subtask from the unpaired ones: both events were seen, or the other one will not come. */
function markPaired(context: CheckContext, parent: string, taskId: string): void {
  context.changeTaskByKey(parent, (task) => ({
    ...task,
    lineage: { ...task.lineage, unpaired: without(task.lineage.unpaired, taskId) },
  }))
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
    at = context.get('tasks', at)?.lineage.parent ?? null
  }
}
