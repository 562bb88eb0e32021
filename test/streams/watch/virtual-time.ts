/** A clock whose time passes only while everything else waits. */

interface Timer {
  readonly at: number
  readonly end: () => void
}

export class VirtualTime {
  /** Milliseconds since the start. */
  time = 0
  readonly #timers = new Set<Timer>()
  readonly now = (): number => this.time

  /** A timer of this clock; the option `sleep` of `watchStream`. */
  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        this.#timers.delete(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = { at: this.time + ms, end }
      this.#timers.add(timer)
      signal?.addEventListener('abort', end)
    })

  /** How many timers run. */
  get running(): number {
    return this.#timers.size
  }

  /**
   * Lets time pass until a promise settles, and returns what it resolves to.
   *
   * @param onTurn - Called each time that everything waits, with the number of calls before.
   */
  async until<T>(promise: Promise<T>, onTurn: (turn: number) => void = () => {}): Promise<T> {
    let isSettled = false
    const settle = (): void => {
      isSettled = true
    }
    promise.then(settle, settle)
    for (let turn = 0; turn < 10_000; turn++) {
      await settled()
      if (isSettled) return promise
      onTurn(turn)
      await settled()
      if (isSettled) return promise
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at)
      if (next === undefined) throw new Error('Everything waits, and no timer runs.')
      this.time = Math.max(this.time, next.at)
      next.end()
    }
    throw new Error('Too many turns.')
  }
}

/** Resolves when all promises that can settle have. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
