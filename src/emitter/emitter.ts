/** Turning drafts into events: stamping, timing and counting for one task. */

import type { Schema } from '../core/schema.ts'
import { checkEvent } from '../events/checks.generated.ts'
import type { AnyEvent, ContextEvent, EventContext, EventKind, EventOf } from '../events/event.ts'
import { eventSchemas } from '../events/schemas.ts'
import { explain } from '../validation/issues.ts'
import { Counters } from './counters.ts'
import type { EventDraft } from './event-draft.ts'
import { requireContext, stamp } from './stamp.ts'

/** What {@link createEmitter} needs to know. */
export interface EmitterOptions extends EventContext {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * text with zone. Absent: the platform's clock.
   */
  readonly now?: () => Date | number | string
  /** Makes an id that is unique in the context. Absent: a random UUID, or as many random digits. */
  readonly newId?: () => string
}

/** Makes the events of one task. */
export interface Emitter {
  /**
   * Turns a draft into an event of the task: gives it context and timestamp, and counts.
   *
   * - `index` of `content-delta` counts the segment, which `content-complete` ends
   * - `index` of `thought-stream` counts the task, that of `thought-delta` the thought
   * - `index` of `tool-arguments-delta` counts the call, that of `file-write` and `dataset-write`
   *   the artifact, until `complete`
   * - `thoughtId` of a `thought-delta` is that of the open thought, or a new one; the
   *   `thought-stream` that follows takes it over
   *
   * A number or id in the draft stands, and counting goes on from it.
   *
   * @throws TypeError when the draft is no event of its kind: that is a mistake in the calling code.
   */
  emit<K extends EventKind>(draft: EventDraft & { kind: K }): ContextEvent<EventOf<K>>
  /**
   * An emitter for a task this one spawns, in the same context, with the same clock and ids.
   *
   * @param task.taskId - The id of the new task, as in `subtask-created`.
   * @param task.agentName - Who does it, for the event's `path`. Absent: the `taskId`.
   */
  child(task: { taskId: string; agentName?: string }): Emitter
}

/**
 * Creates the emitter of a task. The one part of the library that reads a clock and makes ids,
 * and both can be handed in.
 *
 * @throws TypeError when an id is missing or empty.
 *
 * @example
 * ```ts
 * const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
 * response.write(encodeEvent(emitter.emit({ kind: 'task-created', initiator: 'user' })))
 * response.write(encodeEvent(emitter.emit({ kind: 'content-delta', delta: 'Hello' })))
 * ```
 */
export function createEmitter(options: EmitterOptions): Emitter {
  const { now = () => new Date(), newId = randomId, ...context } = options
  requireContext(context)
  const counters = new Counters(newId)
  return {
    emit(draft) {
      const event = { ...draft, ...counters.fill(draft), timestamp: draft.timestamp ?? toTimestamp(now()) }
      requireEvent(event)
      counters.count(event)
      return stamp(event, context) as never
    },
    child({ taskId, agentName = taskId }) {
      const path = [...(context.path ?? []), agentName]
      return createEmitter({
        contextId: context.contextId,
        taskId,
        parentTaskId: context.taskId,
        path,
        now,
        newId,
      })
    },
  }
}

/** Pages that are no secure context have random numbers, but no UUIDs made of them. */
function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toTimestamp(now: Date | number | string): string {
  return typeof now === 'string' ? now : new Date(now).toISOString()
}

function requireEvent(event: { kind: string }): asserts event is AnyEvent {
  if (checkEvent(event.kind, event as Readonly<Record<string, unknown>>) === true) return
  const schema: Schema<unknown> | undefined = (eventSchemas as Readonly<Record<string, Schema<unknown>>>)[
    event.kind
  ]
  if (schema === undefined)
    throw new TypeError(`Cannot emit an event of the unknown kind ${JSON.stringify(event.kind)}.`)
  const reasons = explain(schema, event).map((issue) => `${issue.path}: ${issue.message}`)
  throw new TypeError(`Not a valid ${event.kind} event. ${reasons.join(' ')}`)
}
