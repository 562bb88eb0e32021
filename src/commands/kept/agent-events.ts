/** Reading the events of an agent without waiting for one that may never come. */

import { onAbort } from '../../core/on-abort.ts'
import { startTimer, stopTimer } from '../../core/timer.ts'

/** Reads the items of an iterable until a signal is aborted. */
export interface AgentEvents<T> {
  /**
   * The next item; `undefined` after the last one, or once the signal is aborted.
   *
   * @param ms - Resolves to `undefined` after this time. Omitted: waits as long as it takes.
   */
  next(ms?: number): Promise<T | undefined>
  /** Stops the iterable. What it throws from now on is ignored. */
  stop(): void
}

export function agentEvents<T>(items: AsyncIterable<T>, signal: AbortSignal): AgentEvents<T> {
  const iterator = items[Symbol.asyncIterator]()
  let cancel = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    else cancel = onAbort(signal, () => resolve(undefined))
  })
  return {
    async next(ms) {
      const next = Promise.resolve(iterator.next())
      // What it throws after the end is of no interest.
      next.catch(() => undefined)
      let timer: unknown
      const late = new Promise<undefined>((resolve) => {
        if (ms !== undefined) timer = startTimer(() => resolve(undefined), ms)
      })
      try {
        const result = await Promise.race([aborted, late, next])
        return result === undefined || result.done || signal.aborted ? undefined : result.value
      } finally {
        stopTimer(timer)
      }
    },
    stop() {
      cancel()
      try {
        Promise.resolve(iterator.return?.()).catch(() => undefined)
      } catch {}
    },
  }
}
