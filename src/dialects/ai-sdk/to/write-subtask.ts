/** Maps the tasks of sub-agents to `data-subtask`: a message has one task. */

import { boundedGet } from '../../../core/bounded-map/bounded-map.ts'
import type { ContextAnyEvent, ContextEvent, EventKind } from '../../../events/event.ts'
import type { SubtaskCreatedEvent } from '../../../events/subtask.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { cleanJson } from '../../../json/sanitize.ts'
import { dropOfSubtask } from '../../engine/drop.ts'
import { reportLosses } from '../../shared/losses.ts'
import { stored } from '../../shared/stored.ts'
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
  state.subtasks = stored(writer, state.subtasks, data.taskId, { ...data }, 'subtasks')
}

function isWorking(status: UiSubtaskData['status']): boolean {
  return status === 'submitted' || status === 'working'
}

/** Emits a subtask again if an event changes what a message shows of it. Other events are dropped. */
export function writeSubtaskEvent(writer: ChunkWriter, event: ContextAnyEvent): void {
  const { kind, taskId, parentTaskId = writer.state.taskId ?? '' } = event
  const before = boundedGet(writer.state.subtasks, taskId)
  const known: UiSubtaskData = before ?? { taskId, parentTaskId, status: null }
  const changes = changesOf(event, known)
  if (changes === undefined) {
    dropOfSubtask(writer, event)
    return
  }
  if (kind !== 'task-created' || before === undefined) sendSubtask(writer, { ...known, ...changes })
  if (!writer.isCarried) reportLosses(writer, event, subtaskLosses)
}

/** What an event changes of what is shown of its task; `undefined` if nothing is. */
function changesOf(event: ContextAnyEvent, known: UiSubtaskData): Partial<UiSubtaskData> | undefined {
  if (event.kind === 'task-created') return {}
  if (event.kind === 'task-complete') {
    const { content = known.text } = event
    return { status: 'completed', ...(content !== undefined && { text: content }) }
  }
  if (isTerminalStatus(known.status)) return undefined
  if (event.kind === 'content-complete') return { text: event.content }
  if (event.kind !== 'task-status') return undefined
  const error = cleanJson(event.error) as UiSubtaskData['error']
  return { status: event.status, ...(error !== undefined && { error }) }
}

/** The fields of events that `data-subtask` does not have. */
const subtaskLosses: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  'task-created': ['metadata'],
  'task-status': ['message', 'metadata'],
  'task-complete': ['artifacts', 'metadata'],
  'content-complete': ['contentId', 'iteration', 'finishReason', 'metadata'],
}
