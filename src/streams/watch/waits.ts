/** Waiting for connections, chunks and delays, such that each wait can be canceled. */
import { readMilliseconds } from '../../validation/callbacks.ts'

/** Waits `ms` milliseconds. Should resolve or reject, and leave no timer, once `signal` is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

/** The error of a wait that takes too long. */
export class IdleError extends Error {}

/** How often one wait sleeps: without a limit, a sleep that returns at once would block everything else. */
const MAX_SLEEPS = 10

/** One wait at a time, until {@link stop}. */
export class Waits {
  /** Whether to end. */
  isStopped = false
  readonly #sleep: Sleep
  readonly #now: () => number
  #cancel: () => void = () => {}

  constructor(sleep: Sleep, now: () => number) {
    this.#sleep = sleep
    this.#now = now
  }

  /** The time in milliseconds. */
  now(): number {
    return readMilliseconds(this.#now)
  }

  /** Cancels the current wait, and each later one as soon as it begins. */
  stop(): void {
    this.isStopped = true
    this.#cancel()
  }

  /** Waits for a time. */
  async pause(ms: number): Promise<void> {
    const { signal, abort } = abortable()
    try {
      await this.#wait<unknown>((resolve, reject) => this.#sleepFor(ms, signal).then(resolve, reject))
    } finally {
      abort()
    }
  }

  /**
   * Waits for a promise. Resolves to `undefined` if it is canceled.
   *
   * @param idleMs - The longest wait, in milliseconds.
   * @throws IdleError after that time.
   */
  async until<T>(promise: Promise<T>, idleMs: number): Promise<T | undefined> {
    const { signal, abort } = abortable()
    try {
      return await this.#wait<T>((resolve, reject) => {
        promise.then(resolve, reject)
        if (idleMs === Infinity) return
        this.#silence(idleMs, signal).catch(reject)
      })
    } finally {
      abort()
    }
  }

  /**
   * Waits until time has passed by both the sleep and the clock: a sleep that returns before its time, as in a test, is no
   * reason to reconnect, and after a clock that was set back, the rest is waited for again.
   *
   * @throws IdleError after that time, unless `signal` was aborted.
   */
  async #silence(idleMs: number, signal: AbortSignal): Promise<void> {
    let left = idleMs
    for (let sleeps = 0; sleeps < MAX_SLEEPS; sleeps++) {
      const start = this.now()
      await this.#sleepFor(left, signal)
      if (signal.aborted) return
      left -= Math.max(0, this.now() - start)
      // Timers and clocks differ by a little.
      if (left <= idleMs / 2) throw new IdleError()
    }
  }

  /** Calls the option, which may also throw. */
  async #sleepFor(ms: number, signal: AbortSignal): Promise<void> {
    await this.#sleep(ms, signal)
  }

  /** One promise a wait: a race against one that lives as long as the stream would retain every result. */
  async #wait<T>(
    begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
  ): Promise<T | undefined> {
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        this.#cancel = () => resolve(undefined)
        if (this.isStopped) this.#cancel()
        begin(resolve, reject)
      })
    } finally {
      this.#cancel = () => {}
    }
  }
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
