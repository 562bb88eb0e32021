/** Waiting for a change. */
import { onAbort } from './on-abort.ts'
import { startTimer, stopTimer } from './timer.ts'

/** Who waits for the same change. Each is called with whether it has come. */
export type Waiting = Set<(isChanged: boolean) => void>

/** Wakes all. `false`: nothing is known to have changed, and no news will come. */
export function wakeAll(waiting: Waiting, isChanged: boolean = true): void {
  for (const wake of [...waiting]) wake(isChanged)
}

/** Resolves to what it is woken with, to `false` after `ms` or if the signal is aborted. */
export function changeOf(
  waiting: Waiting,
  ms: number,
  signal: AbortSignal | undefined,
  keepsAlive: boolean = false,
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isChanged: boolean): void => {
      waiting.delete(finish)
      stopTimer(timer)
      cancel?.()
      resolve(isChanged)
    }
    const stop = (): void => finish(false)
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : startTimer(stop, ms, keepsAlive)
    const cancel = signal && onAbort(signal, stop)
    waiting.add(finish)
    if (signal?.aborted === true) stop()
  })
}

/**
 * Whether a message to oneself comes back in time: if it does not, others do not come either.
 *
 * @param waiting - Who is woken when it comes.
 */
export function comesBack(waiting: Waiting, ms: number, send: () => Promise<unknown>): Promise<boolean> {
  const answer = changeOf(waiting, ms, undefined)
  send().catch(() => undefined)
  return answer
}
