/** What is made of a log once for all who ask at about the same time, as many readers do after a restart. */
import { startTimer } from '../../core/timer.ts'
import type { Snapshot } from './event-log.ts'

/**
 * How long something is given to others after it is made. A number of events instead would count those that a reader may not see.
 */
const RECENT_MS = 1000

/**
 * What was made a moment ago if its readers can continue from there, or else what is made now.
 *
 * @param all - What was made, by its key. Changed.
 * @param key - Who shares it: those with the same filter.
 * @param log - The epoch of the log, and the first event that it has. Omitted: it has all.
 */
export async function shareRecent<T extends Pick<Snapshot, 'epoch' | 'through'> | undefined>(
  all: WeakMap<object, Promise<unknown>>,
  key: object,
  log: { readonly epoch: string; readonly earliest?: number },
  make: () => Promise<T>,
): Promise<T> {
  const known = all.get(key)
  if (known !== undefined) {
    const found = (await known.catch(() => undefined)) as T | undefined
    if (found?.epoch === log.epoch && found.through + 1 >= (log.earliest ?? 0)) return found
    // Whoever found the same may have begun another.
    if (all.get(key) !== known) return shareRecent(all, key, log, make)
  }
  const made = make()
  all.set(key, made)
  const forget = (): void => {
    if (all.get(key) === made) all.delete(key)
  }
  made.then(() => startTimer(forget, RECENT_MS), forget)
  return made
}
