/** Closing what was left open when a stream was cut off. */

import { mismatch, requireObject, requireOneOf, requireString } from '../../core/require.ts'
import type { ContextAnyEvent, EventContext } from '../../events/event.ts'
import { isTimestamp } from '../../validation/predicates.ts'
import { keyedGet } from '../collections/keyed-list.ts'
import { vectorGet, vectorItems } from '../collections/vector.ts'
import type { PartView } from './parts.ts'
import { hasEnded, type TaskView, taskOf, tasksOf, type View } from './view.ts'
import { openKeys } from './view-builder.ts'

/** Options of {@link closeDangling}. */
export interface CloseOptions {
  /** Why the stream ends here, for people. Becomes `metadata.reason` of every task that is ended. */
  readonly reason: string
  /**
   * The timestamp of the events, as RFC 3339 with a time zone. Tasks with a later event get the timestamp
   * of that event, so that time never runs backwards.
   */
  readonly at: string
  /**
   * The status the tasks end with.
   * @defaultValue `'failed'`
   */
  readonly status?: 'failed' | 'canceled'
}

/**
 * Returns the events that end everything a view has open: texts, thoughts, tool calls, input and
 * authentication requests, and the tasks themselves, subtasks before their parents. The events complete the
 * stream the view was folded from to a legal stream; folded into the view, they leave nothing open.
 *
 * A text is completed with what has arrived of it. A thought is completed with `metadata.complete: false` and
 * the type and verbosity that its deltas state; if they do not, as detailed reasoning, which they are shown as. A
 * tool call fails, whether it runs or its arguments were cut off. An incomplete artifact has no event to end it and
 * is abandoned with its task. A subtask with only a `task-created` or only a `subtask-created` gets the other one,
 * with an empty prompt if the prompt is unknown.
 *
 * @throws TypeError if an option is invalid, such as an `at` without a time zone.
 *
 * @example
 * ```ts
 * const events = closeDangling(view, { reason: 'The agent crashed.', at: new Date().toISOString() })
 * ```
 */
export function closeDangling(view: View, options: CloseOptions): ContextAnyEvent[] {
  requireObject('options', options)
  requireString('reason', options.reason)
  if (options.status !== undefined) requireOneOf('status', options.status, ['failed', 'canceled'])
  if (!isTimestamp(options.at)) {
    throw mismatch('at', 'an RFC 3339 timestamp with a time zone', options.at)
  }
  const depths = new Map<TaskView, number>()
  return tasksOf(view)
    .filter((task) => !hasEnded(task) && isKnown(task))
    .map((task) => ({ task, depth: depthOf(view, task, depths) }))
    .toSorted((a, b) => b.depth - a.depth)
    .flatMap(({ task }) => closeTask(view, task, options))
}

/** Whether a task has events or was announced; other tasks are only named as a parent. */
function isKnown({ updatedAt, creation }: TaskView): boolean {
  return updatedAt !== null || creation.announced !== undefined
}

/** The nesting depth of a task. Depths are cached, so that each task is visited once. */
function depthOf(view: View, task: TaskView, depths: Map<TaskView, number>): number {
  const path = new Set<TaskView>()
  let at: TaskView | undefined = task
  // Illegal streams may have parents in a circle.
  while (at !== undefined && !depths.has(at) && !path.has(at)) {
    path.add(at)
    at = parentOf(view, at)
  }
  let depth = (at && depths.get(at)) ?? -1
  for (const ancestor of [...path].reverse()) depths.set(ancestor, ++depth)
  return depth
}

function parentOf(view: View, { contextId, parentTaskId }: TaskView): TaskView | undefined {
  return parentTaskId === null ? undefined : taskOf(view, parentTaskId, contextId)
}

/** The events that end a task. */
function closeTask(
  view: View,
  task: TaskView,
  { reason, at, status = 'failed' }: CloseOptions,
): ContextAnyEvent[] {
  const context = contextOf(task)
  const timestamp = latest(at, task.updatedAt)
  const events: ContextAnyEvent[] = []
  const { announced, createdAt } = task.creation
  if (announced !== undefined && createdAt === undefined && task.updatedAt === null) {
    events.push({ kind: 'task-created', ...context, initiator: 'agent', timestamp })
  }
  for (const subtaskId of unannouncedSubtasks(view, task)) {
    events.push({ kind: 'subtask-created', ...context, subtaskId, prompt: '', timestamp })
  }
  let nextThought = task.open.nextThought
  for (const part of openParts(task)) {
    const event = closePart(part, context, timestamp, reason, nextThought)
    if (event === undefined) continue
    events.push(event)
    if (part.type === 'thought') nextThought++
  }
  events.push({ kind: 'task-status', ...context, status, timestamp, metadata: { reason } })
  return events
}

/** The event that ends a part; `undefined` if the part ends with its task. */
function closePart(
  part: PartView,
  context: EventContext,
  timestamp: string,
  reason: string,
  thoughtIndex: number,
): ContextAnyEvent | undefined {
  switch (part.type) {
    case 'text':
      return {
        kind: 'content-complete',
        ...context,
        ...(part.contentId === undefined ? {} : { contentId: part.contentId }),
        content: part.text,
        timestamp,
      }
    case 'thought':
      return {
        kind: 'thought-stream',
        ...context,
        thoughtId: part.thoughtId,
        // Whoever was not shown the deltas is not shown their text.
        ...(part.labels ?? { thoughtType: 'reasoning', verbosity: 'detailed' }),
        metadata: { complete: false },
        content: part.text,
        index: thoughtIndex,
        timestamp,
      }
    case 'tool': {
      const { toolCallId, toolName = 'unknown' } = part
      return {
        kind: 'tool-complete',
        ...context,
        toolCallId,
        toolName,
        success: false,
        error: reason,
        timestamp,
      }
    }
    case 'input':
      return { kind: 'input-canceled', ...context, inputId: part.inputId, reason: 'task-ended', timestamp }
    case 'auth':
      return {
        kind: 'auth-failed',
        ...context,
        authId: part.authId,
        reason: 'failed',
        message: reason,
        timestamp,
      }
    case 'artifact':
    case 'error':
    case 'subtask':
      return undefined
  }
}

function contextOf({ contextId, taskId, parentTaskId, creation }: TaskView): EventContext {
  return {
    contextId,
    taskId,
    ...(parentTaskId === null ? {} : { parentTaskId }),
    ...(creation.path === undefined ? {} : { path: [...creation.path] }),
  }
}

/** The subtasks without a `subtask-created`, of a parent that was seen from its beginning. */
function unannouncedSubtasks(view: View, task: TaskView): string[] {
  if (task.creation.createdAt === undefined) return []
  return vectorItems(task.subtasks).filter((taskId) => {
    const child = taskOf(view, taskId, task.contextId)
    return child?.creation.createdAt !== undefined && child.creation.announced === undefined
  })
}

function openParts({ parts, open }: TaskView): PartView[] {
  return [
    ...open.texts.flatMap(({ position }) => vectorGet(parts.items, position) ?? []),
    ...openKeys(open).flatMap((key) => keyedGet(parts, key) ?? []),
  ]
}

/** The later of two timestamps. */
function latest(a: string, b: string | null): string {
  return b !== null && Date.parse(b) > Date.parse(a) ? b : a
}
