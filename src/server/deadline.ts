/** Deadlines of what a store does. */
import { within as withinTime } from '../core/deadline.ts'
import { StoreError } from './store-error.ts'

/**
 * Runs a task, and rejects as `unavailable` if it does not end in time. The task continues then: what it appends may be stored.
 *
 * @param what - What is expected to end, for the message.
 * @param task - Asks `isOver` before it begins what nobody waits for any more.
 */
export function within<T>(ms: number, what: string, task: (isOver: () => boolean) => Promise<T>): Promise<T> {
  return withinTime(ms, () => new StoreError('unavailable', `Expected ${what} to end within ${ms} ms.`), task)
}
