/** Maps `data-subtask` to the events of a subtask. */

import { boundedEntries, boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import { isTerminalStatus, type TaskStatus } from '../../../events/task-status.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import type { UiSubtaskData } from '../wire/data-parts.ts'
import type { EventWriter } from './event-writer.ts'

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
export function mapSubtask(writer: EventWriter, data: Fields): boolean {
  const { state } = writer
  const { taskId, parentTaskId, agentId, prompt, status, text, error } = data
  if (typeof taskId !== 'string' || taskId === '' || !statuses.includes(status)) return false
  if (taskId === state.taskId || typeof parentTaskId !== 'string') return false
  const known = boundedGet(state.subtasks, taskId)
  // A parent that is not known, or has ended, cannot have it.
  const isParentKnown = boundedGet(state.subtasks, parentTaskId) !== undefined
  const parent = known?.parentTaskId ?? (isParentKnown ? parentTaskId : state.taskId)
  const grandparent = boundedGet(state.subtasks, parent)?.parentTaskId
  if (known === undefined) {
    writer.emitDraft(
      {
        kind: 'subtask-created',
        subtaskId: taskId,
        ...(typeof agentId === 'string' && { agentId }),
        prompt: typeof prompt === 'string' ? prompt : '',
      },
      parent,
      grandparent,
    )
    writer.emitDraft({ kind: 'task-created', initiator: 'agent', parentTaskId: parent }, taskId, parent)
  }
  const before = known?.status ?? null
  if (isTerminalStatus(before)) return true
  if (typeof text === 'string' && text !== known?.text) {
    writer.emitDraft({ kind: 'content-complete', content: text }, taskId, parent)
  }
  if (status !== null && status !== before) {
    const info = isFields(error) ? { error: cleanObject(error) as unknown as ErrorInfo } : {}
    emitStatus(writer, { ...info, status: status as TaskStatus }, taskId, parent)
  }
  state.subtasks = writer.store(state.subtasks, taskId, {
    taskId,
    parentTaskId: parent,
    status: (status ?? before) as TaskStatus | null,
    ...(typeof text === 'string' && { text }),
  })
  return true
}

function emitStatus(
  writer: EventWriter,
  { status, error }: { status: TaskStatus; error?: ErrorInfo },
  taskId: string,
  parent: string,
): void {
  // What a subtask waits for is not in the stream.
  if (status.startsWith('waiting-')) return
  const isEmitted =
    error !== undefined && writer.emitDraft({ kind: 'task-status', status, error }, taskId, parent)
  if (!isEmitted) writer.emitDraft({ kind: 'task-status', status }, taskId, parent)
}

/** Ends the subtasks that have not ended, as their parent does: the latest first. */
export function endSubtasks(writer: EventWriter): void {
  const open = [...boundedEntries(writer.state.subtasks)].filter(
    ([, { status }]) => !isTerminalStatus(status),
  )
  for (const [taskId, subtask] of inReverse(open)) {
    writer.inferred('task-status', `Expected the end of subtask ${taskId}, got none.`)
    writer.emitDraft({ kind: 'task-status', status: 'canceled' }, taskId, subtask.parentTaskId)
    const ended: UiSubtaskData = { ...subtask, status: 'canceled' }
    writer.state.subtasks = writer.store(writer.state.subtasks, taskId, ended)
  }
}

/** Children before their parents. */
function inReverse(
  open: readonly (readonly [string, UiSubtaskData])[],
): (readonly [string, UiSubtaskData])[] {
  const byId = new Map(open)
  const depth = (id: string): number => {
    let levels = 0
    for (let task = byId.get(id); task !== undefined && levels < open.length; levels++) {
      task = byId.get(task.parentTaskId)
    }
    return levels
  }
  const depths = new Map(open.map(([id]) => [id, depth(id)]))
  return [...open].sort(([a], [b]) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0))
}
