/** Timers. */

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

/**
 * Resolves after a time.
 *
 * @param keepsAlive - The wait keeps a process alive.
 */
export function pause(ms: number, keepsAlive: boolean = true): Promise<void> {
  return new Promise((resolve) => void startTimer(resolve, ms, keepsAlive))
}

/** Resolves after a time, or once the signal is aborted. A longer time than the platform's timer can hold is shortened. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(id)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const id = setTimeout(end, Math.min(ms, MAX_TIMEOUT_MS))
    signal.addEventListener('abort', end)
  })
}

/** The longest delay of a platform's timer, in milliseconds: 24 days. Timers with a longer one are due at once. */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1
