/** Converts drafts to events of one task: adds context, timestamps and indexes. */

import type { Diagnostic } from '../core/machine.ts'
import { randomId } from '../core/random-id.ts'
import {
  optional,
  requireFunction,
  requireIterable,
  requireObject,
  requireOnly,
  requireText,
} from '../core/require.ts'
import { withoutContext } from '../events/decode.ts'
import type { AnyEvent, ContextEventOf, EventContext, EventKind } from '../events/event.ts'
import { lacksIteration } from '../events/iteration.ts'
import { unknownKind } from '../events/kind-error.ts'
import { isWhole, noHalves, wholeText } from '../json/whole-text.ts'
import { readClock, readNewId } from '../validation/callbacks.ts'
import { requireValid } from '../validation/read.ts'
import { Counters } from './counters.ts'
import { type CustomSchemas, requireCustomData, requireCustomSchemas } from './custom-data.ts'
import type { EventDraft } from './event-draft.ts'
import { requireContext, withContext } from './stamp.ts'

/** Options of {@link createEmitter}. */
export interface EmitterOptions extends EventContext {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * date-time with time zone. Defaults to the platform's clock.
   */
  readonly now?: () => Date | number | string
  /** Creates an id that is unique in the context. Defaults to a random UUID, or 32 random hexadecimal digits. */
  readonly newId?: () => string
  /**
   * Validators of the `data` of custom events, by `name`: of Zod, Valibot, ArkType or any other library that
   * implements Standard Schema. They check and do not convert: `data` is emitted as given. Names without a
   * validator are not checked.
   */
  readonly custom?: CustomSchemas
  /**
   * Returns the model response that the task is at, from 0; `undefined` if none. Texts, thoughts and tool events get it as
   * their `iteration`, unless their drafts state one. Omitted: events have what their drafts state.
   */
  readonly iteration?: () => number | undefined
  /**
   * The events that the task has already, oldest first, such as another process has emitted: counting continues after them.
   * Omitted: the task begins.
   */
  readonly after?: Iterable<AnyEvent>
  /**
   * Called with what is changed in a draft: `lossy:<field>` for half a surrogate pair, which is replaced by U+FFFD, or
   * dropped if it is the end of a text. Halves of one pair in two deltas of a text are joined and not reported. Omitted:
   * nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Creates the events of one task. */
export interface Emitter {
  /**
   * Converts a draft to an event of the task: adds the context, the timestamp, and where the kind has
   * them the index and the thought id.
   *
   * - `index` of `content-delta` counts within the segment of its `contentId`, which ends with
   *   `content-complete`; after a `content-replace` it is 1
   * - `index` of `thought-stream` counts within the task, that of `thought-delta` within the thought
   * - `index` of `tool-arguments-delta` counts within the call
   * - `index` of `file-write` and `dataset-write` counts within the artifact, until `complete`
   * - `thoughtId` of a `thought-delta` is that of the open thought, or a new one; the next
   *   `thought-stream` gets the same id
   * - `thoughtType` and `verbosity` of a `thought-delta` are those of the last delta of the thought, if it had any
   *
   * Texts are Unicode: a delta that ends with half a surrogate pair ends before it, and the next delta of the same text
   * begins with it. See {@link EmitterOptions.onDiagnostic}.
   *
   * An `iteration-reset` forgets what the iteration began: its texts, thoughts and arguments count from 0 again.
   *
   * An index or id that the draft sets is kept, and counting continues from it.
   *
   * @throws TypeError if the draft is not a valid event of its kind, if its `data` fails its validator, or if `now`
   * returns no valid time or `newId` no id.
   */
  emit<K extends EventKind>(draft: EventDraft & { kind: K }): ContextEventOf<K>
  /**
   * Creates an emitter for a subtask: same context, clock and id generator.
   *
   * @param task.taskId - The id of the subtask, as in `subtask-created`.
   * @param task.agentName - Name of the agent, appended to the `path` of events. Defaults to the `taskId`.
   * @throws TypeError if `taskId` or `agentName` is not a non-empty string.
   */
  child(task: { taskId: string; agentName?: string }): Emitter
}

/** The options of an emitter. Others would become fields of its events. */
export const emitterOptionNames: readonly string[] = [
  'contextId',
  'taskId',
  'parentTaskId',
  'path',
  'now',
  'newId',
  'custom',
  'iteration',
  'after',
  'onDiagnostic',
]

/**
 * Creates the emitter of a task. The only part of the library that reads a clock and creates random ids;
 * both can be replaced.
 *
 * @throws TypeError if an id of the context is missing or empty, or if `now` or `newId` is not a function,
 * or if `custom` is not an object of validators, `iteration` or `onDiagnostic` is not a function, or an option is unknown.
 *
 * @example
 * ```ts
 * const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
 * response.write(encodeEvent(emitter.emit({ kind: 'task-created', initiator: 'user' }), { viewer }))
 * response.write(encodeEvent(emitter.emit({ kind: 'content-delta', delta: 'Hello' }), { viewer }))
 * ```
 */
export function createEmitter(options: EmitterOptions): Emitter {
  requireOnly('options', options, emitterOptionNames)
  const {
    now = () => new Date(),
    newId = randomId,
    custom = {},
    iteration,
    after = [],
    onDiagnostic,
    ...context
  } = options
  requireContext(context)
  requireFunction('now', now)
  requireFunction('newId', newId)
  requireCustomSchemas(custom)
  optional(requireFunction, 'iteration', iteration)
  optional(requireFunction, 'onDiagnostic', onDiagnostic)
  requireIterable('after', after)
  let halves = noHalves
  const counters = new Counters(() => readNewId(newId))
  for (const event of after) counters.advance(event)
  return {
    emit(draft) {
      requireObject('draft', draft)
      // The one copy of the draft: another spread takes as long as the rest.
      const event = withContext(draft, context)
      if (iteration !== undefined && lacksIteration(draft)) setIteration(event, iteration())
      counters.fill(event)
      event.timestamp = draft.timestamp ?? readClock(now)
      requireEvent(event)
      if (isWhole(event, halves)) {
        requireCustomData(custom, event)
        counters.advance(event)
        return event as never
      }
      const whole = wholeText(event, halves)
      requireCustomData(custom, whole.event)
      halves = whole.halves
      counters.advance(whole.event)
      if (onDiagnostic !== undefined) whole.diagnostics.forEach(onDiagnostic)
      return whole.event as never
    },
    child(task) {
      requireObject('task', task)
      const { taskId, agentName = taskId } = task
      requireText('taskId', taskId)
      requireText('agentName', agentName)
      const path = [...(context.path ?? []), agentName]
      return createEmitter({
        contextId: context.contextId,
        taskId,
        parentTaskId: context.taskId,
        path,
        now,
        newId,
        custom,
        ...(onDiagnostic !== undefined && { onDiagnostic }),
      })
    },
  }
}

/** Adds the iteration. An event that is not valid with it is refused. */
function setIteration(event: Record<string, unknown>, iteration: number | undefined): void {
  if (iteration !== undefined) event.iteration = iteration
}

function requireEvent(event: Record<string, unknown>): asserts event is Record<string, unknown> & AnyEvent {
  const { kind } = event
  if (typeof kind !== 'string') throw unknownKind('kind', kind)
  const check = withoutContext.checkOf(kind)
  if (check === undefined) throw unknownKind('kind', kind)
  requireValid(`${kind} event`, check, event)
}
