/** The tasks of a run and of its subagents: how they begin and continue. */

import { describeValue } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { uniqueId as newId } from '../../engine/draft.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import { emitWith } from './metadata.ts'
import type { OpenTask, RunWriter } from './state.ts'

/** The key of the task of the run. Subagents have their id with a prefix. */
export const ROOT = 'run'

/** The key of the task that an event belongs to. */
export function ownerOf({ subagentRunId }: { readonly subagentRunId?: string }): string {
  return subagentRunId === undefined ? ROOT : `sub:${subagentRunId}`
}

/** Adds a task and emits its beginning. */
export function beginTask(
  writer: RunWriter,
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
    taskId: uniqueId(writer, 'task', id),
    parentTaskId: parent?.taskId ?? null,
    phase: 'open',
    interruptIds: [],
    thoughts: 0,
    lastContent: null,
    texts: 0,
    iteration: null,
    earlier: { thoughts: 0, lastContent: null },
    step: null,
    span: null,
  }
  if (parent === undefined) writer.state.taskId = task.taskId
  else writer.emitDraft({ kind: 'subtask-created', subtaskId: task.taskId, ...announced }, parent)
  const more = Object.keys(metadata).length > 0 && { metadata }
  const initiator = parent === undefined ? 'user' : 'agent'
  emitWith(writer, { kind: 'task-created', initiator, ...more }, task, stated)
  writer.emitDraft({ kind: 'task-status', status: 'working' }, task)
  writer.setItem('tasks', key, task)
  return task
}

/** The task of an event. `undefined` if it has ended, which is reported. A subagent that is not known begins. */
export function taskOf(
  writer: RunWriter,
  event: AgUiEvent & { subagentRunId?: string },
): OpenTask | undefined {
  const { type, subagentRunId: id = '' } = event
  const key = ownerOf(event)
  const task = writer.item('tasks', key)
  if (task?.phase === 'open') return task
  if (task?.phase === 'suspended') return resumeTask(writer, task)
  if (task !== undefined) {
    writer.dropped(type, 'after-end', `Got ${type} after the end of subagent ${describeValue(id)}.`)
    return undefined
  }
  writer.inferred('task-created', `Expected SUBAGENT_STARTED of subagent ${describeValue(id)}, got ${type}.`)
  return beginTask(writer, key, id, writer.item('tasks', ROOT), {}, null)
}

/** Lets a subagent that was suspended go on. */
export function resumeTask(
  writer: RunWriter,
  task: OpenTask,
  metadata: Metadata = {},
  stated: Metadata | null = null,
): OpenTask {
  const next: OpenTask = { ...task, phase: 'open', interruptIds: [] }
  writer.setItem('tasks', task.key, next)
  const more = Object.keys(metadata).length > 0 && { metadata }
  emitWith(writer, { kind: 'task-status', status: 'working', ...more }, next, stated)
  return next
}

/** A task and those below it that have not ended, each before the ones below it. */
export function tasksFrom(writer: RunWriter, key: string): OpenTask[] {
  const root = writer.item('tasks', key)
  const found = new Map(root === undefined ? [] : [[key, root]])
  // The iteration includes what is added on the way.
  for (const task of found.values()) {
    for (const [, subtask] of writer.itemsOf('tasks', task.key)) found.set(subtask.key, subtask)
  }
  return [...found.values()]
}

/** Stores what a task has after an item of it; what is of no earlier response is there when that one begins again. */
export function countItem(
  writer: RunWriter,
  { owner, iteration }: { readonly owner: string; readonly iteration: number | null },
  changes: Partial<OpenTask['earlier']>,
): void {
  const task = writer.item('tasks', owner)
  if (task === undefined) return
  const isEarlier = iteration !== task.iteration
  const earlier = isEarlier ? { ...task.earlier, ...changes } : task.earlier
  writer.setItem('tasks', owner, { ...task, ...changes, earlier })
}

/** An id that is unique in the context. Reports one that was used before. */
export function uniqueId(
  writer: RunWriter,
  type: 'task' | 'call' | 'thought' | 'input' | 'auth',
  id: string,
): string {
  const wanted = id === '' ? type : id
  const unique = newId(writer, type, wanted)
  if (unique !== wanted) {
    const message = `${describeValue(wanted)} was used before, got it again.`
    writer.diagnostic(`lossy:${type}Id`, message, { detail: id })
  }
  return unique
}
