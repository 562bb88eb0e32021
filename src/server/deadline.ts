/** Deadlines of what a store does. */

import { startTimer, stopTimer } from '../core/timer.ts'
import { StoreError } from './store-error.ts'

/**
 * Runs a task, and rejects as `unavailable` if it does not end in time. The task continues then: what it appends may be stored.
 *
 * @param what - What is expected to end, for the message.
 * @param task - Asks `isOver` before it begins what nobody waits for any more.
 */
export async function within<T>(
  ms: number,
  what: string,
  task: (isOver: () => boolean) => Promise<T>,
): Promise<T> {
  let isOver = false
  let timer: unknown
  const late = new Promise<never>((_, reject) => {
    timer = startTimer(() => {
      isOver = true
      reject(new StoreError('unavailable', `Expected ${what} to end within ${ms} ms.`))
    }, ms)
  })
  try {
    return await Promise.race([task(() => isOver), late])
  } finally {
    stopTimer(timer)
  }
}
