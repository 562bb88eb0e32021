/** Timers. */
import { MAX_TIMEOUT_MS } from './timeout.ts'

/**
 * Starts a timer that does not keep a process alive, where timers do.
 *
 * @param keepsAlive - It does, as somebody waits for it.
 */
export function startTimer(callback: () => void, ms: number, keepsAlive: boolean = false): unknown {
  const timer: unknown = setTimeout(callback, Math.min(ms, MAX_TIMEOUT_MS))
  if (!keepsAlive) (timer as { unref?(): void }).unref?.()
  return timer
}

/** Stops a timer; does nothing without one. */
export function stopTimer(timer: unknown): void {
  clearTimeout(timer as number | undefined)
}

/** Resolves after a time, and keeps a process alive until then. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(ms, MAX_TIMEOUT_MS)))
}
