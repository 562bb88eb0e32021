/** The receiving side: drops duplicates and tracks which numbers are missing. */

import {
  type BoundedMap,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import { requireInteger, requireOnly } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import { readNamed, textOf } from '../wire/coerce.ts'
import { type DeliveredEvent, firstIdOf, parseSessionEventId, seqOf } from './event-id.ts'

/** A range of numbers, both ends included. */
type Range = readonly [from: number, to: number]

/** The state of {@link sessionReceiver}. */
export interface ReceiverState {
  /** The scope of the numbers: the `epoch`, or the connection in `event_id`. A new one restarts them. */
  readonly source: string
  /** The highest `seq` received: the number to acknowledge. -1 before the first. */
  readonly highest: number
  /** The numbers below `highest` that were not received. */
  readonly missing: readonly Range[]
  /** Number of events received after one with a higher number. */
  readonly late: number
  /** The ids received last: at least a window of them. */
  readonly ids: BoundedMap<true>
}

/** Options of {@link sessionReceiver}. */
export interface SessionReceiverOptions {
  /**
   * Number of recent ids that are at least used to detect duplicates: an integer from 1.
   *
   * @defaultValue 1024
   */
  readonly window?: number
}

/** Maximum number of gaps tracked. */
const MAX_GAPS = 256

/**
 * Passes on each event once and tracks the numbers received.
 *
 * Servers number events before they merge or drop some, so a gap is no error and nothing waits for it to
 * be filled. Events without a number or an id are passed on. The state has documented fields: `highest`,
 * the highest `seq` received, which is the number to acknowledge, or -1; and `missing`, the numbers below
 * it that were not received, as ranges with both ends included.
 *
 * Diagnostics:
 *
 * - `duplicate`: an event with an id received before, as itself or as the original of a replay, was dropped
 * - `invalid-event`: the input has no event name
 * - `gap-evicted`: more than 256 gaps; `detail` is the range that is no longer tracked
 *
 * @typeParam E - The events. They are passed on unchanged, as copies.
 * @throws TypeError if `window` is not an integer >= 1.
 */
export function sessionReceiver<E extends DeliveredEvent>(
  options: SessionReceiverOptions = {},
): Machine<
  MachineState<
    'sessionReceiver',
    { readonly highest: number; readonly missing: readonly (readonly [from: number, to: number])[] }
  >,
  E,
  E
> {
  requireOnly('options', options, ['window'])
  const { window = 1024 } = options
  requireInteger('window', window, 1)
  const machine: Machine<ReceiverState, E, E> = {
    initial: { source: '', highest: -1, missing: [], late: 0, ids: emptyBoundedMap },
    step(state, input) {
      const builder = new StepBuilder<ReceiverState, E>(state)
      const event = readNamed(builder, input)
      if (event === undefined) return builder.done()
      builder.state = track(state, event)
      const id = firstIdOf(event)
      if (id !== undefined && boundedGet(state.ids, id) !== undefined) {
        const message = `Expected a new event_id, got ${JSON.stringify(id)} again.`
        builder.diagnostic('duplicate', message, { path: '/event_id' })
        return builder.done()
      }
      if (id !== undefined) builder.update({ ids: boundedSet(state.ids, id, true, window).map })
      builder.emit({ ...event })
      const [gap, ...missing] = builder.state.missing
      if (missing.length >= MAX_GAPS) {
        builder.update({ missing })
        const message = `More than ${MAX_GAPS} gaps; the oldest is no longer tracked.`
        builder.diagnostic('gap-evicted', message, { detail: gap })
      }
      return builder.done()
    },
    end: (state) => ({ state, out: [] }),
  }
  return opaque(machine)
}

/** Records the number of an event. */
function track(state: ReceiverState, event: DeliveredEvent): ReceiverState {
  const seq = seqOf(event)
  if (seq === undefined) return state
  const source = textOf(event.epoch ?? parseSessionEventId(event.event_id)?.connection ?? state.source)
  const { highest, missing } =
    source === state.source ? state : { highest: -1, missing: [] as ReceiverState['missing'] }
  const next = { ...state, source, highest: Math.max(highest, seq), missing }
  if (highest < 0 || seq === highest + 1) return next
  if (seq > highest) return { ...next, missing: [...missing, [highest + 1, seq - 1]] }
  return { ...next, late: state.late + 1, missing: missing.flatMap((range) => without(range, seq)) }
}

/** What is left of a range without one number. */
function without([from, to]: Range, seq: number): readonly Range[] {
  if (seq < from || seq > to) return [[from, to]]
  const parts: readonly Range[] = [
    [from, seq - 1],
    [seq + 1, to],
  ]
  return parts.filter(([start, end]) => start <= end)
}
