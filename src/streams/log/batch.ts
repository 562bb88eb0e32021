/**
 * What a log returns to a reader: contiguous batches, or a reset.
 *
 *     events     0 1 2 3 4 5 6 7 8 9
 *     visible    0 . . 3 4 . . 7 . .
 *     batches   (−1, 3]: 0 3    (3, 6]: 4    (6, 9]: 7
 *
 * A batch states the range of sequence numbers it covers, not only the events in it. A reader therefore
 * detects a missing batch even if a filter hid, a merge combined or backpressure dropped events.
 */
import type { UnknownEvent } from '../../core/decode-result.ts'
import { mismatch, requireObject } from '../../core/require.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Forgotten } from '../forgotten.ts'
import type { Cursor } from './cursor.ts'

/** Minimum shape of a stream event. Streams also hold events of kinds this version does not know. */
export interface StreamEvent {
  readonly kind: string
}

/** An event of this version, or of a kind it does not know. */
export type AnyStreamEvent = ContextAnyEvent | UnknownEvent

/** The events in a range of a stream that one reader may see. Process it as a whole or not at all. */
export interface Batch<E extends StreamEvent = ContextAnyEvent> {
  readonly type: 'batch'
  /** Name of the stream. */
  readonly stream: string
  /** Epoch of the sequence numbers; see {@link Position.epoch}. */
  readonly epoch: string
  /** The {@link ReadFilter.id} it was read with. Omitted if it was read without a filter. */
  readonly filter?: string
  /** The range starts after this `seq`. −1: at the first event. */
  readonly after: number
  /** The last `seq` of the range. Equal to `after` if the reader is up to date. */
  readonly through: number
  /** The events in the range that the reader may see, in order. May be empty. */
  readonly events: readonly E[]
  /** The `seq` of each event; of a merged event, the last one it covers. */
  readonly seqs: readonly number[]
  /** Set if deltas were merged, so that one event may cover several sequence numbers. Omitted otherwise. */
  readonly merged?: true
  /**
   * Visible events that were dropped because the reader is too slow, counted by kind. Only thoughts and
   * internal events are ever dropped. Omitted if none were.
   */
  readonly loss?: Loss
  /** Set if the stream is closed and ends with this batch. Omitted while events may follow. */
  readonly closed?: true
}

/** Dropped events, counted by kind. */
export type Loss = Readonly<Record<string, number>>

/**
 * Why a log cannot return all events after a cursor. Servers of later versions may send other reasons;
 * handle those in the same way.
 *
 * - `malformed`: the cursor is not valid
 * - `unknown-stream`: the cursor belongs to another stream
 * - `epoch-changed`: the stream was restarted with new sequence numbers
 * - `filter-changed`: the reader now has another filter
 * - `ahead`: the cursor is past the end of the stream; the server lost events, or the cursor is forged
 * - `evicted`: events after the cursor are no longer kept, or not for a reader this far behind
 */
export type ResetReason =
  | 'malformed'
  | 'unknown-stream'
  | 'epoch-changed'
  | 'filter-changed'
  | 'ahead'
  | 'evicted'

/** Replaces a batch: discard the state built so far and continue from the events of a snapshot. */
export interface Reset<E extends StreamEvent = ContextAnyEvent> {
  readonly type: 'reset'
  /** Why the events after the cursor cannot be returned. */
  readonly reason: ResetReason
  /** Name of the stream. */
  readonly stream: string
  /** The current epoch of the stream. */
  readonly epoch: string
  /** The {@link ReadFilter.id} of the reader. Omitted if it reads without a filter. */
  readonly filter?: string
  /** The snapshot includes all events through this `seq`; batches continue after it. */
  readonly through: number
  /** The first `seq` still in the log; the next `seq` to be assigned if the log is empty. */
  readonly earliest: number
  /**
   * Events that fold to the state after `through`, as the reader may see it: see {@link EventLog.snapshot}. Omitted if
   * the server has no snapshot: the reader has to get the state in another way.
   */
  readonly events?: readonly E[]
  /** The tasks that retention has cut, of those that the reader may see. Omitted: none, or it is not known. */
  readonly forgotten?: Forgotten
  /** The root task before which there are older ones, to be had as pages of the history. Omitted: the events have all tasks. */
  readonly older?: string
}

/**
 * The cursor of a reader that has processed a batch or a reset.
 *
 * @throws TypeError if `part` is not an object.
 */
export function cursorAfter(part: Batch<StreamEvent> | Reset<StreamEvent>): Cursor {
  requireObject('part', part)
  const { stream, epoch, through, filter } = part
  return filter === undefined ? { stream, epoch, seq: through } : { stream, epoch, seq: through, filter }
}

/** Whether a batch covers no sequence number and does not end the stream. */
export function isEmptyBatch({ after, through, closed }: Batch<StreamEvent>): boolean {
  return through === after && closed === undefined
}

/** Requires a batch or a reset, and not for example its events. */
export function requirePart(part: unknown): void {
  const { type, events, seqs } = (part ?? {}) as
    | Partial<Batch<StreamEvent>>
    | (Reset<StreamEvent> & { seqs?: never })
  if (type === 'reset' || (type === 'batch' && Array.isArray(events) && Array.isArray(seqs))) return
  throw mismatch('part', 'a batch or a reset', part)
}
