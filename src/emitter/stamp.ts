/** Adds the context to an event and removes it. */
import { mismatch, optional, requireObject, requireText } from '../core/require.ts'
import type { ContextEvent, EventContext } from '../events/event.ts'
import { contextShape } from '../events/shapes.generated.ts'
import { issuesOf } from '../validation/read.ts'

/**
 * Adds the context to an event. Returns a new event; context fields that the event already has are
 * replaced.
 *
 * @throws TypeError if an id of the context is missing or empty.
 *
 * @example
 * ```ts
 * stamp({ kind: 'content-delta', delta: 'Hi', index: 0, timestamp }, { contextId: 'ctx-1', taskId: 'task-1' })
 * ```
 *
 * @see docs/spec/internal-event-protocol.md#context-stamping
 */
export function stamp<E extends { kind: string }>(event: E, context: EventContext): ContextEvent<E> {
  requireObject('event', event)
  requireContext(context)
  return withContext(event, context) as unknown as ContextEvent<E>
}

/** A copy of an event with the fields of a context that has been checked. */
export function withContext(event: { kind: string }, context: EventContext): Record<string, unknown> {
  const { contextId, taskId, parentTaskId, path } = context
  // The ids come first, for readability of the stream. A spread copies a foreign `__proto__` as the field it is, and
  // one spread is several times as fast as two.
  const { kind } = event
  const fields: object = event
  const stamped: Record<string, unknown> =
    parentTaskId === undefined
      ? { kind, contextId, taskId, ...fields }
      : { kind, contextId, taskId, parentTaskId, ...fields }
  stamped.contextId = contextId
  stamped.taskId = taskId
  if (parentTaskId !== undefined) stamped.parentTaskId = parentTaskId
  if (path !== undefined) stamped.path = [...path]
  return stamped
}

/**
 * Removes the context from an event. Returns a new event.
 *
 * `task-created` keeps its `parentTaskId`, which is a field of that event and not only context.
 *
 * @throws TypeError if `event` is not an object.
 */
export function unstamp<E extends { kind: string }>(event: ContextEvent<E>): E {
  requireObject('event', event)
  const { contextId, taskId, parentTaskId, path, ...rest } = event as ContextEvent<{ kind: string }>
  const bare = rest as unknown as E
  return event.kind === 'task-created' && parentTaskId !== undefined ? { ...bare, parentTaskId } : bare
}

/** Throws a TypeError for a context that would make every event invalid. */
export function requireContext(context: EventContext): void {
  requireObject('context', context)
  if (issuesOf(['fields', contextShape], context, { refusesNulls: true }).length === 0) return
  requireText('contextId', context.contextId)
  requireText('taskId', context.taskId)
  optional(requireText, 'parentTaskId', context.parentTaskId)
  throw mismatch('path', 'an array of non-empty strings', context.path)
}
