/** Work that Ctrl+C ends. */

/** Calls a function at Ctrl+C, or at a request to end. Returns what stops that. */
export function onInterrupt(stop: () => void): () => void {
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return () => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/**
 * Runs a function whose signal is aborted by Ctrl+C, by a request to end, or after a time.
 *
 * @param ms - The time in milliseconds. `undefined`: as long as it takes.
 */
export async function untilInterrupted(
  ms: number | undefined,
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController()
  const { signal } = controller
  const stop = (): void => controller.abort()
  const timer = ms === undefined ? undefined : setTimeout(stop, ms)
  const release = onInterrupt(stop)
  try {
    return await run(signal)
  } catch (error) {
    if (signal.aborted) return 0
    throw error
  } finally {
    clearTimeout(timer)
    release()
  }
}
