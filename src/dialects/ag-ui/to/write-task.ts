/** Writes tasks, as runs and subagents. */

import type { ContextEvent } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { SubtaskCreatedEvent } from '../../../events/subtask.ts'
import type { TaskCompleteEvent, TaskCreatedEvent, TaskStatusEvent } from '../../../events/task.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { dropRepeated } from '../../engine/drop.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { closeTask, stated } from './item-formats.ts'
import { addTask, endRun, endSubagent, openTask, setWait } from './runs.ts'
import type { TargetTask } from './state.ts'
import { interruptIfWaiting } from './write-request.ts'

export function writeTaskCreated(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<TaskCreatedEvent>,
): void {
  const { initiator, metadata, path } = event
  if (task.startedIn > 0) {
    dropRepeated(writer, event.kind, task.taskId)
    return
  }
  if (openTask(writer, task, event, metadata ?? {}) === undefined) return
  if (path !== undefined) writer.lossy('path', 'AG-UI has no path of agents.', path)
  const expected = task.parentTaskId === null ? 'user' : 'agent'
  if (initiator === expected) writer.kept.push('initiator')
}

export function writeSubtaskCreated(
  writer: AgUiWriter,
  task: TargetTask,
  event: ContextEvent<SubtaskCreatedEvent>,
): void {
  const { subtaskId, agentId, prompt } = event
  if (writer.task(subtaskId) !== undefined) {
    dropRepeated(writer, event.kind, subtaskId)
    return
  }
  addTask(writer, subtaskId, task.taskId, agentId, prompt)
}

export function writeTaskStatus(
  writer: AgUiWriter,
  found: TargetTask,
  event: ContextEvent<TaskStatusEvent>,
): void {
  const { status } = event
  if (isTerminalStatus(status)) {
    const task = openTask(writer, found, event)
    if (task === undefined) return
    if (status === 'completed') completeTarget(writer, task)
    else abort(writer, task, event)
    return
  }
  const waitsFor = status.startsWith('waiting-') ? (status.slice(8) as 'input' | 'auth' | 'subtask') : null
  const task = setWait(writer, found, waitsFor)
  if (waitsFor === 'subtask') writer.dropped(event.kind, 'no-equivalent', `AG-UI has no status ${status}.`)
  // A run that is submitted, or works, has begun.
  else if (waitsFor !== null) interruptIfWaiting(writer, task, event)
}

/** Stores that a task has completed: its end waits for its result. */
function completeTarget(writer: AgUiWriter, task: TargetTask): void {
  const { run } = writer.state
  closeTask(writer, task, 'success')
  writer.updateTask(setWait(writer, task, null), { phase: 'completed' })
  if (task.parentTaskId === null && run !== null) writer.state.run = { ...run, phase: 'completed' }
}

/** Ends a task that failed or was canceled. */
function abort(writer: AgUiWriter, task: TargetTask, event: ContextEvent<TaskStatusEvent>): void {
  const { status, message, error, metadata } = event
  const isFailed = status === 'failed'
  const text = error?.message ?? message ?? metadata?.reason ?? 'The task failed.'
  const more = metadata === undefined ? {} : { metadata }
  const code = error === undefined ? {} : { code: error.code }
  if (task.parentTaskId !== null) {
    const end = { type: 'SUBAGENT_ERROR', message: text, ...code, ...more } as const
    endSubagent(writer, task, isFailed ? end : { type: 'SUBAGENT_FINISHED', ...more })
    if (!isFailed) writer.lossy('status', 'A subagent ends as finished or failed.', status)
  } else if (isFailed) endRun(writer, { type: 'RUN_ERROR', message: text, ...code, ...more })
  else endRun(writer, { type: 'RUN_FINISHED', outcome: { type: 'cancelled' }, ...more })
  const { kept } = writer
  for (const key of Object.keys(metadata ?? {})) kept.push(`metadata.${key}`)
  if (isFailed && message === text) kept.push('message')
  if (isFailed && error !== undefined && isPlainError(error)) kept.push('error')
}

/** Whether an error is what readers infer from its message and code. */
function isPlainError(error: object): boolean {
  return Object.keys(error).length === 3 && (error as { retry: string }).retry === 'terminal'
}

export function writeTaskComplete(
  writer: AgUiWriter,
  task: TargetTask,
  { content, metadata }: ContextEvent<TaskCompleteEvent>,
): void {
  if (task.phase === 'open') closeTask(writer, task, 'success')
  const { usage, ...others } = metadata ?? {}
  const { result = content, ...rest } = others as Metadata
  const more = content !== undefined && others.result !== undefined ? others : rest
  const isRun = task.parentTaskId === null
  const all = isRun || usage === undefined ? more : { ...more, usage }
  const success = {
    ...(result !== undefined && { result: content ?? result }),
    outcome: { type: 'success' } as const,
    ...stated(all),
  }
  if (!isRun) endSubagent(writer, task, { type: 'SUBAGENT_FINISHED', ...success })
  else endRun(writer, { type: 'RUN_FINISHED', ...success, ...(usage !== undefined && { usage }) })
}
