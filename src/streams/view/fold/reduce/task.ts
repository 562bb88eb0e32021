/** Folding the status, the result and the subtasks of tasks. */

import type { Mutable } from '../../../../core/mutable.ts'
import { describeValue } from '../../../../core/require.ts'
import { isTerminalStatus, type TaskStatus } from '../../../../events/task-status.ts'
import { labelOf } from '../../audience-label.ts'
import type { SubtaskPart } from '../../parts.ts'
import type { TaskResult } from '../../view.ts'
import type { TaskDraft } from '../task-draft.ts'
import type { Reducers, ViewBuilder } from '../view-builder.ts'
import { endOpenParts } from './task-end.ts'

type TaskKind = 'task-created' | 'task-status' | 'task-complete' | 'task-error' | 'subtask-created'

export const taskReducers: Reducers<TaskKind> = {
  'task-created'(builder, { initiator, metadata, timestamp, taskId }) {
    const { task, fields } = builder.task
    if (task.createdAt !== undefined) {
      builder.diagnostic('repeated', `Duplicate task-created for taskId ${describeValue(taskId)}.`)
      return
    }
    fields.createdAt = timestamp
    fields.initiator = initiator
    if (metadata === undefined) return
    const { input, ...rest } = metadata
    if (input !== undefined) fields.input = input
    if (input === undefined || Object.keys(rest).length > 0) fields.metadata = rest
  },

  'task-status'(builder, { status, message, error, metadata, timestamp }) {
    const { task } = builder
    const { status: before } = task.task
    if (isTerminalStatus(before) && before !== status) {
      const details = { expected: before, actual: status }
      builder.diagnostic(
        'after-end',
        `Status ${describeValue(status)} after status ${describeValue(before)}.`,
        details,
      )
      return
    }
    setStatus(builder, status, timestamp)
    const { fields } = task
    if (message !== undefined) fields.message = message
    if (error !== undefined) fields.error = error
    if (metadata !== undefined) fields.statusMetadata = metadata
  },

  'task-complete'(builder, { content, artifacts, metadata, timestamp }) {
    const { task } = builder
    const { status, result: known } = task.task
    if ((isTerminalStatus(status) && status !== 'completed') || known !== undefined) {
      const message =
        known === undefined
          ? `task-complete after status ${describeValue(status)}.`
          : `Duplicate task-complete; the task has status ${describeValue(status)}.`
      builder.diagnostic('after-end', message, { expected: status })
      return
    }
    if (status !== 'completed') setStatus(builder, 'completed', timestamp)
    const result: Mutable<TaskResult> = {}
    if (content !== undefined) result.content = content
    if (artifacts !== undefined) result.artifacts = artifacts
    const { fields } = task
    if (metadata !== undefined) {
      const { usage, ...rest } = metadata
      if (usage !== undefined) fields.usage = usage
      if (usage === undefined || Object.keys(rest).length > 0) result.metadata = rest
    }
    fields.result = result
  },

  'task-error'(builder, event) {
    const audience = labelOf(event)
    const { timestamp: at, error } = event
    builder.task.parts.push({
      type: 'error',
      at,
      status: 'complete',
      ...(audience === undefined ? {} : { audience }),
      error,
    })
  },

  'subtask-created'(builder, event) {
    const { subtaskId, agentId, prompt, timestamp: at } = event
    const { task } = builder
    if (task.part('subtask', subtaskId) !== undefined) {
      const message = `Duplicate subtask-created for subtaskId ${describeValue(subtaskId)}.`
      builder.diagnostic('repeated', message, { id: subtaskId })
      return
    }
    const child = builder.taskFor(subtaskId)
    const audience = labelOf(event)
    task.parts.push({
      type: 'subtask',
      at,
      status: child.task.status,
      ...(audience === undefined ? {} : { audience }),
      subtaskId,
      ...(agentId === undefined ? {} : { agentId }),
      prompt,
    })
    if (child.task.parentTaskId === null) attachToParent(child, task.task.taskId)
    if (child.task.prompt !== undefined) return
    child.fields.prompt = prompt
    if (agentId !== undefined) child.fields.agentId = agentId
  },
}

/** Sets the parent of a task. A task is never its own parent. */
export function attachToParent(child: TaskDraft, parentTaskId: string): void {
  if (child.task.taskId !== parentTaskId) child.fields.parentTaskId = parentTaskId
}

/** Gives the event's task a status without details, and what follows from it. */
function setStatus(builder: ViewBuilder, status: TaskStatus, at: string): void {
  const { fields } = builder.task
  const { status: before, taskId, parentTaskId } = fields
  fields.status = status
  fields.statusAt = at
  delete fields.message
  delete fields.error
  delete fields.statusMetadata
  if (status === before) return
  if (isTerminalStatus(status)) endOpenParts(builder)
  const parts = parentTaskId === null ? undefined : builder.knownTask(parentTaskId)?.parts
  const position = parts?.find('subtask', taskId) ?? -1
  const part = parts?.at('subtask', position)
  if (part !== undefined) parts?.set(position, withStatus(part, status))
}

function withStatus(part: SubtaskPart, status: TaskStatus): SubtaskPart {
  return { ...part, status }
}
