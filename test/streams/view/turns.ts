/** Turns of a conversation, as large as tests of limits need them. */
import type { ContextAnyEvent } from 'turnstream'
import { timestamp } from '../log/support.ts'

/** The fields that all events of a task have. */
export const envelope = (taskId: string): { contextId: string; taskId: string; timestamp: string } => ({
  contextId: 'ctx-1',
  taskId,
  timestamp,
})

/** A task that writes a text of 1000 characters and an artifact, perhaps with a subtask, and perhaps ends. */
export function turn(
  taskId: string,
  { ends = true, subtask = false }: { ends?: boolean; subtask?: boolean } = {},
): ContextAnyEvent[] {
  const events: object[] = [
    { kind: 'task-created', ...envelope(taskId), initiator: 'user' },
    { kind: 'content-complete', ...envelope(taskId), content: 'x'.repeat(1000), segment: 0 },
    {
      kind: 'file-write',
      ...envelope(taskId),
      artifactId: `file-${taskId}`,
      name: 'a',
      data: 'b',
      index: 0,
      complete: true,
    },
  ]
  if (subtask) {
    const child = { ...envelope(`${taskId}-child`), parentTaskId: taskId }
    events.push({ kind: 'subtask-created', ...envelope(taskId), subtaskId: child.taskId, prompt: 'Go' })
    events.push({ kind: 'task-created', ...child, initiator: 'agent' })
    events.push({ kind: 'task-status', ...child, status: 'completed' })
  }
  if (ends) events.push({ kind: 'task-status', ...envelope(taskId), status: 'completed' })
  return events as ContextAnyEvent[]
}
