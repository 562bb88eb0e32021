/** Giving an event its context, and taking it away. */
import { checkContext } from '../events/checks.generated.ts'
import type { ContextEvent, EventContext } from '../events/event.ts'

/**
 * Gives an event its context. Returns a new event; fields of the context the event already has are
 * replaced.
 *
 * @throws TypeError when an id is missing or empty: that is a mistake in the calling code.
 *
 * @example
 * ```ts
 * stamp({ kind: 'content-delta', delta: 'Hi', index: 0, timestamp }, { contextId: 'ctx-1', taskId: 'task-1' })
 * ```
 *
 * @see docs/spec/internal-event-protocol.md#context-stamping
 */
export function stamp<E extends { kind: string }>(event: E, context: EventContext): ContextEvent<E> {
  requireContext(context)
  const { contextId, taskId, parentTaskId, path } = context
  const ids: EventContext = { contextId, taskId }
  if (parentTaskId !== undefined) ids.parentTaskId = parentTaskId
  if (path !== undefined) ids.path = [...path]
  // First in this order for people who read the stream, then again so that the context wins.
  return Object.assign({ kind: event.kind, ...ids }, event, ids)
}

/**
 * Takes the context away. Returns a new event.
 *
 * `task-created` keeps its `parentTaskId`, which is a fact about the task and not only context.
 */
export function unstamp<E extends { kind: string }>(event: ContextEvent<E>): E {
  const { contextId, taskId, parentTaskId, path, ...rest } = event as ContextEvent<{ kind: string }>
  const bare = rest as unknown as E
  return event.kind === 'task-created' && parentTaskId !== undefined
    ? Object.assign(bare, { parentTaskId })
    : bare
}

/** Refuses a context that would make every event invalid. */
export function requireContext(context: EventContext): void {
  if (!checkContext(context as unknown as Readonly<Record<string, unknown>>)) {
    throw new TypeError(
      'An event context needs contextId and taskId as non-empty strings; ' +
        'parentTaskId and path, where given, must not be empty strings either.',
    )
  }
}
