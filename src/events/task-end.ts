/** The one place that decides which events end a task. */
import { requireKind } from '../core/require.ts'
import type { TaskCompleteEvent } from './task.ts'
import { isTerminalStatus } from './task-status.ts'

/** The fields that distinguish the end of a task from other events. */
type TaskEnd =
  | { readonly kind: TaskCompleteEvent['kind'] }
  | { readonly kind: 'task-status'; readonly status: 'completed' | 'failed' | 'canceled' }

/**
 * Whether an event ends its task: a `task-status` with a terminal status, or a `task-complete`, which completes the task
 * also without that status. Narrows its type. A task that succeeds may have both, in either order: it ends with the
 * first.
 *
 * Who reads the events of several tasks compares the `taskId`: a subtask ends before its parent.
 *
 * @throws TypeError if the event is no object with a `kind`.
 *
 * @example
 * ```ts
 * if (isTaskEnd(event)) show(event.kind === 'task-complete' ? 'completed' : event.status)
 * ```
 */
export function isTaskEnd<E extends { readonly kind: string }>(event: E): event is E & TaskEnd {
  requireKind(event)
  return endsTask(event)
}

/** Whether an event states no more than that its task has completed. */
export function isBareEnd(event: { readonly kind: string }): boolean {
  const isBare = ([field, value]: [string, unknown]): boolean => value === undefined || ofContext.test(field)
  return event.kind === 'task-complete' && Object.entries(event).every(isBare)
}

const ofContext = /^(?:kind|contextId|taskId|parentTaskId|path|timestamp)$/

/** {@link isTaskEnd}, of what is known to be an event. */
export function endsTask({ kind, status }: { readonly kind: string; readonly status?: unknown }): boolean {
  return kind === 'task-complete' || (kind === 'task-status' && isTerminalStatus(status as string))
}
