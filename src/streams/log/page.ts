/** One page of a log, as one reader gets it. */
import { utf8Length } from '../../encoding/utf8-length.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Batch, StreamEvent } from './batch.ts'
import type { LogExtent } from './extent.ts'
import type { ReadFilter } from './read-filter.ts'

/**
 * Collects the consecutive events after a position. What is hidden from the reader takes no room, so that the pages of two
 * streams that differ only in that hold the same.
 */
export class Page<E extends StreamEvent = ContextAnyEvent> {
  /** The `seq` of the last event. */
  through: number
  readonly #after: number
  readonly #filter: ReadFilter<E> | undefined
  readonly #maxBytes: number
  readonly #events: E[] = []
  readonly #seqs: number[] = []
  #bytes = 0

  /**
   * @param after - The `seq` before the first event.
   * @param maxBytes - Maximum size of the events as the reader gets them; the first may be larger.
   */
  constructor(after: number, filter: ReadFilter<E> | undefined, maxBytes: number) {
    this.through = after
    this.#after = after
    this.#filter = filter
    this.#maxBytes = maxBytes
  }

  /**
   * Adds the next event. Returns `false` without adding it if there is no room for it.
   *
   * @param bytes - Its size in bytes of UTF-8 JSON.
   */
  add(event: E, bytes: number): boolean {
    const shown = this.#filter === undefined ? event : this.#filter.apply(event)
    if (shown !== undefined) {
      if (this.#maxBytes !== Number.POSITIVE_INFINITY) {
        const size = shown === event ? bytes : utf8Length(JSON.stringify(shown))
        if (this.#events.length > 0 && this.#bytes + size > this.#maxBytes) return false
        this.#bytes += size
      }
      this.#events.push(shown)
      this.#seqs.push(this.through + 1)
    }
    this.through++
    return true
  }

  /** The events so far as a batch of the log. */
  batch(log: LogExtent): Batch<E> {
    const { stream, epoch } = log
    const through = this.through
    const after = this.#after
    const events = this.#events
    const seqs = this.#seqs
    const filter = this.#filter
    // Written out, as one event is often a batch: a spread takes several times as long.
    const batch: Batch<E> =
      filter === undefined
        ? { type: 'batch', stream, epoch, after, through, events, seqs }
        : { type: 'batch', stream, epoch, filter: filter.id, after, through, events, seqs }
    return log.closed && through === log.next - 1 ? { ...batch, closed: true } : batch
  }
}
