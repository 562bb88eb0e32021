/** From Looopy to turnstream events. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { optional, requireBoolean, requireFunction, requireOnly, requireText } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { withOwnLabels } from '../../shared/labels.ts'
import { named } from '../../shared/reader.ts'
import { reportUndecoded } from '../../shared/report-undecoded.ts'
import { unicodeEvents } from '../../shared/unicode.ts'
import type { FromLooopyOptions } from './options.ts'
import { readEnvelope } from './read-envelope.ts'
import { isInternal, readFields } from './read-fields.ts'
import { type LooopyInput, readInput } from './read-input.ts'
import { type FromLooopyState, initialState } from './state.ts'
import { track, trackEnd } from './track.ts'

/**
 * Maps the events of a Looopy server, or of an implementation of the Internal Event Protocol, to turnstream events.
 *
 * Reads what such servers send and what their documents show: the kind in the event type of the SSE message,
 * `status: { state }`, `content` or `thought` for the text, names in snake case, `tool-call`, `tool-input-required`,
 * errors as text, and events without index or timestamp. Kinds without an equivalent, such as `llm-usage`, become
 * `custom` events named `looopy.<kind>`. Values that turnstream has no name for are kept in `metadata.looopy`, or under the next free key after it.
 *
 * Never throws on data. Diagnostics:
 *
 * - `invalid-event`: the input is no event; `detail` lists the issues
 * - `inferred:kind`: the event type of the message and the kind in its data differ; the one in the data is used
 * - `inferred:contextId`, `inferred:timestamp`: the events state none; reported once each
 * - `lossy:metadata`: a `metadata.audience`, which is removed: the server does not decide who sees its events
 * - `gap`: the events do not continue those before, as a server filters events and loses some: a task does not begin
 *   with `task-created` or does not end, an index or a text is missing, an item ends that has not begun, or is open when
 *   its task completes. The events are passed on as they are
 * - `state-evicted`: more than 4096 tasks; an evicted one begins again
 *
 * @throws TypeError if an option is invalid; later if `now` returns no valid time.
 *
 * @example
 * ```ts
 * const machine = pipe(sseDecoder(), fromLooopy({ contextId: 'ctx-1' }))
 * for await (const event of iterate(machine, response.body)) render(event)
 * ```
 *
 * @see docs/looopy.md
 */
export function fromLooopy(
  options: FromLooopyOptions = {},
): Machine<MachineState<'fromLooopy'>, LooopyInput, ContextAnyEvent> {
  requireOnly('options', options, ['contextId', 'now', 'showErrors'])
  const { contextId, now, showErrors } = options
  optional(requireText, 'contextId', contextId)
  optional(requireFunction, 'now', now)
  optional(requireBoolean, 'showErrors', showErrors)
  const machine: Machine<FromLooopyState, LooopyInput, ContextAnyEvent> = {
    initial: initialState,
    step(state, input) {
      const builder = new StepBuilder<FromLooopyState, ContextAnyEvent>(state)
      const read = readInput(input)
      if ('code' in read) {
        builder.invalid([read])
        return builder.done()
      }
      const envelope = readEnvelope(builder, read, options)
      const decoded = decodeEvent(readFields(builder, envelope))
      if (decoded.status === 'known') {
        track(builder, decoded.event)
        builder.emit(decoded.event)
      } else reportUndecoded(builder, decoded)
      return builder.done()
    },
    end(state) {
      const builder = new StepBuilder<FromLooopyState, ContextAnyEvent>(state)
      trackEnd(builder)
      return builder.done()
    },
  }
  const labels = { isForOperators: isInternal, showErrors }
  return opaque(unicodeEvents(withOwnLabels(named(['Looopy'], machine), labels)))
}
