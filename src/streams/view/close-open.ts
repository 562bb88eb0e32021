/** Ending what was cut off. */

import type { ContextAnyEvent, EventContext } from '../../events/event.ts'
import { isTimestamp } from '../../validation/predicates.ts'
import { listAt, listItems } from '../collections/list.ts'
import { tableGet } from '../collections/table.ts'
import type { PartView } from './parts.ts'
import { isEnded, type TaskView, taskOf, tasksOf, type View } from './view.ts'
import { openKeys } from './view-builder.ts'

/** What {@link closeDangling} is told. */
export interface CloseOptions {
  /** Why the stream ends here, for people: it becomes the reason of every task that is ended. */
  readonly reason: string
  /**
   * When, as RFC 3339 with zone. A task whose last event is later keeps that time, so that time never
   * runs backwards.
   */
  readonly at: string
  /**
   * How the tasks end.
   * @defaultValue `'failed'`
   */
  readonly status?: 'failed' | 'canceled'
}

/**
 * The events that legally end everything a view has open: texts, thoughts, tool calls, questions,
 * requests for access, and the tasks themselves, children before their parents. Folded into the view,
 * they leave nothing open; after the events the view was made from, they make a legal stream.
 *
 * A text ends with what there is of it. A thought ends with `metadata.complete: false`. A tool call that
 * runs ends as failed. What has no event of its own to end it, such as a half-written artifact, ends
 * with its task. A subtask of which only one half of its beginning was seen gets the other half, with an
 * empty prompt where nobody knows it.
 *
 * @throws TypeError when `at` is no RFC 3339 timestamp with zone.
 *
 * @example
 * ```ts
 * const rest = closeOpen(view, { reason: 'The agent does not answer.', at: new Date().toISOString() })
 * ```
 */
export function closeDangling(view: View, options: CloseOptions): ContextAnyEvent[] {
  if (!isTimestamp(options.at))
    throw new TypeError('closeOpen: give `at` as an RFC 3339 timestamp with zone.')
  const depths = new Map<TaskView, number>()
  return tasksOf(view)
    .filter((task) => !isEnded(task.status) && isKnown(task))
    .map((task) => ({ task, depth: depthOf(view, task, depths) }))
    .toSorted((a, b) => b.depth - a.depth)
    .flatMap(({ task }) => closeTask(view, task, options))
}

/** Whether there was an event of a task, or one that announced it; others may just have named it. */
function isKnown({ updatedAt, origin }: TaskView): boolean {
  return updatedAt !== null || origin.announced !== undefined
}

/** How deep a task is nested. What is found of its ancestors is remembered, so that each is looked at once. */
function depthOf(view: View, task: TaskView, known: Map<TaskView, number>): number {
  const line = new Set<TaskView>()
  let at: TaskView | undefined = task
  // Parents may go round in a circle.
  while (at !== undefined && !known.has(at) && !line.has(at)) {
    line.add(at)
    at = parentOf(view, at)
  }
  let depth = (at && known.get(at)) ?? -1
  for (const one of [...line].reverse()) known.set(one, ++depth)
  return depth
}

function parentOf(view: View, { contextId, parentTaskId }: TaskView): TaskView | undefined {
  return parentTaskId === null ? undefined : taskOf(view, parentTaskId, contextId)
}

function closeTask(
  view: View,
  task: TaskView,
  { reason, at, status = 'failed' }: CloseOptions,
): ContextAnyEvent[] {
  const context = contextOf(task)
  const timestamp = later(at, task.updatedAt)
  const events: ContextAnyEvent[] = []
  const { announced, createdAt } = task.origin
  if (announced !== undefined && createdAt === undefined && task.updatedAt === null) {
    events.push({ kind: 'task-created', ...context, initiator: 'agent', timestamp })
  }
  for (const subtaskId of unannounced(view, task)) {
    events.push({ kind: 'subtask-created', ...context, subtaskId, prompt: '', timestamp })
  }
  let nextThought = task.open.nextThought
  for (const part of openParts(task)) {
    switch (part.type) {
      case 'text':
        events.push({ kind: 'content-complete', ...context, content: part.text, timestamp })
        break
      case 'thought': {
        const { thoughtId, text: content } = part
        const about = {
          thoughtType: 'reasoning',
          verbosity: 'normal',
          metadata: { complete: false },
        } as const
        const index = nextThought++
        events.push({ kind: 'thought-stream', ...context, thoughtId, ...about, content, index, timestamp })
        break
      }
      case 'tool': {
        // A call whose arguments are still being written has not started, and so has no end.
        const { toolCallId, toolName = 'unknown' } = part
        if (part.status !== 'running') break
        const call = { toolCallId, toolName, success: false, error: reason }
        events.push({ kind: 'tool-complete', ...context, ...call, timestamp })
        break
      }
      case 'input':
        events.push({
          kind: 'input-canceled',
          ...context,
          inputId: part.inputId,
          reason: 'task-ended',
          timestamp,
        })
        break
      case 'auth': {
        const failed = { authId: part.authId, reason: 'failed', message: reason } as const
        events.push({ kind: 'auth-failed', ...context, ...failed, timestamp })
        break
      }
      default:
        break
    }
  }
  events.push({ kind: 'task-status', ...context, status, timestamp, metadata: { reason } })
  return events
}

function contextOf({ contextId, taskId, parentTaskId, origin }: TaskView): EventContext {
  return {
    contextId,
    taskId,
    ...(parentTaskId === null ? {} : { parentTaskId }),
    ...(origin.path === undefined ? {} : { path: [...origin.path] }),
  }
}

/** The subtasks that began without the parent's saying so, of a parent that was seen from its beginning. */
function unannounced(view: View, task: TaskView): string[] {
  if (task.origin.createdAt === undefined) return []
  return listItems(task.subtasks).filter((taskId) => {
    const child = taskOf(view, taskId, task.contextId)
    return child?.origin.createdAt !== undefined && child.origin.announced === undefined
  })
}

function openParts({ parts, open }: TaskView): PartView[] {
  const text = open.text === undefined ? undefined : listAt(parts.rows, open.text)
  return [
    ...(text === undefined ? [] : [text]),
    ...openKeys(open).flatMap((key) => tableGet(parts, key) ?? []),
  ]
}

/** The later of two times. */
function later(a: string, b: string | null): string {
  return b !== null && Date.parse(b) > Date.parse(a) ? b : a
}
