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
  // One listener for all items: racing each with a promise of the abort would retain them until it comes.
  let endWait = (): void => {}
  const cancel = onAbort(signal, () => endWait())
  return {
    async next(ms) {
      let timer: unknown
      const next = new Promise<T | undefined>((resolve, reject) => {
        endWait = () => resolve(undefined)
        if (signal.aborted) endWait()
        if (ms !== undefined) timer = startTimer(endWait, ms)
        Promise.resolve(iterator.next()).then(
          ({ done, value }) => resolve(done || signal.aborted ? undefined : value),
          reject,
        )
      })
      try {
        return await next
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
