/** Where tasks begin, and under which parent. */
import type { ContextAnyEvent } from '../../events/event.ts'
import { listed, unlisted } from '../collections/generational-map.ts'
import { isEnded } from '../view/view.ts'
import type { CheckContext } from './context.ts'
import type { EventRuleName } from './rules.ts'
import { newTask, type VerifiedTask } from './state.ts'

/** Tasks are nested this deep at most, the first one not counted. */
const DEEPEST = 16

/** Finds the task of an event, or begins it. */
export function arrive(scope: CheckContext, event: ContextAnyEvent, known: VerifiedTask | undefined): void {
  const { contextId, taskId, parentTaskId, kind } = event
  if (kind === 'task-created') {
    beginTask(scope, event, known)
    return
  }
  if (known === undefined) {
    if (!scope.isPartial) {
      const rule: EventRuleName = parentTaskId === undefined ? 'created-first' : 'subtask-first'
      scope.report(rule, `The task begins with ${kind}.`, {
        path: '/kind',
        expected: 'task-created',
        actual: kind,
      })
    }
    // Reported once: from here on it is taken for a task that was joined late.
    scope.task = newTask(contextId, taskId, true)
    if (parentTaskId !== undefined) learnParent(scope, parentTaskId)
    return
  }
  scope.task = known
  if (known.life.status === 'announced') {
    const more = { path: '/kind', expected: 'task-created', actual: kind }
    if (!scope.isPartial) scope.report('created-first', `The task begins with ${kind}.`, more)
    scope.changeTask('life', { status: 'created', isJoined: true })
    scope.task = { ...scope.task, nextThought: null }
    if (known.family.parent !== null) pair(scope, known.family.parent, taskId)
  }
  const { parentTaskId: parent } = known.family
  if (parentTaskId === undefined || parentTaskId === parent) return
  if (parent === null && known.life.isJoined) learnParent(scope, parentTaskId)
  else {
    const more = { path: '/parentTaskId', expected: parent, actual: parentTaskId }
    scope.report('known-parent', 'The task has another parent.', more)
  }
}

/** The parent of a task of which the beginning was not seen. */
function learnParent(scope: CheckContext, parentTaskId: string): void {
  const isSelf = parentTaskId === scope.task.taskId
  if (isSelf) {
    const more = { path: '/parentTaskId', actual: parentTaskId }
    scope.report('known-parent', 'A task is not its own parent.', more)
  }
  scope.changeTask('family', { parentTaskId, parent: isSelf ? null : scope.key(parentTaskId) })
}

/** Puts a task that begins where it belongs. `undefined`: it had begun before. */
function beginTask(scope: CheckContext, event: ContextAnyEvent, known: VerifiedTask | undefined): void {
  const { contextId, taskId, parentTaskId = null } = event
  if (known !== undefined) {
    scope.task = known
    const announcedBy = known.family.parentTaskId
    if (known.life.status === 'announced') {
      scope.changeTask('life', { status: 'created' })
      if (announcedBy !== parentTaskId) {
        const more = { path: '/parentTaskId', expected: announcedBy, actual: parentTaskId }
        scope.report('subtask-parent', 'Another task announced this one.', more)
      }
      if (known.family.parent !== null) pair(scope, known.family.parent, taskId)
    } else if (!known.life.isJoined) scope.report('created-once', 'The task was created before.')
    // Of a stream that is seen from its beginning, this was reported with the first event.
    else if (scope.isPartial) scope.report('created-first', 'Other events of the task came before.')
    return
  }
  scope.task = newTask(contextId, taskId, false)
  if (parentTaskId === null) return
  const parent = scope.key(parentTaskId)
  const above = scope.get('tasks', parent)
  const path = { path: '/parentTaskId', actual: parentTaskId }
  const depth = (above?.family.depth ?? 0) + 1
  scope.changeTask('family', { parent, parentTaskId, depth })
  if (parentTaskId === taskId) scope.report('known-parent', 'A task is not its own parent.', path)
  else if (above === undefined) {
    if (!scope.isPartial) scope.report('known-parent', 'There is no such task.', path)
  } else if (isEnded(above.life.status)) {
    scope.report('known-parent', 'The parent has ended.', path)
  } else if ([...lineOf(scope, parent)].includes(scope.key(taskId))) {
    scope.report('known-parent', 'A task is not its own ancestor.', path)
  } else {
    reportDepth(scope, depth)
    const key = scope.key(taskId)
    scope.changeOther(parent, (task) => ({
      ...task,
      life: { ...task.life, hasCause: task.life.hasCause || task.life.status === 'waiting-subtask' },
      family: {
        ...task.family,
        children: listed(task.family.children, key),
        // A parent that was joined late may have announced it before.
        unpaired: task.life.isJoined ? task.family.unpaired : listed(task.family.unpaired, taskId),
      },
    }))
  }
}

/** Both halves of a subtask's beginning were seen, or nobody will see the other. */
function pair(scope: CheckContext, parent: string, taskId: string): void {
  scope.changeOther(parent, (task) => ({
    ...task,
    family: { ...task.family, unpaired: unlisted(task.family.unpaired, taskId) },
  }))
}

export function reportDepth(scope: CheckContext, depth: number): void {
  if (depth <= DEEPEST) return
  scope.report('known-parent', 'The tasks are nested too deep.', { expected: DEEPEST, actual: depth })
}

/** The keys of a task and its ancestors, as far as they are known and 16 at most. */
export function* lineOf(scope: CheckContext, key: string): Generator<string> {
  let at: string | null = key
  for (let depth = 0; at !== null && depth <= DEEPEST; depth++) {
    yield at
    at = scope.get('tasks', at)?.family.parent ?? null
  }
}
