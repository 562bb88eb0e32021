/** Appends that wait for their turn: in the order of the first calls with their events, also if some are rejected and repeated. */
import { isUnavailable } from './append-options.ts'

/** An append. */
export interface Waiting {
  /** Counts events by the first call with each. */
  readonly turn: number
  /** Set when it is rejected together with one before it. */
  isBehind?: boolean
  /** Whether its caller waits no more. */
  isOver(): boolean
  reject(error: unknown): void
}

export class AppendQueue<T extends Waiting> {
  /** Those that have not begun. */
  readonly waiting: T[] = []

  add(append: T): void {
    this.waiting.splice(this.#endOf(append), 0, append)
  }

  /** Takes the first, but for those that nobody waits for. */
  next(): T | undefined {
    let first = this.waiting.shift()
    while (first?.isOver()) first = this.waiting.shift()
    return first
  }

  /**
   * Rejects appends, in their order. What waits behind an event that is not stored in time would pass it: it is rejected as well.
   * Appended again, all keep their order.
   */
  reject(failed: readonly [T, ...T[]], error: unknown): void {
    const behind = isUnavailable(error) ? this.waiting.splice(this.#endOf(failed[0])) : []
    for (const append of [...failed, ...behind]) {
      append.isBehind = !append.isOver()
      append.reject(error)
    }
  }

  /** Learns that an append has ended with an error, perhaps at its deadline. */
  ended(append: T, error: unknown): void {
    // What was called since is behind none of those that were rejected together.
    if (append.isBehind !== true) this.reject([append], error)
  }

  /** Where those begin that were first called after an append. */
  #endOf({ turn }: Waiting): number {
    return this.waiting.findLastIndex((each) => each.turn <= turn) + 1
  }
}
