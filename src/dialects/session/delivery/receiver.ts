/** The receiving side: what came, what is missing, and what came twice. */
import type { Diagnostic, Machine, Step } from '../../../core/machine.ts'
import { wordOf } from '../wire/coerce.ts'
import { type DeliveredEvent, firstIdOf, parseSessionEventId, seqOf } from './event-id.ts'

/** What a {@link sessionReceiver} remembers. */
export interface SessionReceiverState {
  /** What numbers: the `epoch`, or the connection named in `event_id`. Numbers begin anew with it. */
  readonly source: string
  /** The highest `seq` received: what to acknowledge. -1: none yet. */
  readonly highest: number
  /** The numbers below `highest` that did not come, as ranges with both ends. */
  readonly missing: readonly (readonly [from: number, to: number])[]
  /** How many events came after one with a higher number. */
  readonly late: number
  /** The ids received last, oldest first. */
  readonly ids: readonly string[]
}

/** Settings of {@link sessionReceiver}. */
export interface SessionReceiverOptions {
  /**
   * How many ids are remembered to find duplicates by.
   * @defaultValue 1024
   */
  readonly window?: number
}

const MOST_GAPS = 256

/**
 * Passes on each event once, and keeps account of numbers.
 *
 * Servers number events before they merge and drop some, so a gap is no error and nothing waits for
 * it to be filled: acknowledge `state.highest`. Events without a number or an id pass.
 *
 * Diagnostics: `duplicate` for an event whose id came before, as itself or as the original of a replay;
 * it is not passed on. `gap-forgotten` when there are more than 256 gaps.
 *
 * @typeParam E - The events; they come out as they went in.
 */
export function sessionReceiver<E extends DeliveredEvent>(
  options: SessionReceiverOptions = {},
): Machine<SessionReceiverState, E, E> {
  const { window = 1024 } = options
  if (!(window >= 1)) throw new TypeError('`window` must be at least 1.')
  return {
    initial: { source: '', highest: -1, missing: [], late: 0, ids: [] },
    step(state, event): Step<SessionReceiverState, E> {
      const id = firstIdOf(event)
      const counted = count(state, event)
      if (id === undefined) return done(counted, event)
      if (state.ids.includes(id)) {
        const diagnostics = [
          { code: 'duplicate', message: `The event ${id} came before.`, path: '/event_id' },
        ]
        return { state: counted, out: [], diagnostics }
      }
      return done({ ...counted, ids: [...state.ids.slice(1 - window), id].slice(-window) }, event)
    },
    end: (state) => ({ state, out: [] }),
  }
}

function done<E>(state: SessionReceiverState, event: E): Step<SessionReceiverState, E> {
  const out = [{ ...event }]
  if (state.missing.length <= MOST_GAPS) return { state, out }
  const [gap, ...missing] = state.missing
  const diagnostics: Diagnostic[] = [{ code: 'gap-forgotten', message: 'Too many gaps.', detail: gap }]
  return { state: { ...state, missing }, out, diagnostics }
}

function count(state: SessionReceiverState, event: DeliveredEvent): SessionReceiverState {
  const seq = seqOf(event)
  if (seq === undefined) return state
  const source = wordOf(event.epoch ?? parseSessionEventId(event.event_id)?.connection ?? state.source)
  const { highest, missing } =
    source === state.source ? state : { highest: -1, missing: [] as SessionReceiverState['missing'] }
  const moved = { ...state, source, highest: Math.max(highest, seq) }
  if (highest < 0 || seq === highest + 1) return { ...moved, missing }
  if (seq > highest) return { ...moved, missing: [...missing, [highest + 1, seq - 1]] }
  return {
    ...moved,
    late: state.late + 1,
    missing: missing.flatMap(([from, to]) =>
      seq < from || seq > to
        ? [[from, to] as const]
        : ([[from, seq - 1] as const, [seq + 1, to] as const] as const).filter(([a, b]) => a <= b),
    ),
  }
}
