/** Maps the tasks of sub-agents to `data-subtask`: a message has one task. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent, ContextEvent } from '../../../events/event.ts'
import { contextShape } from '../../../events/shapes.generated.ts'
import type { SubtaskCreatedEvent } from '../../../events/subtask.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { cleanJson } from '../../../json/sanitize.ts'
import type { UiSubtaskData } from '../wire/data-parts.ts'
import type { ChunkWriter } from './chunk-writer.ts'
import { isAsking } from './state.ts'

/** Emits the subtask before its first event. */
export function writeSubtaskCreated(writer: ChunkWriter, event: ContextEvent<SubtaskCreatedEvent>): void {
  const { subtaskId, agentId, prompt, taskId } = event
  const known = boundedGet(writer.state.subtasks, subtaskId)
  sendSubtask(writer, {
    ...(known ?? { taskId: subtaskId, parentTaskId: taskId, status: null }),
    ...(agentId !== undefined && { agentId }),
    prompt,
  })
}

function sendSubtask(writer: ChunkWriter, data: UiSubtaskData): void {
  const { state } = writer
  writer.send({ type: 'data-subtask', id: data.taskId, data })
  const before = boundedGet(state.subtasks, data.taskId)?.status ?? null
  state.working += Number(isWorking(data.status)) - Number(isWorking(before))
  state.asking += Number(isAsking(data.status)) - Number(isAsking(before))
  state.subtasks = writer.store(state.subtasks, data.taskId, { ...data })
}

function isWorking(status: UiSubtaskData['status']): boolean {
  return status === 'submitted' || status === 'working'
}

/** Emits a subtask again if an event changes what a message shows of it. Other events are dropped. */
export function writeSubtaskEvent(writer: ChunkWriter, event: ContextAnyEvent): void {
  const { kind, taskId, parentTaskId } = event
  const known = boundedGet(writer.state.subtasks, taskId) ?? {
    taskId,
    parentTaskId: parentTaskId ?? writer.state.taskId ?? '',
    status: null,
  }
  const isOver = isTerminalStatus(known.status)
  switch (kind) {
    case 'task-created':
      if (boundedGet(writer.state.subtasks, taskId) === undefined) sendSubtask(writer, known)
      reportOthers(writer, event, 'initiator')
      return
    case 'task-status': {
      if (isOver) break
      const error = cleanJson(event.error) as UiSubtaskData['error']
      sendSubtask(writer, { ...known, status: event.status, ...(error !== undefined && { error }) })
      reportOthers(writer, event, 'status', 'error')
      return
    }
    case 'content-complete':
      if (isOver) break
      sendSubtask(writer, { ...known, text: event.content })
      reportOthers(writer, event, 'content')
      return
    case 'task-complete': {
      const { content = known.text } = event
      sendSubtask(writer, { ...known, status: 'completed', ...(content !== undefined && { text: content }) })
      reportOthers(writer, event, 'content')
      return
    }
    default:
  }
  writer.dropped(kind, 'other-task', `Expected the status or text of a subtask, got ${kind}.`)
}

/** Reports the fields of an event that `data-subtask` does not have. */
function reportOthers(writer: ChunkWriter, event: ContextAnyEvent, ...kept: string[]): void {
  for (const field of Object.keys(event)) {
    if (Object.hasOwn(contextShape, field) || [...kept, 'kind', 'timestamp'].includes(field)) continue
    if (writer.diagnostics.length >= MAX_DIAGNOSTICS) return
    writer.lossy(field, `A subtask is shown without the ${field} of ${event.kind}.`)
  }
}

/** A hostile event may have millions of fields. */
const MAX_DIAGNOSTICS = 32
