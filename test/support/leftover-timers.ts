/**
 * Stops what a test file leaves behind. Files share a thread, so that a store which nobody has closed would look for news while
 * later files run, and in their fake time thousands of times.
 */
import { afterAll } from 'vitest'

interface Timers {
  readonly pending: Set<NodeJS.Timeout>
  stopLeftover(): void
}

/** Notes the timers that are pending, from now on and in every file that this thread runs. */
function note(): Timers {
  const pending = new Set<NodeJS.Timeout>()
  const { setTimeout: start, clearTimeout: stop } = globalThis
  const noted = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): NodeJS.Timeout => {
    const timer = start(() => {
      pending.delete(timer)
      callback(...args)
    }, ms)
    pending.add(timer)
    return timer
  }
  // What `promisify` makes of it among others.
  globalThis.setTimeout = Object.defineProperties(
    noted,
    Object.getOwnPropertyDescriptors(start),
  ) as typeof setTimeout
  globalThis.clearTimeout = (timer) => {
    pending.delete(timer as NodeJS.Timeout)
    stop(timer)
  }
  return {
    pending,
    stopLeftover() {
      for (const timer of pending) stop(timer)
      pending.clear()
    },
  }
}

const shared = globalThis as { timersOfTests?: Timers }
shared.timersOfTests ??= note()
const timers = shared.timersOfTests

afterAll(() => timers.stopLeftover())
