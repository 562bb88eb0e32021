/** The tasks of a run and of its subagents: how they begin and continue. */

import { describeValue } from '../../../core/require.ts'
import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import { type EventWriter, ownerOf, ROOT } from './event-writer.ts'
import type { OpenTask } from './state.ts'

/** Adds a task and emits its beginning. */
export function beginTask(
  writer: EventWriter,
  key: string,
  id: string,
  parent: OpenTask | undefined,
  metadata: Metadata,
  stated: Metadata | null,
  announced: { readonly prompt: string; readonly agentId?: string } = { prompt: '' },
): OpenTask {
  const task: OpenTask = {
    key,
    parent: parent?.key ?? null,
    taskId: writer.uniqueId('task', id),
    parentTaskId: parent?.taskId ?? null,
    phase: 'open',
    interruptIds: [],
    thoughts: 0,
    lastContent: null,
    iteration: null,
    earlier: { thoughts: 0, lastContent: null },
    step: null,
    span: null,
  }
  if (parent !== undefined) {
    writer.emitEvent(parent, { kind: 'subtask-created', subtaskId: task.taskId, ...announced })
  }
  writer.emitEvent(
    task,
    {
      kind: 'task-created',
      initiator: parent === undefined ? 'user' : 'agent',
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
    stated,
  )
  writer.emitEvent(task, { kind: 'task-status', status: 'working' })
  writer.setItem('tasks', key, task)
  return task
}

/** The task of an event. `undefined` if it has ended, which is reported. A subagent that is not known begins. */
export function taskOf(
  writer: EventWriter,
  event: AgUiEvent & { subagentRunId?: string },
): OpenTask | undefined {
  const key = ownerOf(event)
  const task = writer.item('tasks', key)
  if (task?.phase === 'open') return task
  const { subagentRunId: id = '' } = event
  if (task?.phase === 'suspended') return resumeTask(writer, task)
  if (task !== undefined) {
    writer.droppedEvent(
      event,
      'after-end',
      `Got ${event.type} after the end of subagent ${describeValue(id)}.`,
    )
    return undefined
  }
  writer.inferred(
    'task-created',
    `Expected SUBAGENT_STARTED of subagent ${describeValue(id)}, got ${event.type}.`,
  )
  return beginTask(writer, key, id, writer.item('tasks', ROOT), {}, null)
}

/** Lets a subagent that was suspended go on. */
export function resumeTask(
  writer: EventWriter,
  task: OpenTask,
  metadata: Metadata = {},
  stated: Metadata | null = null,
): OpenTask {
  const next: OpenTask = { ...task, phase: 'open', interruptIds: [] }
  writer.setItem('tasks', task.key, next)
  const more = Object.keys(metadata).length > 0 && { metadata }
  writer.emitEvent(next, { kind: 'task-status', status: 'working', ...more }, stated)
  return next
}

/** The iteration of an item, as its events state it. */
export function iterationOf({ iteration }: { readonly iteration: number | null }): { iteration?: number } {
  return iteration === null ? {} : { iteration }
}

export function hashOf(text: string): number {
  return fnv1a(FNV_OFFSET_BASIS, text)
}
