/** Folding the life of tasks. */

import { listAt, listReplaced, listWith } from '../collections/list.ts'
import { tableGet, tableWith } from '../collections/table.ts'
import type { PartView } from './parts.ts'
import { isEnded, type TaskView } from './view.ts'
import { type Draft, type Folds, openKeys } from './view-builder.ts'

type TaskKind = 'task-created' | 'task-status' | 'task-complete' | 'task-error' | 'subtask-created'

export const taskFolds: Folds<TaskKind> = {
  'task-created'(draft, { initiator, metadata, timestamp }) {
    const { task } = draft
    if (task.origin.createdAt !== undefined) {
      draft.problem('repeated', 'A task that was there before.')
      return
    }
    const origin = { ...task.origin, createdAt: timestamp, initiator }
    draft.task = { ...task, origin: metadata === undefined ? origin : { ...origin, metadata } }
  },

  'task-status'(draft, { status, message, error, metadata }) {
    const { task } = draft
    if (isEnded(task.status) && task.status !== status) {
      draft.problem('after-end', 'The task is over.', { expected: task.status, actual: status })
      return
    }
    const { result } = task.report
    const report = {
      ...(message === undefined ? {} : { message }),
      ...(error === undefined ? {} : { error }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(result === undefined ? {} : { result }),
    }
    draft.task = { ...task, status, report }
    if (isEnded(status)) closeAll(draft)
  },

  'task-complete'(draft, { content, artifacts, metadata }) {
    const { status, report } = draft.task
    if ((isEnded(status) && status !== 'completed') || report.result !== undefined) {
      draft.problem('after-end', 'The task is over.', { expected: status })
      return
    }
    const result = {
      ...(content === undefined ? {} : { content }),
      ...(artifacts === undefined ? {} : { artifacts }),
      ...(metadata === undefined ? {} : { metadata }),
    }
    draft.task = { ...draft.task, status: 'completed', report: { ...report, result } }
    closeAll(draft)
  },

  'task-error'(draft, { error, timestamp: at }) {
    draft.addPart({ type: 'error', at, error })
  },

  'subtask-created'(draft, { subtaskId, agentId, prompt, timestamp: at }) {
    const known = agentId === undefined ? { prompt } : { prompt, agentId }
    if (draft.part('subtask', subtaskId) !== undefined) {
      draft.problem('repeated', 'A subtask that was there before.', { id: subtaskId })
      return
    }
    draft.setPart(subtaskId, { type: 'subtask', at, subtaskId, ...known })
    adopt(draft, draft.task.taskId, subtaskId)
    draft.changeTask(subtaskId, (child) =>
      child.origin.announced === undefined
        ? { ...child, origin: { ...child.origin, announced: known } }
        : child,
    )
  },
}

/** Puts a task under its parent. What was learnt first stands; a task is never its own parent. */
export function adopt(draft: Draft, parentTaskId: string, taskId: string): void {
  if (taskId === parentTaskId) return
  let isNew = false
  draft.changeTask(taskId, (child) => {
    isNew = child.parentTaskId === null
    return isNew ? { ...child, parentTaskId } : child
  })
  if (!isNew) return
  draft.changeTask(parentTaskId, (parent) => ({ ...parent, subtasks: listWith(parent.subtasks, taskId) }))
}

/** Ends everything that is under way in a task that is over. */
function closeAll(draft: Draft): void {
  const { open, contextId } = draft.task
  for (const artifactId of open.writes) {
    const key = draft.key(artifactId)
    const artifact = tableGet(draft.artifacts, key)
    if (artifact === undefined) continue
    const { writing: _, ...rest } = artifact
    draft.artifacts = tableWith(draft.artifacts, key, rest)
    draft.problem('abandoned-write', 'The task ended before the artifact was complete.', { id: artifactId })
  }
  let task: TaskView = { ...draft.task, contextId }
  if (open.text !== undefined) {
    const part = listAt(task.parts.rows, open.text)
    if (part !== undefined) {
      const rows = listReplaced(task.parts.rows, open.text, ended(part))
      task = { ...task, parts: { ...task.parts, rows } }
    }
  }
  let { parts } = task
  for (const key of openKeys(open)) {
    const part = tableGet(parts, key)
    if (part !== undefined) parts = tableWith(parts, key, ended(part))
  }
  const { nextThought } = open
  draft.task = {
    ...task,
    parts,
    open: { thoughts: [], tools: [], inputs: [], auths: [], writes: [], nextThought },
  }
}

/** A part that was under way when its task ended. */
function ended(part: PartView): PartView {
  switch (part.type) {
    case 'text':
    case 'thought':
    case 'tool':
    case 'auth':
      return { ...part, status: 'ended' }
    case 'input':
      return { ...part, status: 'canceled', reason: 'task-ended' }
    default:
      return part
  }
}
