/** The vocabulary as union types: all events, without and with context. */
import type { ExternalEvent, InternalEvent } from './events.generated.ts'

/**
 * Any event without context, as model providers and tools emit it before the agent loop adds the
 * context. Narrow it by `kind`.
 *
 * @see docs/spec/internal-event-protocol.md#context-stamping
 */
export type AnyEvent = ExternalEvent | InternalEvent

/** Any kind of event: the discriminant of {@link AnyEvent}. */
export type EventKind = AnyEvent['kind']

/** The event of a kind, without context. */
export type EventOf<K extends EventKind> = Extract<AnyEvent, { kind: K }>

/** Names a task. */
export interface TaskName {
  /** The conversation. */
  readonly contextId: string
  /** The task, unique in its conversation. */
  readonly taskId: string
}

/** The conversation and task of an event: the fields that `stamp` adds. */
export interface EventContext {
  /** The conversation or session. Not empty. */
  contextId: string
  /** The task within the context. Not empty. */
  taskId: string
  /** The task that created this one. Omitted if the task has no parent, or the parent is unknown. */
  parentTaskId?: string
  /** Human-readable names of the agents from the root to this task. Omitted if the task has no parent, or if unknown. */
  path?: string[]
}

/** An event of type `T` with context, as it is transmitted. */
export type ContextEvent<T> = T & EventContext

/**
 * The event of a kind, with context.
 *
 * Not `ContextEvent<EventOf<K>>`, so that the compiler names an inferred type by its kind.
 */
export type ContextEventOf<K extends EventKind> = EventOf<K> & EventContext

/** Any event with context. Narrow it by `kind`. */
export type ContextAnyEvent = ContextEvent<AnyEvent>
