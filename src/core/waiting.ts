/** Waiting for a change. */
import { onAbort } from './on-abort.ts'
import { startTimer, stopTimer } from './timer.ts'

/** Who waits for the same change. */
export type Waiting = Set<() => void>

/** Wakes all. */
export function wakeAll(waiting: Waiting): void {
  for (const wake of [...waiting]) wake()
}

/** Resolves to `true` when it is woken, to `false` after `ms` or if the signal is aborted. */
export function changeOf(
  waiting: Waiting,
  ms: number,
  signal: AbortSignal | undefined,
  keepsAlive: boolean = false,
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isChanged: boolean): void => {
      waiting.delete(wake)
      stopTimer(timer)
      cancel?.()
      resolve(isChanged)
    }
    const wake = (): void => finish(true)
    const stop = (): void => finish(false)
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : startTimer(stop, ms, keepsAlive)
    const cancel = signal && onAbort(signal, stop)
    waiting.add(wake)
    if (signal?.aborted === true) stop()
  })
}
