/** Waits that take no time. */
import { vi } from 'vitest'

/** How many turns others get before time goes on to the next timer. */
const TURNS = 3

/** Runs something that waits for timers alone: once nothing else is to do, the next timer is due. */
export async function inFakeTime<T>(run: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isSettled = false
  const settle = (): void => {
    isSettled = true
  }
  try {
    const running = run()
    running.then(settle, settle)
    for (let turn = 1; !isSettled; turn++) {
      await new Promise(setImmediate)
      if (turn % TURNS === 0 && !isSettled) vi.advanceTimersToNextTimer()
    }
    return await running
  } finally {
    vi.useRealTimers()
  }
}
