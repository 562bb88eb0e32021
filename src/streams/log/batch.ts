/**
 * What a log hands to a reader: batches that lie end to end, or a reset.
 *
 *     events     0 1 2 3 4 5 6 7 8 9
 *     visible    0 . . 3 4 . . 7 . .
 *     batches   (−1, 3]: 0 3    (3, 6]: 4    (6, 9]: 7
 *
 * A batch says which stretch it covers, not only what is in it. So a reader sees that one is missing
 * even where a filter hid, a merge joined or a slow connection dropped events.
 */
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Cursor } from './cursor.ts'

/** What a stream may hold: events of this version, and of kinds it does not know. */
export interface StreamEvent {
  readonly kind: string
}

/** The events of a stretch of a stream, as one reader may see them. Take it whole or not at all. */
export interface Batch<E extends StreamEvent = ContextAnyEvent> {
  readonly type: 'batch'
  readonly stream: string
  readonly epoch: string
  /** The {@link LogView.id} it was read under. Absent: the whole stream. */
  readonly filter?: string
  /** Where the stretch begins: it covers what comes after this `seq`. −1: from the first event on. */
  readonly after: number
  /** The last `seq` it covers. Equal to `after`: the reader has everything there is. */
  readonly through: number
  /** What the reader may see of the stretch, in order. May be empty. */
  readonly events: readonly E[]
  /** The `seq` of each of the events; of a merged one, the last it covers. */
  readonly seqs: readonly number[]
  /** Whether an event may cover several numbers, because deltas were merged. Absent: none does. */
  readonly merged?: true
  /**
   * What the reader might have seen and does not get, as counts by kind, because it is too slow. Only
   * thoughts and internal events are ever dropped. Absent: nothing was.
   */
  readonly loss?: Loss
  /** Whether the stream ends here: nothing follows in this epoch. Absent: it may go on. */
  readonly closed?: true
}

/** Dropped events, counted by kind. */
export type Loss = Readonly<Record<string, number>>

/**
 * Why the events after a cursor cannot be given, or not all of them. Treat one you do not know, from a
 * server of a later version, like the others.
 *
 * - `malformed`: the cursor is none
 * - `unknown-stream`: it is one of another stream
 * - `epoch-changed`: the stream started over
 * - `filter-changed`: the reader now sees more or less than when it stopped
 * - `ahead`: the stream has not come that far; the server lost events, or the cursor is forged
 * - `evicted`: events after it are no longer kept, or no longer for a reader so far behind
 */
export type ResetReason = (typeof resetReasons)[number]

/** All {@link ResetReason}s, in the order in which {@link read} looks for them. */
export const resetReasons = [
  'malformed',
  'unknown-stream',
  'epoch-changed',
  'filter-changed',
  'ahead',
  'evicted',
] as const

/** Instead of a batch: forget what was folded so far, and go on from a snapshot. */
export interface Reset {
  readonly type: 'reset'
  readonly reason: ResetReason
  readonly stream: string
  readonly epoch: string
  /** The {@link LogView.id} the reader now reads under. Absent: the whole stream. */
  readonly filter?: string
  /** What the snapshot includes, and where the batches go on: after this `seq`. */
  readonly through: number
  /** The first `seq` that is still kept; one more than the last when none is. */
  readonly earliest: number
  /**
   * What a reader would have folded from everything through `through`, as its view shows it. The host
   * sets it, from projected events only. Absent: the host tells it otherwise, or not at all.
   */
  readonly snapshot?: unknown
}

/** Where a reader stands that has taken a batch or a reset. */
export function cursorAfter({ stream, epoch, through, filter }: Batch<StreamEvent> | Reset): Cursor {
  const position = { stream, epoch, seq: through }
  return filter === undefined ? position : { ...position, filter }
}
