import { pause } from '../../core/timer.ts'

/** Who waits for the next change of a log. */
export interface Waiter {
  /** Called once, after the change, and perhaps after it was forgotten. */
  wake(): void
}

/** How many are called at once: a few milliseconds of work, with what their connections do then. */
const SLICE = 256

/** Resolves in the next turn of the event loop. A timer, which waits a millisecond at least, would delay the last of many. */
const nextTurn: () => Promise<unknown> =
  typeof setImmediate === 'function' ? () => new Promise(setImmediate) : () => pause(0)

/**
 * Calls a function with each of them, in slices, so that other work gets its turn between them.
 *
 * @param around - Called with each slice, which it has to call. Omitted: slices are called as they are.
 */
export async function callInSlices<T>(
  waiting: Iterable<T>,
  notify: (waiter: T) => void,
  around: (slice: () => void) => void = (slice) => slice(),
): Promise<void> {
  const all = [...waiting]
  for (let from = 0; from < all.length; from += SLICE) {
    if (from > 0) await nextTurn()
    around(() => all.slice(from, from + SLICE).forEach(notify))
  }
}
