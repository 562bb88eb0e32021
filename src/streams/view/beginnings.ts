/** What a view states about the beginning of its tasks. */

import { type Audience, audiences, labelIn } from '../access/audience.ts'
import { contextKey } from '../context-key.ts'
import { labelOf } from './audience-label.ts'
import type { TaskView } from './view.ts'

/** The beginning of a task: its `task-created` or, if there is none, the `subtask-created` of its parent. */
export interface Beginning {
  /** The timestamp of the event. Omitted if the view has neither. */
  readonly at: string | undefined
  /** The label of the event; without it, who sees something of the task. Omitted: everybody. */
  readonly audience: readonly Audience[] | undefined
  /** Whether there is a `subtask-created`. */
  readonly isAnnounced: boolean
}

/** The beginnings of all tasks of a view. */
export function beginningsOf(tasks: readonly TaskView[]): ReadonlyMap<TaskView, Beginning> {
  const announced = new Map<string, Omit<Beginning, 'isAnnounced'>>()
  for (const { contextId, parts } of tasks) {
    for (const part of parts) {
      if (part.type !== 'subtask') continue
      announced.set(contextKey(contextId, part.subtaskId), { at: part.at, audience: part.audience })
    }
  }
  const beginnings = new Map<TaskView, Beginning>()
  for (const task of tasks) {
    const { contextId, taskId, createdAt, metadata } = task
    const other = announced.get(contextKey(contextId, taskId))
    const audience = metadata === undefined ? undefined : labelOf({ kind: 'task-created', metadata })
    const own = { at: createdAt, audience }
    const begin = createdAt === undefined ? other : own
    beginnings.set(task, {
      at: begin?.at,
      audience: begin ? begin.audience : seenBy(task),
      isAnnounced: other !== undefined,
    })
  }
  return beginnings
}

/** Who sees something of a task whose beginning never came. */
function seenBy({ parts, status, statusMetadata }: TaskView): readonly Audience[] | undefined {
  const items = status === null ? parts : [...parts, { audience: labelIn(statusMetadata) }]
  if (items.some(({ audience }) => !audience)) return undefined
  return audiences.filter((one) => items.some(({ audience }) => audience?.includes(one)))
}
