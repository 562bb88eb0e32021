/** Listening to an abort signal that many wait for. */

/** The callbacks of each signal that has some. */
const waiting: WeakMap<AbortSignal, Set<() => void>> = new WeakMap()

/**
 * Calls a function once when a signal is aborted, unless it is cancelled before. Any number of callbacks is one listener
 * of the signal: hosts warn of more than ten. Not called for a signal that has been aborted before.
 *
 * @returns A function that cancels it.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = waiting.get(signal) ?? listenTo(signal)
  callbacks.add(callback)
  return () => {
    callbacks.delete(callback)
    if (callbacks.size > 0 || waiting.get(signal) !== callbacks) return
    waiting.delete(signal)
    signal.removeEventListener('abort', abortAll)
  }
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>()
  waiting.set(signal, callbacks)
  signal.addEventListener('abort', abortAll, { once: true })
  return callbacks
}

function abortAll(this: AbortSignal): void {
  const callbacks = waiting.get(this) ?? []
  waiting.delete(this)
  for (const callback of callbacks) callback()
}
