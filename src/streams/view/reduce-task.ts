/** Folding the status, the result and the subtasks of tasks. */

import { describeValue } from '../../core/require.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { keyedGet, keyedSet } from '../collections/keyed-list.ts'
import { vectorGet, vectorPush, vectorSet } from '../collections/vector.ts'
import type { PartView } from './parts.ts'
import { hasEnded } from './view.ts'
import { openKeys, type Reducers, type ViewBuilder } from './view-builder.ts'

type TaskKind = 'task-created' | 'task-status' | 'task-complete' | 'task-error' | 'subtask-created'

export const taskReducers: Reducers<TaskKind> = {
  'task-created'(builder, { initiator, metadata, timestamp, taskId }) {
    const { task } = builder
    if (task.creation.createdAt !== undefined) {
      builder.diagnostic('repeated', `Duplicate task-created for taskId ${describeValue(taskId)}.`)
      return
    }
    const { input } = metadata ?? {}
    const creation = {
      ...task.creation,
      createdAt: timestamp,
      initiator,
      ...(input === undefined ? {} : { input }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    builder.task = { ...task, creation }
  },

  'task-status'(builder, { status, message, error, metadata }) {
    const { task } = builder
    if (hasEnded(task) && task.status !== status) {
      const details = { expected: task.status, actual: status }
      builder.diagnostic(
        'after-end',
        `Status ${describeValue(status)} after status ${describeValue(task.status)}.`,
        details,
      )
      return
    }
    const { result } = task.outcome
    const outcome = {
      ...(message === undefined ? {} : { message }),
      ...(error === undefined ? {} : { error }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(result === undefined ? {} : { result }),
    }
    builder.task = { ...task, status, outcome }
    if (isTerminalStatus(status)) closeOpenItems(builder)
  },

  'task-complete'(builder, { content, artifacts, metadata }) {
    const { task } = builder
    const { status, outcome } = task
    if ((hasEnded(task) && status !== 'completed') || outcome.result !== undefined) {
      const message =
        outcome.result === undefined
          ? `task-complete after status ${describeValue(status)}.`
          : `Duplicate task-complete; the task has status ${describeValue(status)}.`
      builder.diagnostic('after-end', message, { expected: status })
      return
    }
    const result = {
      ...(content === undefined ? {} : { content }),
      ...(artifacts === undefined ? {} : { artifacts }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    builder.task = { ...task, status: 'completed', outcome: { ...outcome, result } }
    closeOpenItems(builder)
  },

  'task-error'(builder, { error, timestamp: at }) {
    builder.addPart({ type: 'error', at, error })
  },

  'subtask-created'(builder, { subtaskId, agentId, prompt, timestamp: at }) {
    const announced = agentId === undefined ? { prompt } : { prompt, agentId }
    if (builder.part('subtask', subtaskId) !== undefined) {
      const message = `Duplicate subtask-created for subtaskId ${describeValue(subtaskId)}.`
      builder.diagnostic('repeated', message, { id: subtaskId })
      return
    }
    builder.setPart(subtaskId, { type: 'subtask', at, subtaskId, ...announced })
    attachToParent(builder, builder.task.taskId, subtaskId)
    builder.changeTask(subtaskId, (child) =>
      child.creation.announced === undefined
        ? { ...child, creation: { ...child.creation, announced } }
        : child,
    )
  },
}

/** Sets the parent of a task that has none yet. A task is never its own parent. */
export function attachToParent(builder: ViewBuilder, parentTaskId: string, taskId: string): void {
  if (taskId === parentTaskId) return
  let isAttached = false
  builder.changeTask(taskId, (child) => {
    isAttached = child.parentTaskId === null
    return isAttached ? { ...child, parentTaskId } : child
  })
  if (!isAttached) return
  builder.changeTask(parentTaskId, (parent) => ({
    ...parent,
    subtasks: vectorPush(parent.subtasks, taskId),
  }))
}

/** Ends all open parts of a task that has ended, and abandons its writes. */
function closeOpenItems(builder: ViewBuilder): void {
  const { task } = builder
  const { open } = task
  for (const id of open.writes) {
    const key = builder.key(id)
    const artifact = keyedGet(builder.artifacts, key)
    if (artifact === undefined) continue
    const { pending: _, ...rest } = artifact
    builder.artifacts = keyedSet(builder.artifacts, key, rest)
    const message = `The task ended before artifact ${describeValue(id)} was complete.`
    builder.diagnostic('abandoned-write', message, { id })
  }
  let { parts } = task
  for (const { position } of open.texts) {
    const text = vectorGet(parts.items, position)
    if (text !== undefined) parts = { ...parts, items: vectorSet(parts.items, position, endedPart(text)) }
  }
  for (const key of openKeys(open)) {
    const part = keyedGet(parts, key)
    if (part !== undefined) parts = keyedSet(parts, key, endedPart(part))
  }
  const { nextThought } = open
  const none = { texts: [], thoughts: [], tools: [], inputs: [], auths: [], writes: [], nextThought }
  builder.task = { ...task, parts, open: none }
}

/** An open part after its task has ended. */
function endedPart(part: PartView): PartView {
  switch (part.type) {
    case 'text':
    case 'thought':
    case 'tool':
    case 'auth':
      return { ...part, status: 'ended' }
    case 'input':
      return { ...part, status: 'canceled', reason: 'task-ended' }
    default:
      return part
  }
}
