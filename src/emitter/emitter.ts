/** Converts drafts to events of one task: adds context, timestamps and indexes. */

import { describeValue, requireFunction } from '../core/require.ts'
import { checkEvent } from '../events/checks.generated.ts'
import type { AnyEvent, ContextEvent, EventContext, EventKind, EventOf } from '../events/event.ts'
import { eventShapes } from '../events/shapes.generated.ts'
import { issuesOf } from '../validation/walk.ts'
import { Counters } from './counters.ts'
import type { EventDraft } from './event-draft.ts'
import { requireContext, stamp } from './stamp.ts'

/** Options of {@link createEmitter}. */
export interface EmitterOptions extends EventContext {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * date-time with time zone. Defaults to the platform's clock.
   */
  readonly now?: () => Date | number | string
  /** Creates an id that is unique in the context. Defaults to a random UUID, or 32 random hexadecimal digits. */
  readonly newId?: () => string
}

/** Creates the events of one task. */
export interface Emitter {
  /**
   * Converts a draft to an event of the task: adds the context, the timestamp, and where the kind has
   * them the index and the thought id.
   *
   * - `index` of `content-delta` counts within the segment of its `contentId`, which ends with
   *   `content-complete`
   * - `index` of `thought-stream` counts within the task, that of `thought-delta` within the thought
   * - `index` of `tool-arguments-delta` counts within the call
   * - `index` of `file-write` and `dataset-write` counts within the artifact, until `complete`
   * - `thoughtId` of a `thought-delta` is that of the open thought, or a new one; the next
   *   `thought-stream` gets the same id
   *
   * An index or id that the draft sets is kept, and counting continues from it.
   *
   * @throws TypeError if the draft is not a valid event of its kind.
   */
  emit<K extends EventKind>(draft: EventDraft & { kind: K }): ContextEvent<EventOf<K>>
  /**
   * Creates an emitter for a subtask: same context, clock and id generator.
   *
   * @param task.taskId - The id of the subtask, as in `subtask-created`.
   * @param task.agentName - Name of the agent, appended to the `path` of events. Defaults to the `taskId`.
   */
  child(task: { taskId: string; agentName?: string }): Emitter
}

/**
 * Creates the emitter of a task. The only part of the library that reads a clock and creates random ids;
 * both can be replaced.
 *
 * @throws TypeError if an id of the context is missing or empty, or if `now` or `newId` is not a function.
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
  requireFunction('now', now)
  requireFunction('newId', newId)
  const counters = new Counters(newId)
  return {
    emit(draft) {
      const event = { ...draft, ...counters.fill(draft), timestamp: draft.timestamp ?? toTimestamp(now()) }
      requireEvent(event)
      counters.advance(event)
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

/** `crypto.randomUUID` exists only in secure contexts, `crypto.getRandomValues` everywhere. */
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
  const shape = Object.hasOwn(eventShapes, event.kind) ? eventShapes[event.kind] : undefined
  if (shape === undefined)
    throw new TypeError(`Cannot emit an event of unknown kind ${describeValue(event.kind)}.`)
  // `null` is for readers to forgive, not for producers to write.
  const issues = issuesOf(['fields', shape], event, { nullIsAbsent: false })
  if (issues.length === 0) return
  throw new TypeError(
    `Invalid ${event.kind} event. ${issues.map(({ path, message }) => `${path}: ${message}`).join(' ')}`,
  )
}
