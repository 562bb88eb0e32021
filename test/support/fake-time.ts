/** Waits that take no time, or little. */
import { beforeEach, vi } from 'vitest'

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

/**
 * Lets the waits of the tests that follow take a hundredth of their time, where others than timers, such as sockets, must have
 * theirs.
 *
 * @param limitMs - Waits of this time and more are limits, which stay.
 */
export function hastenWaits(limitMs = 10_000): void {
  beforeEach(() => {
    const { setTimeout } = globalThis
    const spy = vi.spyOn(globalThis, 'setTimeout')
    spy.mockImplementation(((run: () => void, ms = 0, ...args: unknown[]) =>
      setTimeout(run, ms < limitMs ? ms / 100 : ms, ...args)) as never)
    return () => spy.mockRestore()
  })
}
