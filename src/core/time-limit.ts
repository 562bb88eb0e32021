/** Waiting for what may hang. */

import { onAbort } from './on-abort.ts'
import { startTimer, stopTimer } from './timer.ts'

/** How long each of several waits may take. */
export interface TimeLimit {
  /** Aborted when a wait takes too long, and with the signal of the task. */
  readonly signal: AbortSignal
  /** Whether a wait has taken too long. */
  readonly isOver: boolean
  /** What a function gives; rejects with the reason of `signal` as soon as that is aborted, and what the function gives is ignored. */
  wait<T>(give: () => T | PromiseLike<T>): Promise<T>
}

/** @param reason - Returns what a wait rejects with that takes longer than `ms`. */
export function timeLimit(ms: number, signal: AbortSignal, reason: () => Error): TimeLimit {
  const late = new AbortController()
  const either = AbortSignal.any([signal, late.signal])
  return {
    signal: either,
    get isOver() {
      return late.signal.aborted
    },
    async wait(give) {
      const timer = startTimer(() => late.abort(reason()), ms)
      try {
        return await unlessAborted(give, either)
      } finally {
        stopTimer(timer)
      }
    },
  }
}

/** What a function gives, unless a signal is aborted before: it rejects with the reason then. */
export function unlessAborted<T>(give: () => T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const forget = onAbort(signal, () => reject(signal.reason))
    const given = async (): Promise<T> => give()
    given().then(resolve, reject).finally(forget)
  })
}
