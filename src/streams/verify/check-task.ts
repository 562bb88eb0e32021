/** Checking the life of tasks. */

import { listed, unlisted } from '../collections/generational-map.ts'
import { isEnded } from '../view/view.ts'
import { endTask, isWaitingFor, leaveWaiting } from './check-task-end.ts'
import { lineOf, reportDepth } from './check-task-start.ts'
import type { CheckContext, Checks } from './context.ts'
import { newTask } from './state.ts'
import { emptySum, isSameSum, summed } from './text-hash.ts'

type TaskKind = 'task-created' | 'task-status' | 'task-complete' | 'subtask-created'

export const taskChecks: Checks<TaskKind> = {
  'task-created'(scope, { initiator, parentTaskId }) {
    if (parentTaskId !== undefined && initiator !== 'agent') {
      scope.report('subtask-initiator', 'A user does not initiate subtasks.', {
        path: '/initiator',
        expected: 'agent',
        actual: initiator,
      })
    }
  },

  'task-status'(scope, { status, error }) {
    const { life, errors } = scope.task
    const path = { path: '/status', actual: status }
    if (error !== undefined && status !== 'failed') {
      scope.report('error-with-failure', `An error with the status ${status}.`, { path: '/error' })
    }
    if (status === 'submitted' && life.status !== 'created' && life.status !== 'submitted') {
      scope.report('status-order', `submitted after ${life.status}.`, path)
    }
    if (errors.isFatal && status !== 'failed' && status !== 'canceled') {
      scope.report('fatal-error-ends-task', 'An error of the task said it would fail.', path)
    }
    scope.changeTask('errors', { isFatal: false })
    if (status !== life.status) leaveWaiting(scope, isEnded(status))
    const hasCause = status === life.status ? life.hasCause : false
    scope.changeTask('life', { status, hasCause: hasCause || isWaitingFor(scope, status) })
    if (!isEnded(status)) return
    scope.changeTask('life', { isSaid: true })
    endTask(scope, status === 'completed')
  },

  'task-complete'(scope, { content, artifacts }) {
    const { life, errors } = scope.task
    if (!isEnded(life.status)) {
      if (errors.isFatal) {
        scope.report('fatal-error-ends-task', 'An error of the task said it would fail.', { path: '/kind' })
      }
      scope.changeTask('life', { status: 'completed' })
      endTask(scope, true)
    }
    scope.changeTask('life', { hasResult: true })
    const { last } = scope.task.text
    if (content !== undefined && last !== null && !isSameSum(last, summed(emptySum, content))) {
      scope.report('result-repeats-content', 'The content is not that of the last content-complete.', {
        path: '/content',
      })
    }
    for (const [i, id] of (artifacts ?? []).entries()) {
      if (isWriter(scope, id)) continue
      const more = { path: `/artifacts/${i}`, actual: id }
      scope.report('result-artifacts', 'The task has not completed such an artifact.', more)
    }
  },

  'subtask-created'(scope, { subtaskId }) {
    const key = scope.key(subtaskId)
    const parent = scope.key(scope.task.taskId)
    const child = scope.get('tasks', key)
    if (child === undefined) {
      if (subtaskId === scope.task.taskId) {
        scope.report('subtask-parent', 'A task is not its own subtask.', { path: '/subtaskId' })
        return
      }
      const fresh = newTask(scope.task.contextId, subtaskId, false)
      const depth = scope.task.family.depth + 1
      const family = { ...fresh.family, parent, parentTaskId: scope.task.taskId, depth }
      scope.set('tasks', key, { ...fresh, family, life: { ...fresh.life, status: 'announced' } })
      scope.changeTask('family', {
        children: listed(scope.task.family.children, key),
        unpaired: listed(scope.task.family.unpaired, subtaskId),
      })
      reportDepth(scope, depth)
      if (isWaitingFor(scope, scope.task.life.status)) scope.changeTask('life', { hasCause: true })
      return
    }
    const isHalf = scope.task.family.unpaired.includes(subtaskId)
    if (child.life.isJoined || (isHalf && child.life.status !== 'announced')) {
      scope.changeTask('family', { unpaired: unlisted(scope.task.family.unpaired, subtaskId) })
    } else if (!scope.mayKnowMore || child.life.status === 'announced') {
      scope.report('subtask-parent', 'There is such a task already.', {
        path: '/subtaskId',
        actual: subtaskId,
      })
    }
  },
}

/** Whether the task or one of its descendants completed an artifact, or may have. */
function isWriter(scope: CheckContext, artifactId: string): boolean {
  const artifact = scope.get('artifacts', scope.key(artifactId))
  if (artifact === undefined) return scope.isPartial
  if (artifact.writers === null) return true
  const self = scope.key(scope.task.taskId)
  return artifact.writers.some((writer) => {
    const line = [...lineOf(scope, writer)]
    const root = scope.get('tasks', line.at(-1) ?? writer)
    return line.includes(self) || (root === undefined ? scope.isPartial : root.life.isJoined)
  })
}
