/** From agentwire events to AgentEvents. */

import type { UnknownEvent } from '../../../core/decode-result.ts'
import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { optional, requireBoolean, requireObject, requireText } from '../../../core/require.ts'
import { decodeAnyEvent } from '../../../events/decode.ts'
import type { AnyEvent } from '../../../events/event.ts'
import { reportUndecoded } from '../../shared/report-undecoded.ts'
import type { AgentEvent } from '../wire/types.ts'
import { RunWriter } from './run-writer.ts'
import type { ToAgentEventsState } from './state.ts'

/** Options of {@link toAgentEvents}. */
export interface ToAgentEventsOptions {
  /** The task to map; a run is one task. Defaults to that of the first event with a `taskId`. */
  readonly taskId?: string
  /**
   * Whether events have the id of their call, as the extension `toolCallId`. Without ids a receiver matches
   * results and progress to the oldest open call of their tool.
   * @defaultValue `false`
   */
  readonly toolCallIds?: boolean
}

/**
 * Converts the agentwire events of one task to AgentEvents. See {@link agentEventCoverage} for what is kept of
 * each kind.
 *
 * The run ends once: with `final` if the task completes, with `error` if it fails or is canceled. If there was no
 * text, `final` waits for a `task-complete` with the result, or for the end of the stream. Arguments keep their
 * original text if `metadata.toolArgs` has one with the same value.
 *
 * Of several open texts, the one that began first is sent as it comes, the others once they are complete.
 *
 * Never throws on data. Diagnostics:
 *
 * - `invalid-event`: the input is not a valid event; `detail` lists the issues
 * - `dropped:<kind>`: the event is left out; `detail.reason` is `no-equivalent`, `unknown-kind`, `other-task`,
 *   `after-end`, `unknown-call` for the progress of an unknown call, `not-started` for the end of a call whose
 *   arguments were cut off, or `other-text` for a delta of a text that is sent whole later
 * - `lossy:<field>`: a field is left out or changed. `lossy:segment`: a receiver cannot see where a segment
 *   ends. `lossy:toolCallId`: a receiver matches the event to another call
 * - `too-many-open-calls`: more than 1024 calls without a result; the oldest is removed
 *
 * @throws TypeError if `taskId` is not a non-empty string, or `toolCallIds` is not a boolean.
 *
 * @example
 * ```ts
 * const { push } = run(toAgentEvents())
 * for (const event of push(coreEvent)) response.write(`data: ${JSON.stringify(event)}\n\n`)
 * ```
 *
 * @see docs/agent-event.md
 */
export function toAgentEvents(
  options: ToAgentEventsOptions = {},
): Machine<MachineState<'toAgentEvents'>, AnyEvent | UnknownEvent, AgentEvent> {
  requireObject('options', options)
  const { taskId, toolCallIds = false } = options
  optional(requireText, 'taskId', taskId)
  requireBoolean('toolCallIds', toolCallIds)
  const machine: Machine<ToAgentEventsState, AnyEvent | UnknownEvent, AgentEvent> = {
    initial: {
      phase: 'running',
      taskId: taskId ?? null,
      hasText: false,
      segment: 'none',
      openText: null,
      hasWaitingText: false,
      unstarted: [],
      openCalls: [],
      receiverCalls: [],
    },
    step(state, input) {
      const writer = new RunWriter(state, toolCallIds)
      const decoded = decodeAnyEvent(input)
      if (decoded.status === 'known') writer.write(decoded.event)
      else reportUndecoded(writer, decoded)
      return writer.done()
    },
    end(state) {
      return state.phase === 'completed'
        ? { state: { ...state, phase: 'succeeded' }, out: [{ type: 'final' }] }
        : { state, out: [] }
    },
  }
  return opaque(machine)
}
