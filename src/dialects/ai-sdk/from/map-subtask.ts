/** Maps `data-subtask` to the events of a subtask. */

import type { ErrorInfo } from '../../../events/error.ts'
import { isTerminalStatus, type TaskStatus } from '../../../events/task-status.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { type DraftTask, emitValid } from '../../engine/draft.ts'
import { type MessageWriter, OPEN } from './state.ts'

const statuses: readonly unknown[] = [
  null,
  'submitted',
  'working',
  'waiting-input',
  'waiting-auth',
  'waiting-subtask',
  'completed',
  'failed',
  'canceled',
]

/** Emits what has changed of a subtask. Returns `false` for data of another form. */
export function mapSubtask(writer: MessageWriter, data: Fields): boolean {
  const { state } = writer
  const { taskId, parentTaskId, agentId, prompt, status, text, error } = data
  if (typeof taskId !== 'string' || taskId === '' || !statuses.includes(status)) return false
  if (taskId === state.taskId || typeof parentTaskId !== 'string') return false
  const known = writer.item('subtasks', taskId)
  // A parent that is not known, or has ended, cannot have it.
  const isParentKnown = writer.item('subtasks', parentTaskId) !== undefined
  const parent = known?.parentTaskId ?? (isParentKnown ? parentTaskId : state.taskId)
  const grandparent = writer.item('subtasks', parent)?.parentTaskId
  const task = { taskId, parentTaskId: parent }
  if (known === undefined) {
    emitValid(
      writer,
      {
        kind: 'subtask-created',
        subtaskId: taskId,
        ...(typeof agentId === 'string' && { agentId }),
        prompt: typeof prompt === 'string' ? prompt : '',
      },
      { taskId: parent, ...(grandparent !== undefined && { parentTaskId: grandparent }) },
    )
    emitValid(writer, { kind: 'task-created', initiator: 'agent', parentTaskId: parent }, task)
  }
  const before = known?.status ?? null
  if (isTerminalStatus(before)) return true
  if (typeof text === 'string' && text !== known?.text) {
    emitValid(writer, { kind: 'content-complete', content: text }, task)
  }
  if (status !== null && status !== before) {
    const info = isFields(error) ? { error: cleanObject(error) as unknown as ErrorInfo } : {}
    emitStatus(writer, { ...info, status: status as TaskStatus }, task)
  }
  writer.setItem('subtasks', taskId, {
    ...task,
    status: (status ?? before) as TaskStatus | null,
    ...(typeof text === 'string' && { text }),
  })
  return true
}

function emitStatus(
  writer: MessageWriter,
  { status, error }: { status: TaskStatus; error?: ErrorInfo },
  task: DraftTask,
): void {
  // What a subtask waits for is not in the stream.
  if (status.startsWith('waiting-')) return
  const isEmitted = error !== undefined && emitValid(writer, { kind: 'task-status', status, error }, task)
  if (!isEmitted) emitValid(writer, { kind: 'task-status', status }, task)
}

/** Ends the subtasks that have not ended, as their parent does: the latest first, so that none ends before those below it. */
export function endSubtasks(writer: MessageWriter): void {
  for (const [taskId, subtask] of writer.itemsOf('subtasks', OPEN).reverse()) {
    writer.inferred('task-status', `Expected the end of subtask ${taskId}, got none.`)
    emitValid(writer, { kind: 'task-status', status: 'canceled' }, subtask)
    writer.setItem('subtasks', taskId, { ...subtask, status: 'canceled' })
  }
}
