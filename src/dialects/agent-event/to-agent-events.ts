/** From events of the core vocabulary to what an agent sends. */

import type { Coverage } from '../../coverage.ts'
import type { UnknownEvent } from '../../decoded.ts'
import { decodeAnyEvent } from '../../events/decode.ts'
import type { AnyEvent, EventKind } from '../../events/event.ts'
import type { Machine } from '../../machine.ts'
import { notKnown, stepTo } from './notes.ts'
import type { OpenCall } from './open-calls.ts'
import { RunWriter } from './run-writer.ts'
import type { AgentEvent } from './types.ts'

/**
 * What {@link toAgentEvents} makes of each kind. Ids, times and positions are not told of any: the
 * dialect has none.
 */
export const agentEventCoverage: Readonly<Record<EventKind, Coverage>> = {
  'task-created': 'omitted',
  'task-status': 'partial', // Only how it ends; canceled is told as an error.
  'task-complete': 'partial', // Only the text, when it was not told before.
  'content-delta': 'full',
  'content-complete': 'partial', // Repeats what was told, and says where a segment ends.
  'tool-start': 'partial', // Without metadata.
  'tool-arguments-delta': 'omitted', // tool-start repeats them whole.
  'tool-progress': 'full',
  'tool-complete': 'partial', // Results that are no text as JSON text; without metadata.
  'input-required': 'omitted',
  'input-received': 'omitted',
  'input-canceled': 'omitted',
  'auth-required': 'omitted',
  'auth-completed': 'omitted',
  'auth-failed': 'omitted',
  'file-write': 'omitted',
  'data-write': 'omitted',
  'dataset-write': 'omitted',
  'artifact-delta': 'omitted',
  'subtask-created': 'omitted',
  'thought-delta': 'omitted', // thought-stream repeats them whole.
  'thought-stream': 'partial', // Only the text.
  'task-error': 'omitted', // An error of this dialect ends the run.
  'internal:thought-process': 'omitted',
  'internal:llm-call': 'omitted',
  'internal:checkpoint': 'omitted',
  'internal:tool-start': 'omitted',
  'internal:tool-complete': 'omitted',
}

/** Settings of {@link toAgentEvents}. */
export interface ToAgentEventsOptions {
  /** The task to tell; a run is one task. Absent: that of the first event that names one. */
  readonly taskId?: string
  /**
   * Whether the ids of calls are told, in the extension `toolCallId`. Without them a receiver gives
   * results and progress to the oldest open call of a tool.
   * @defaultValue `false`
   */
  readonly toolCallIds?: boolean
}

/** Where {@link toAgentEvents} stands between two events. */
export interface ToAgentEventsState {
  /** `completed`: the end is known, and waits for a text. `succeeded` and `failed`: it was told. */
  readonly phase: 'running' | 'completed' | 'succeeded' | 'failed'
  /** The task that is told; `null` when no event named one yet. */
  readonly taskId: string | null
  /** Whether any text of the answer was told. */
  readonly hasText: boolean
  /** What was told of the segment: nothing, some of it, or all, with no tool call since. */
  readonly segment: 'none' | 'open' | 'closed'
  /** The calls without a result, in order. At most 1024. */
  readonly open: readonly OpenCall[]
  /** The calls without a result as a receiver sees it that knows no ids. At most 1024. */
  readonly assumed: readonly OpenCall[]
}

/**
 * Says a task of the core vocabulary as what an agent sends. See {@link agentEventCoverage} for what
 * becomes of each kind.
 *
 * The end is told once: by `final` when the task completes, by `error` when it fails or is canceled.
 * When no text was told until then, `final` waits for that of a `task-complete`, or for the end of the
 * stream. Arguments are told in the text they came in, where `metadata.toolArgs` has one that still
 * says the same.
 *
 * Never throws on data. Notes:
 *
 * - `dropped:<kind>`: the dialect has no word for it, it is of another task, it follows the end, or it
 *   is the progress of an unknown call
 * - `lossy:<field>`: the field is not told, or not exactly. `lossy:segment` where text goes on that a
 *   receiver cannot tell from the text before; `lossy:toolCallId` where a receiver gives it to another
 *   call
 * - `too-many-open-calls`: more than 1024 calls without a result; the oldest is forgotten
 * - `invalid-event`: no event at all
 *
 * @example
 * ```ts
 * const { push } = run(toAgentEvents())
 * for (const event of push(coreEvent)) response.write(`data: ${JSON.stringify(event)}\n\n`)
 * ```
 */
export function toAgentEvents(
  options: ToAgentEventsOptions = {},
): Machine<ToAgentEventsState, AnyEvent | UnknownEvent, AgentEvent> {
  const { taskId = null, toolCallIds = false } = options
  return {
    initial: { phase: 'running', taskId, hasText: false, segment: 'none', open: [], assumed: [] },
    step(state, input) {
      const decoded = decodeAnyEvent(input)
      if (decoded.status !== 'known') return { state, out: [], notes: [notKnown(decoded)] }
      const writer = new RunWriter(state, toolCallIds)
      writer.take(decoded.event)
      return stepTo(writer.state, writer.out, writer.notes)
    },
    end(state) {
      return state.phase === 'completed'
        ? { state: { ...state, phase: 'succeeded' }, out: [{ type: 'final' }] }
        : { state, out: [] }
    },
  }
}
