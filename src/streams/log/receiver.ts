/**
 * The receiving side of a log: checks the order of batches and resets.
 *
 *     following ──next batch──────▶ following      events
 *         ├────── old batch ──────▶ following      duplicate
 *         ├────── later batch ────▶ following      gap: reconnect with the cursor
 *         ├────── reset ──────────▶ following      reset: start again from its events
 *         └────── last batch ─────▶ closed         closed: do not reconnect
 */
import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { optional, requireOnly } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Forgotten } from '../forgotten.ts'
import {
  type Batch,
  cursorAfter,
  type Loss,
  type Reset,
  type ResetReason,
  requirePart,
  type StreamEvent,
} from './batch.ts'
import { type Cursor, requireCursor } from './cursor.ts'

/** Documented state of {@link receiver}. */
type ReceiverFields = {
  /** The last event that was emitted: resume after it. Omitted before the first batch or reset. */
  readonly cursor?: Cursor
  /** Whether the stream is closed and ends at the cursor. */
  readonly closed: boolean
}

/** What a batch or a reset means to the client. `cursor` is the receiver's position afterwards. */
export type Received<E extends StreamEvent = ContextAnyEvent> =
  | ReceivedEvents<E>
  | ReceivedDuplicate
  | ReceivedGap
  | ReceivedReset<E>
  | ReceivedClosed

/** The next events, in order. Empty if the reader may not see any event of the range. */
export interface ReceivedEvents<E extends StreamEvent = ContextAnyEvent> {
  readonly type: 'events'
  /** The events, in the order of the log, each exactly once. */
  readonly events: readonly E[]
  /** Events dropped because the reader is too slow, counted by kind. Omitted if none were. */
  readonly loss?: Loss
  /** Where to resume: store it together with the state built from the events. */
  readonly cursor: Cursor
}

/** The batch holds nothing new. */
export interface ReceivedDuplicate {
  readonly type: 'duplicate'
  /** Where to resume: unchanged. */
  readonly cursor: Cursor
}

/** Events are missing before the batch, or may be. The batch is dropped: reconnect with the cursor. */
export interface ReceivedGap {
  readonly type: 'gap'
  /** Where to resume. Omitted: at the beginning of the stream. */
  readonly cursor?: Cursor
  /** Start of the dropped batch: it begins after this position. */
  readonly got: Cursor
}

/** Discard the state built so far and fold the events instead. */
export interface ReceivedReset<E extends StreamEvent = ContextAnyEvent> {
  readonly type: 'reset'
  /** Why the server could not continue from the cursor. */
  readonly reason: ResetReason
  /** The events of the new state. Omitted if the server has no snapshot; see {@link Reset.events}. */
  readonly events?: readonly E[]
  /** The tasks that the server no longer has; see {@link Reset.forgotten}. */
  readonly forgotten?: Forgotten
  /** The root task before which there are older ones; see {@link Reset.older}. */
  readonly older?: string
  /** Where to resume: store it together with the new state. */
  readonly cursor: Cursor
}

/** The stream is complete. Emitted once, after the last events. */
export interface ReceivedClosed {
  readonly type: 'closed'
  /** The end of the stream. */
  readonly cursor: Cursor
}

/** Options of {@link receiver}. */
export interface ReceiverOptions {
  /** The cursor stored with the state built so far. Omitted: starts at the beginning of the stream. */
  readonly cursor?: Cursor
}

/**
 * Checks that the batches of one stream are contiguous, and emits each event exactly once, in the order
 * of the log, even if batches are lost, repeated or reordered. Stores a cursor and no events.
 *
 * A batch with another epoch or filter than the cursor is a gap: only a reset leads from one to the other.
 *
 * @throws TypeError if `cursor` is not a cursor.
 *
 * @example
 * ```ts
 * const client = run(pipe(batchDecoder(), receiver()))
 * for (const received of client.push(chunk)) {
 *   if (received.type === 'reset') view = emptyView
 *   if ('events' in received) view = foldEvents(view, received.events ?? [])
 * }
 * ```
 */
export function receiver<E extends StreamEvent = ContextAnyEvent>(
  options: ReceiverOptions = {},
): Machine<MachineState<'receiver', ReceiverFields>, Batch<E> | Reset<E>, Received<E>> {
  requireOnly('options', options, ['cursor'])
  const { cursor } = options
  optional(requireCursor, 'cursor', cursor)
  const machine: Machine<ReceiverFields, Batch<E> | Reset<E>, Received<E>> = {
    initial: cursor === undefined ? { closed: false } : { cursor, closed: false },
    step(state, input) {
      requirePart(input)
      const end = cursorAfter(input)
      if (input.type === 'reset') {
        const { reason, events, forgotten, older } = input
        const reset: ReceivedReset<E> = {
          ...{ type: 'reset', reason, cursor: { ...end } },
          ...(forgotten && { forgotten }),
          ...(older && { older }),
          ...(events && { events: [...events] }),
        }
        return { state: { cursor: end, closed: false }, out: [reset] }
      }
      const have = state.cursor?.seq ?? -1
      const rest = isSameSource(state.cursor, input) ? eventsAfter(input, have) : undefined
      if (rest === undefined) return { state, out: [gapBefore(input, state.cursor)] }
      if (input.through < have) return { state, out: [{ type: 'duplicate', cursor: { ...end, seq: have } }] }

      const out: Received<E>[] = []
      // The first batch is emitted even if it is empty: it establishes the epoch.
      if (input.through > have || state.cursor === undefined) {
        const events = { type: 'events', events: rest, cursor: { ...end } } as const
        out.push(input.loss === undefined ? events : { ...events, loss: { ...input.loss } })
      }
      if (input.closed === true && !state.closed) out.push({ type: 'closed', cursor: { ...end } })
      if (out.length === 0) out.push({ type: 'duplicate', cursor: { ...end } })
      return { state: { cursor: end, closed: state.closed || input.closed === true }, out }
    },
    end: (state) => ({ state, out: [] }),
  }
  return opaque(machine)
}

function isSameSource(cursor: Cursor | undefined, { stream, epoch, filter }: Batch<StreamEvent>): boolean {
  return (
    cursor === undefined || (cursor.stream === stream && cursor.epoch === epoch && cursor.filter === filter)
  )
}

/**
 * The events of a batch after a sequence number; `undefined` if the batch starts later, or a merged event
 * covers numbers on both sides of it.
 */
function eventsAfter<E extends StreamEvent>(
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
