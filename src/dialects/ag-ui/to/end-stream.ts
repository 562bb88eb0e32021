/** The end of the stream, while a run may be active. */

import { itemsOf } from '../../engine/item.ts'
import type { AgUiWriter } from './ag-ui-writer.ts'
import { endRun, forgetRequests, startedTasks } from './runs.ts'
import type { TargetTask } from './state.ts'

/**
 * Ends the active run. It finishes if its task has completed or waits for the user, or if only calls without a result are
 * left, which are pending. Any other run was cut off.
 */
export function endStream(writer: AgUiWriter): void {
  endActiveRun(writer)
  // What clients were asked stays: a later run may continue from the state.
  forgetRequests(writer, ({ isAnnounced }) => !isAnnounced)
}

function endActiveRun(writer: AgUiWriter): void {
  const { run } = writer.state
  if (run === null || run.phase === 'ended') return
  if (run.phase === 'completed') {
    endRun(writer)
    return
  }
  const task = writer.task(run.taskId)
  const pendingToolCallIds = task === undefined ? [] : pendingCalls(writer, task)
  if (pendingToolCallIds.length > 0) {
    const message = 'The stream ended before the task did; the calls without a result are pending.'
    writer.inferred('RUN_FINISHED', message)
    endRun(writer, { type: 'RUN_FINISHED', outcome: { type: 'success', pendingToolCallIds } }, true)
    return
  }
  if (task !== undefined && isWaiting(writer, task)) {
    endRun(writer, undefined, true)
    return
  }
  const message = 'The stream ended before the task did.'
  writer.diagnostic('gap', message)
  endRun(writer, { type: 'RUN_ERROR', message })
}

/** Whether a task waits for the user, itself or through its subagents, though clients have no request. */
function isWaiting(writer: AgUiWriter, task: TargetTask): boolean {
  if (task.waitsFor !== 'subtask') return task.waitsFor !== null
  const subtasks = writer.subtasksOf(task).filter(({ phase }) => phase === 'open')
  return subtasks.length > 0 && subtasks.every((subtask) => isWaiting(writer, subtask))
}

/** The calls of a task that have no result; none if anything else is open. */
function pendingCalls(writer: AgUiWriter, task: TargetTask): string[] {
  const isAlone = startedTasks(writer, task).length === 1
  const isWaiting = writer.state.requests.some(({ taskId }) => taskId === task.taskId)
  if (!isAlone || isWaiting || itemsOf(writer, task.taskId, true).length > 0) return []
  return itemsOf(writer, task.taskId, false)
    .filter(({ phase }) => phase === 'running')
    .map(({ id }) => id)
}
