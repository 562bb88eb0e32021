/**
 * The latest events of a stream, within limits. Readers are only cursors, so a slow reader uses no memory.
 *
 *     open ──append──▶ open ──close──▶ closed
 *       └──evict: drop the oldest──┘
 */
import { mismatch, requireJson } from '../../../core/require.ts'
import { utf8Length } from '../../../encoding/utf8-length.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { createTaskTree, MAX_SUBTASKS, type TaskTree } from '../../access/task-tree.ts'
import type { Batch, Reset, StreamEvent } from '../batch.ts'
import type { Cursor, Position } from '../cursor.ts'
import type { LogExtent } from '../extent.ts'
import { Page } from '../page.ts'
import { resetOf, resolveCursor } from '../read.ts'
import type { ReadFilter } from '../read-filter.ts'
import type { LogEntry, LogLimits, LogState } from './log-state.ts'

/** Evicted entries before the kept ones, from which the array is copied without them. */
const MIN_EVICTED = 32

/** Mutable. Create it from an {@link LogState}, which it copies. */
export class LogBuffer<E extends StreamEvent = ContextAnyEvent> implements LogExtent {
  readonly stream: string
  readonly epoch: string
  earliest: number
  next: number
  closed: boolean
  /** Called with each event that is evicted, before it is. */
  onEvict: ((entry: LogEntry<E>) => void) | undefined
  private readonly limits: LogLimits
  /** Total size of the kept events in bytes of UTF-8 JSON. */
  private bytes = 0
  /** The kept entries from index `start` on. The others are empty. */
  private entries: (LogEntry<E> | undefined)[]
  private start = 0
  /** The last batch that was read, by filter; unset when batches are not shared. */
  private pages: Map<ReadFilter<E> | undefined, SharedPage<E>> | undefined
  /** The parents of subtasks. Created with the first one: most logs have none. */
  private tree: TaskTree | undefined

  constructor({ stream, epoch, limits, earliest, next, closed, entries, tasks }: LogState<E>) {
    this.stream = stream
    this.epoch = epoch
    this.limits = limits
    this.earliest = earliest
    this.next = next
    this.closed = closed
    this.entries = [...entries]
    for (const { bytes } of entries) this.bytes += bytes
    this.tree = tasks && createTaskTree(MAX_SUBTASKS, tasks)
  }

  /** The content as plain JSON. */
  get state(): LogState<E> {
    const { stream, epoch, limits, earliest, next, closed } = this
    const state = { stream, epoch, limits, earliest, next, closed, entries: this.entriesFrom(earliest) }
    return this.tree === undefined ? state : { ...state, tasks: this.tree.state }
  }

  /** The position of the last event, even if it has been evicted. `seq` is −1 before the first event. */
  get head(): Position {
    const { stream, epoch, next } = this
    return { stream, epoch, seq: next - 1 }
  }

  /**
   * Appends an event, which is then at {@link head}, and evicts what exceeds the limits. Keeps the event object: do not
   * change it afterwards. An event of a task whose parent an earlier event stated gets that `parentTaskId`: filters show
   * less of subtasks.
   *
   * @param at - The current time in milliseconds, by the same clock as for {@link evict}.
   * @throws TypeError if the log is closed, `at` is not a finite number, the event is not JSON, or sequence
   * numbers have reached 2^53.
   */
  append(event: E, at: number): void {
    if (this.closed) throw new TypeError(`Cannot append to a closed log: ${this.stream}.`)
    requireTime('at', at)
    if (!Number.isSafeInteger(this.next))
      throw new TypeError('Sequence numbers have reached 2^53: open a new epoch.')
    const stamped = this.stamp(event)
    const bytes = utf8Length(requireJson('event', stamped))
    this.entries.push({ event: stamped, at, bytes })
    this.bytes += bytes
    this.next++
    // A callback of a reader may append.
    this.pages?.clear()
    this.evict(at)
  }

  /**
   * Evicts the events that exceed the limits. Needed for `maxAgeMs` while no event is appended.
   *
   * @param now - The current time in milliseconds, by the same clock as for {@link append}.
   */
  evict(now: number): void {
    requireTime('now', now)
    const { entries, limits } = this
    for (let oldest = entries[this.start]; oldest !== undefined; oldest = entries[this.start]) {
      const isWithinSize = entries.length - this.start <= limits.maxEvents && this.bytes <= limits.maxBytes
      if (isWithinSize && now - oldest.at <= limits.maxAgeMs) break
      this.onEvict?.(oldest)
      entries[this.start++] = undefined
      this.bytes -= oldest.bytes
      this.earliest++
    }
    if (this.start >= MIN_EVICTED && this.start * 2 >= entries.length) {
      this.entries = entries.slice(this.start)
      this.start = 0
    }
  }

  /** Closes the log. Readers get the remaining events and `closed`. */
  close(): void {
    this.closed = true
    this.pages?.clear()
  }

  /**
   * Reads the events after a cursor as one batch, or returns a reset if some of them are not available. Throws
   * only what the filter throws.
   *
   * Unless the filter returned copies, the batch holds the event objects of the log: copy before changing them.
   *
   * @param cursor - Cursor of the reader, or an unmodified `Last-Event-ID` header. Omitted, null or empty: the
   * beginning of the stream, or a reset `evicted` if the first event is no longer kept.
   * @param filter - Filter of the reader, applied to old and new events alike. Omitted: all events are visible.
   * @param maxBytes - Maximum size of the events as the filter returns them; at least one is read. Omitted: no limit.
   */
  read(
    cursor?: Cursor | string | null,
    filter?: ReadFilter<E>,
    maxBytes: number = Number.POSITIVE_INFINITY,
  ): Batch<E> | Reset<E> {
    const after = resolveCursor(this, cursor, filter)
    return typeof after === 'object' ? after : this.page(after, filter, maxBytes)
  }

  /** {@link read} from the `through` of the last batch or reset of this log with the same filter. */
  readAfter(seq: number, filter: ReadFilter<E> | undefined, maxBytes: number): Batch<E> | Reset<E> {
    if (seq + 1 < this.earliest) return resetOf(this, filter, 'evicted')
    const known = this.pages?.get(filter)
    if (known?.batch.after === seq && known.maxBytes === maxBytes) return known.batch
    const batch = this.page(seq, filter, maxBytes)
    this.pages?.set(filter, { maxBytes, batch })
    return batch
  }

  /** Calls a function in which readers with the same filter, at the same place, share a batch. */
  shared(read: () => void): void {
    this.pages = new Map()
    read()
    this.pages = undefined
  }

  /** The kept entries from a sequence number on. */
  entriesFrom(seq: number): LogEntry<E>[] {
    return this.entries.slice(this.start + seq - this.earliest) as LogEntry<E>[]
  }

  private stamp(event: E): E {
    if (this.tree === undefined) {
      if (!('parentTaskId' in event) && event.kind !== 'subtask-created') return event
      this.tree = createTaskTree()
    }
    return this.tree.stamp(event)
  }

  /** The events after a sequence number, as many as fit. */
  private page(after: number, filter: ReadFilter<E> | undefined, maxBytes: number): Batch<E> {
    const { entries } = this
    const page = new Page(after, filter, maxBytes)
    for (let at = this.start + after + 1 - this.earliest; at < entries.length; at++) {
      const entry = entries[at]
      if (entry === undefined || !page.add(entry.event, entry.bytes)) break
    }
    return page.batch(this)
  }
}

/** A batch that several readers get. */
interface SharedPage<E extends StreamEvent> {
  readonly maxBytes: number
  readonly batch: Batch<E>
}

function requireTime(name: string, value: number): void {
  if (!Number.isFinite(value)) throw mismatch(name, 'a finite number of milliseconds', value)
}
