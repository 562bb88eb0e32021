/** From events of the core vocabulary to what an agent sends. */

import type { UnknownEvent } from '../../../core/decoded.ts'
import type { Machine } from '../../../core/machine.ts'
import { decodeAnyEvent } from '../../../events/decode.ts'
import type { AnyEvent } from '../../../events/event.ts'
import { notKnown, stepTo } from '../wire/diagnostics.ts'
import type { AgentEvent } from '../wire/types.ts'
import { RunWriter } from './run-writer.ts'
import type { ToAgentEventsState } from './state.ts'

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

/**
 * Says a task of the core vocabulary as what an agent sends. See {@link agentEventCoverage} for what
 * becomes of each kind.
 *
 * The end is told once: by `final` when the task completes, by `error` when it fails or is canceled.
 * When no text was told until then, `final` waits for that of a `task-complete`, or for the end of the
 * stream. Arguments are told in the text they came in, where `metadata.toolArgs` has one that still
 * says the same.
 *
 * Never throws on data. Diagnostics:
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
      if (decoded.status !== 'known') return { state, out: [], diagnostics: [notKnown(decoded)] }
      const writer = new RunWriter(state, toolCallIds)
      writer.take(decoded.event)
      return stepTo(writer.state, writer.out, writer.diagnostics)
    },
    end(state) {
      return state.phase === 'completed'
        ? { state: { ...state, phase: 'succeeded' }, out: [{ type: 'final' }] }
        : { state, out: [] }
    },
  }
}
