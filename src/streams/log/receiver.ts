/**
 * The receiving side of a log: takes batches as they come and says what to make of them.
 *
 *     following ──batch that fits──▶ following      events
 *         ├──── batch it has ──────▶ following      duplicate
 *         ├──── batch too far on ──▶ following      gap: reconnect with the cursor
 *         ├──── reset ─────────────▶ following      reset: take the snapshot
 *         └──── last batch ────────▶ closed         closed: do not reconnect
 */

import type { Machine } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import {
  type Batch,
  cursorAfter,
  type Loss,
  type Reset,
  type ResetReason,
  type StreamEvent,
} from './batch.ts'
import type { Cursor } from './cursor.ts'

/** What a {@link receiver} remembers. Plain JSON. */
export interface ReceiverState {
  /** Everything through here has been given out; what to resume after. Absent: nothing yet. */
  readonly cursor?: Cursor
  /** Whether the stream ended at the cursor. */
  readonly closed: boolean
}

/** What to make of a batch or a reset. `cursor` is where the receiver stands after it. */
export type Received<E extends StreamEvent = ContextAnyEvent> =
  | ReceivedEvents<E>
  | ReceivedDuplicate
  | ReceivedGap
  | ReceivedReset
  | ReceivedClosed

/** What comes next, in order. Empty where the reader may not see anything of the stretch. */
export interface ReceivedEvents<E extends StreamEvent = ContextAnyEvent> {
  readonly type: 'events'
  /** The events, in the order of the log, each for the first time. */
  readonly events: readonly E[]
  /** What was left out because the reader is too slow, as counts by kind. Absent: nothing. */
  readonly loss?: Loss
  /** Where to go on: to be stored with what was made of the events. */
  readonly cursor: Cursor
}

/** Nothing new: all of the batch has been given out. */
export interface ReceivedDuplicate {
  readonly type: 'duplicate'
  /** Where to go on: as before. */
  readonly cursor: Cursor
}

/**
 * Something is missing before the batch, or it cannot be told: it is left out, and the way on is to
 * read again from the cursor.
 */
export interface ReceivedGap {
  readonly type: 'gap'
  /** Absent: read from the beginning. */
  readonly cursor?: Cursor
  /** What came instead: it begins after this place. */
  readonly got: Cursor
}

/** What was folded so far does not count any more: go on from the snapshot. */
export interface ReceivedReset {
  readonly type: 'reset'
  /** Why what was there before no longer counts. */
  readonly reason: ResetReason
  /** Absent: the server gives it otherwise; see {@link Reset.snapshot}. */
  readonly snapshot?: unknown
  /** Where to go on, after the snapshot. */
  readonly cursor: Cursor
}

/** The stream has ended; nothing follows. Comes once, after the last events. */
export interface ReceivedClosed {
  readonly type: 'closed'
  /** Where the stream ends. */
  readonly cursor: Cursor
}

/** Settings of {@link receiver}. */
export interface ReceiverOptions {
  /** Where to go on: what is stored with the folded state. Absent: at the beginning of the stream. */
  readonly cursor?: Cursor
}

/**
 * Puts the batches of one stream in order. Each event is given out once, in the order of the log,
 * whatever is lost, repeated or late on the way. Keeps a cursor and no events.
 *
 * A batch of another epoch or view than the cursor's does not fit, wherever it begins: what is on the
 * far side of such a change comes after a reset only.
 *
 * @example
 * ```ts
 * const client = run(pipe(batchDecoder(), receiver()))
 * for (const received of client.push(chunk)) {
 *   if (received.type === 'events') for (const event of received.events) view = foldEvent(view, event)
 * }
 * ```
 */
export function receiver<E extends StreamEvent = ContextAnyEvent>(
  options: ReceiverOptions = {},
): Machine<ReceiverState, Batch<E> | Reset, Received<E>> {
  const { cursor } = options
  return {
    initial: cursor === undefined ? { closed: false } : { cursor, closed: false },
    step(state, input) {
      const now = cursorAfter(input)
      if (input.type === 'reset') {
        const { reason, snapshot } = input
        const reset = { type: 'reset', reason, cursor: { ...now } } as const
        return {
          state: { cursor: now, closed: false },
          out: [snapshot === undefined ? reset : { ...reset, snapshot }],
        }
      }
      const have = state.cursor?.seq ?? -1
      const rest = isOfSameSource(state.cursor, input) ? restOf(input, have) : undefined
      if (rest === undefined) return { state, out: [gapBefore(input, state.cursor)] }
      if (input.through < have) return { state, out: [{ type: 'duplicate', cursor: { ...now, seq: have } }] }

      const out: Received<E>[] = []
      // Also the first sign of a stream that has nothing yet: from here on its epoch is known.
      if (input.through > have || state.cursor === undefined) {
        const events = { type: 'events', events: rest, cursor: { ...now } } as const
        out.push(input.loss === undefined ? events : { ...events, loss: { ...input.loss } })
      }
      if (input.closed === true && !state.closed) out.push({ type: 'closed', cursor: { ...now } })
      if (out.length === 0) out.push({ type: 'duplicate', cursor: { ...now } })
      return { state: { cursor: now, closed: state.closed || input.closed === true }, out }
    },
    end: (state) => ({ state, out: [] }),
  }
}

function isOfSameSource(cursor: Cursor | undefined, { stream, epoch, filter }: Batch<StreamEvent>): boolean {
  return (
    cursor === undefined || (cursor.stream === stream && cursor.epoch === epoch && cursor.filter === filter)
  )
}

/**
 * The events of a batch that come after a place, all of which is there; `undefined` when something is
 * missing before it, or a merged event lies across the place.
 */
function restOf<E extends StreamEvent>(
  { after, events, seqs, merged }: Batch<E>,
  have: number,
): E[] | undefined {
  if (after > have) return undefined
  if (after === have) return [...events]
  const next = seqs.findIndex((seq) => seq > have)
  if (next === -1) return []
  if (merged === true && seqs[next - 1] !== have) return undefined
  return events.slice(next)
}

function gapBefore(
  { stream, epoch, filter, after }: Batch<StreamEvent>,
  cursor: Cursor | undefined,
): ReceivedGap {
  const got = filter === undefined ? { stream, epoch, seq: after } : { stream, epoch, seq: after, filter }
  return cursor === undefined ? { type: 'gap', got } : { type: 'gap', cursor: { ...cursor }, got }
}
