/** Maps the session protocol to the core vocabulary. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import {
  describeValue,
  optional,
  requireFunction,
  requireObject,
  requireText,
} from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { readClock } from '../../../validation/callbacks.ts'
import { isFields } from '../../../validation/predicates.ts'
import { lossyFieldsOf, sessionMappedFields } from '../wire/coverage.ts'
import type { SessionEventName } from '../wire/names.ts'
import { agentConversions } from './agent.ts'
import type { Conversions } from './conversion.ts'
import { errorConversions } from './errors.ts'
import { pipelineConversions } from './pipeline.ts'
import { closeRound } from './round.ts'
import { RoundWriter } from './round-writer.ts'
import { type FromSessionState, initialState, type SessionInput } from './state.ts'

/** Options of {@link fromSessionEvents}. */
export interface FromSessionOptions {
  /** The context of the events. Defaults to the `session_id` of the session. */
  readonly contextId?: string
  /** The clock for events without a timestamp. Omitted: such events repeat the previous timestamp. */
  readonly now?: () => Date | number | string
}

const conversions: Conversions = { ...pipelineConversions, ...agentConversions, ...errorConversions }

/**
 * Maps the events of a session, of both sides or of the server alone, to core events. Accepts the known
 * events of `decodeSessionEvent` in either mode, and unknown ones.
 *
 * A round of planning and solving maps to a task, from `user.message` or `plan.start` to
 * `pipeline.completed`. If the pipeline completes before the final answer, the end of the task waits for
 * the answer. A round that ends only because another starts is completed if it had a final answer, and
 * otherwise canceled.
 *
 * The plan, the results of solving and the aggregated result map to `data-write`, errors to
 * `task-error`, and overall progress to `task-status`. Servers that merge partial answers lose text: if
 * the final answer continues the text so far, the rest follows as one more delta; if it differs, it
 * follows as a segment of its own.
 *
 * Diagnostics:
 *
 * - `lossy:<path>`: the field is not mapped, see {@link sessionMappedFields}
 * - `dropped:<name>`: the event was dropped; `detail.reason` is `no-equivalent`, `no-open-task`,
 *   `no-open-question` or `invalid-content`
 * - `inferred:<what>`: the session did not state an event, text or timestamp, or stated it differently
 * - `duplicate`: a repeated final answer was dropped
 * - `invalid-event`: the input has no event name and was dropped
 *
 * @throws TypeError if `contextId` is not a non-empty string or `now` is not a function; later if `now` returns no
 * valid time.
 */
export function fromSessionEvents(
  options: FromSessionOptions = {},
): Machine<MachineState<'fromSessionEvents'>, SessionInput, ContextAnyEvent> {
  requireObject('options', options)
  const { contextId, now } = options
  optional(requireText, 'contextId', contextId)
  optional(requireFunction, 'now', now)
  const clock = now === undefined ? undefined : () => readClock(now)
  const machine: Machine<FromSessionState, SessionInput, ContextAnyEvent> = {
    initial: initialState,
    step(state, event) {
      if (!isFields(event) || typeof event.event !== 'string') return invalidStep(state, event)
      const writer = new RoundWriter(state, event)
      const { timestamp, inferred } = writer.readTimestamp(clock)
      writer.update({ contextId: contextId ?? contextOf(writer), timestamp })
      convert(writer)
      if (inferred !== undefined && writer.out.length > 0) {
        const diagnostic = { code: 'inferred:timestamp', message: inferred, path: '/timestamp' }
        writer.diagnostics.unshift(diagnostic)
      }
      return writer.done()
    },
    end(state) {
      const writer = new RoundWriter(state, { event: '' })
      if (writer.isOpen && state.stage === 'ending') closeRound(writer)
      return writer.done()
    },
  }
  return opaque(machine)
}

function convert(writer: RoundWriter): void {
  const { event } = writer
  const name = event.event as SessionEventName
  if (!Object.hasOwn(conversions, name)) {
    writer.droppedEvent()
    return
  }
  conversions[name]?.(writer)
  if (writer.core === undefined && Object.hasOwn(sessionMappedFields, name)) {
    writer.diagnostics.push(...lossyFieldsOf(event))
  }
}

/** The default context: the session. An open round keeps its context. */
function contextOf({ isOpen, state, event }: RoundWriter): string {
  const { session_id } = event
  if (!isOpen && typeof session_id === 'string' && session_id !== '') return session_id
  return state.contextId || 'session'
}

function invalidStep(state: FromSessionState, input: unknown): ReturnType<RoundWriter['done']> {
  const builder = new StepBuilder<FromSessionState, ContextAnyEvent>(state)
  const path = isFields(input) ? '/event' : ''
  const actual = isFields(input) ? input.event : input
  const message = `Expected an event with a name, got ${describeValue(actual)}.`
  builder.invalid([{ code: 'invalid-type', path, message }])
  return builder.done()
}
