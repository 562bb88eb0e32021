/** The end of a log that many readers of one process follow: read once for all of them. */
import { pause } from '../../../core/timer.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import type { Batch, Reset, StreamEvent } from '../batch.ts'
import type { Cursor } from '../cursor.ts'
import type { EventLog } from '../event-log.ts'
import { makeBatch } from '../read.ts'
import type { ReadFilter } from '../read-filter.ts'
import { callInSlices, type Waiter } from '../waiters.ts'

/** Who waits for the tail of a log. */
export interface TailWaiter extends Waiter {
  /** Called instead of `wake` if the log cannot be read. */
  fail(error: unknown): void
}

/**
 * Reads a log while somebody waits for its next event. What it read last is there for those who waited, each with its own
 * filter; who is at another place reads the log itself.
 *
 *     idle ──wait──▶ reading ──events──▶ wakes all ──somebody waits──▶ reading
 *       ▲               │                    │
 *       └──nobody waits─┴────────────────────┘
 */
export class Tail<E extends StreamEvent = ContextAnyEvent> {
  readonly #log: EventLog<E>
  readonly #waiting = new Set<TailWaiter>()
  /** Where it reads: unset while it does not. */
  #at: Cursor | undefined
  #reading: AbortController | undefined
  /** The events that it read last. */
  #last: Batch<E> | undefined
  /** What readers got of them, by filter. */
  #shown = new Map<ReadFilter<E> | undefined, Batch<E>>()

  constructor(log: EventLog<E>) {
    this.#log = log
  }

  /**
   * Calls a reader that has everything through a position when there is more.
   *
   * @returns `behind`: there is more at once. `elsewhere`: what is read is of another epoch; the reader waits by itself.
   */
  wait(waiter: TailWaiter, { stream, epoch, seq }: Cursor): 'waiting' | 'behind' | 'elsewhere' {
    if (this.#at !== undefined && this.#at.epoch !== epoch) return 'elsewhere'
    if (this.#at !== undefined && this.#at.seq > seq) return 'behind'
    this.#waiting.add(waiter)
    if (this.#at === undefined) void this.#read({ stream, epoch, seq })
    return 'waiting'
  }

  /** Ends the waiting of a reader. */
  forget(waiter: TailWaiter): void {
    this.#waiting.delete(waiter)
    if (this.#waiting.size === 0) this.#reading?.abort()
  }

  /** What comes after a position, if that is what was read last; `undefined`: read the log. */
  take({ epoch, seq }: Cursor, filter: ReadFilter<E> | undefined): Batch<E> | undefined {
    const last = this.#last
    if (last === undefined || last.epoch !== epoch || seq < last.after) return undefined
    if (seq > last.through || (seq === last.through && last.closed !== true)) return undefined
    const known = this.#shown.get(filter)
    if (known?.after === seq) return known
    const { stream, after, through, events, closed } = last
    const extent = { stream, epoch, earliest: after + 1, next: through + 1, closed: closed === true }
    const batch = makeBatch(extent, seq, events.slice(seq - after), filter)
    this.#shown.set(filter, batch)
    return batch
  }

  /** Reads until nobody waits. What cannot be shared is left to the readers, which read for themselves then. */
  async #read(from: Cursor): Promise<void> {
    let at: Cursor | undefined = from
    while (at !== undefined) {
      this.#at = at
      const reading = new AbortController()
      this.#reading = reading
      try {
        at = await this.#share(await this.#log.read(at, { wait: true, signal: reading.signal }))
      } catch (error) {
        if (!reading.signal.aborted) {
          at = undefined
          await this.#call((waiter) => waiter.fail(error))
        }
      }
      this.#reading = undefined
      // Those who were woken wait again by then, if they are as fast as the log.
      await pause(0)
      if (this.#waiting.size === 0) at = undefined
    }
    this.#at = undefined
    this.#last = undefined
    this.#shown.clear()
    await this.#call((waiter) => waiter.wake())
  }

  /** Gives a part to those who wait. Returns where the next one begins; `undefined` if there is none. */
  async #share(part: Batch<E> | Reset<E>): Promise<Cursor | undefined> {
    const { stream, epoch, through } = part
    const isWhole = part.type === 'batch' && part.events.length === through - part.after
    const hasMore = isWhole && part.closed !== true
    this.#last = isWhole ? part : undefined
    this.#shown = new Map()
    const at = hasMore ? { stream, epoch, seq: through } : undefined
    this.#at = at
    if (!hasMore || part.events.length > 0) await this.#call((waiter) => waiter.wake())
    return at
  }

  #call(notify: (waiter: TailWaiter) => void): Promise<void> {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    return callInSlices(waiting, notify)
  }
}
