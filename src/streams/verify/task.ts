/** Rules of the status and the result of tasks, and of what may follow their end. */

import { describeValue } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { pushBounded, without } from '../collections/generational-map.ts'
import type { CheckContext, Checks } from './context.ts'
import { answersEndedRequest } from './request.ts'
import { defineRule, ERROR, ERROR_LENIENT_WARN, ERROR_WARN_OFF, type Rules } from './rule.ts'
import type { TaskRuleName } from './rule-names.ts'
import { isJoinOf } from './segments.ts'
import { hasEnded, initialTaskState, type TaskState } from './state.ts'
import { checkWaitReason, endTask, hasWaitReason } from './task-end.ts'
import { checkResultAfterError, checkStatusAfterError, checkStatusError } from './task-error.ts'
import { ancestorsOf, checkDepth } from './task-start.ts'
import { emptyHash, hashAppend, hashEquals } from './text-hash.ts'

export const taskRules: Rules<TaskRuleName> = {
  'status-order': defineRule(
    'K10',
    'stated',
    ERROR_LENIENT_WARN,
    'A task is `submitted` only before it works or waits; repeating a status is legal.',
  ),
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

type TaskKind = 'task-created' | 'task-status' | 'task-complete' | 'subtask-created'

export const taskChecks: Checks<TaskKind> = {
  'task-created'(context, { initiator, parentTaskId }) {
    if (parentTaskId === undefined || initiator === 'agent') return
    const details = { path: '/initiator', expected: 'agent', actual: initiator }
    context.report('subtask-initiator', `Expected initiator agent for a subtask, got ${initiator}.`, details)
  },

  'task-status'(context, { status, error }) {
    const { lifecycle } = context.task
    const isTerminal = isTerminalStatus(status)
    checkStatusError(context, status, error)
    if (status === 'submitted' && lifecycle.status !== 'created' && lifecycle.status !== 'submitted') {
      const details = { path: '/status', actual: status }
      context.report(
        'status-order',
        `Expected a status that may follow ${lifecycle.status}, got submitted.`,
        details,
      )
    }
    checkStatusAfterError(context, status)
    if (status !== lifecycle.status) checkWaitReason(context, isTerminal)
    const hadWaitReason = status === lifecycle.status && lifecycle.hadWaitReason
    context.changeTask('lifecycle', {
      status,
      hadWaitReason: hadWaitReason || hasWaitReason(context, status),
    })
    if (!isTerminal) return
    context.changeTask('lifecycle', { hasTerminalStatus: true })
    endTask(context, status === 'completed')
  },

  'task-complete'(context, { content, artifacts }) {
    if (!hasEnded(context.task)) {
      checkResultAfterError(context)
      context.changeTask('lifecycle', { status: 'completed' })
      endTask(context, true, content)
    }
    context.changeTask('lifecycle', { hasResult: true })
    if (content !== undefined && !isResult(context, content)) {
      const message = 'The content of task-complete differs from that of the last content-complete.'
      context.report('result-repeats-content', message, { path: '/content' })
    }
    for (const [i, id] of (artifacts ?? []).entries()) {
      if (isWriter(context, id)) continue
      const message = `Artifact ${describeValue(id)} was not completed by the task or its descendants.`
      context.report('result-artifacts', message, { path: `/artifacts/${i}`, actual: id })
    }
  },

  'subtask-created'(context, { subtaskId }) {
    const { taskId, lineage } = context.task
    const child = context.get('tasks', context.contextKey(subtaskId))
    if (child === undefined) {
      if (subtaskId !== taskId) announceSubtask(context, subtaskId)
      else {
        const message = `Expected a subtaskId other than that of the announcing task, got ${describeValue(taskId)}.`
        context.report('subtask-parent', message, { path: '/subtaskId' })
      }
      return
    }
    const isUnpaired = lineage.unpaired.includes(subtaskId)
    const isAnnounced = child.lifecycle.status === 'announced'
    if (child.lifecycle.isPartial || (isUnpaired && !isAnnounced)) {
      context.changeTask('lineage', { unpaired: without(lineage.unpaired, subtaskId) })
    } else if (!context.isTaskPartial || isAnnounced) {
      const id = describeValue(subtaskId)
      const message = isAnnounced
        ? `Duplicate subtask-created for subtaskId ${id}.`
        : `Expected the subtask-created before the task it announces, got it after task ${id} was created.`
      context.report('subtask-parent', message, { path: '/subtaskId', actual: subtaskId })
    }
  },
}

/** Whether a text is the last content of the task, or joins it with the texts that were open together with it. */
function isResult({ task, isTaskPartial }: CheckContext, content: string): boolean {
  const { lastContent, segments, hasEvicted } = task.text
  if (lastContent === null || hashEquals(lastContent, hashAppend(emptyHash, content))) return true
  // Some of the texts may be unknown.
  return hasEvicted || isTaskPartial || isJoinOf(segments, content)
}

/** Adds a subtask before its first own event. */
function announceSubtask(context: CheckContext, subtaskId: string): void {
  const { contextId, taskId, lineage } = context.task
  const key = context.contextKey(subtaskId)
  const initial = initialTaskState(contextId, subtaskId, false)
  const depth = lineage.depth + 1
  const child: TaskState = {
    ...initial,
    lifecycle: { ...initial.lifecycle, status: 'announced' },
    lineage: { ...initial.lineage, parent: context.contextKey(taskId), parentTaskId: taskId, depth },
  }
  context.set('tasks', key, child)
  context.changeTask('lineage', {
    children: pushBounded(lineage.children, key),
    unpaired: pushBounded(lineage.unpaired, subtaskId),
  })
  checkDepth(context, depth)
  if (hasWaitReason(context, context.task.lifecycle.status)) {
    context.changeTask('lifecycle', { hadWaitReason: true })
  }
}

/** Whether the task or a descendant completed an artifact, or may have. */
function isWriter(context: CheckContext, artifactId: string): boolean {
  const artifact = context.get('artifacts', context.contextKey(artifactId))
  if (artifact === undefined) return context.isPartial
  if (artifact.writers === null) return true
  const self = context.contextKey(context.task.taskId)
  return artifact.writers.some((writer) => {
    const ancestors = [...ancestorsOf(context, writer)]
    const root = context.get('tasks', ancestors.at(-1) ?? writer)
    return ancestors.includes(self) || (root === undefined ? context.isPartial : root.lifecycle.isPartial)
  })
}

/** Whether an event is legal although its task may have ended; reports it if not. */
export function checkAfterEnd(context: CheckContext, event: ContextAnyEvent): boolean {
  if (!hasEnded(context.task)) return true
  const { kind, taskId } = event
  const { status, hasResult, hasTerminalStatus } = context.task.lifecycle
  // Reported as a duplicate when the task was resolved.
  if (kind === 'task-created') return false
  if (kind === 'task-complete') {
    if (status !== 'completed') {
      context.report(
        'no-result-after-failure',
        `Expected nothing after status ${status}, got task-complete.`,
        { path: '/kind' },
      )
    } else if (hasResult) {
      context.report('single-result', `Duplicate task-complete for taskId ${describeValue(taskId)}.`)
    } else return true
    return false
  }
  if (kind === 'task-status' && event.status === 'completed' && hasResult && !hasTerminalStatus) {
    context.changeTask('lifecycle', { hasTerminalStatus: true })
    return false
  }
  const details = { path: '/kind', actual: kind }
  if (answersEndedRequest(context, event)) {
    const message = `Expected no answer after status ${status} closed the request, got ${kind}.`
    context.report('answer-after-end', message, details)
  } else context.report('nothing-after-end', `Expected nothing after status ${status}, got ${kind}.`, details)
  return false
}
