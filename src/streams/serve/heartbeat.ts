/** Heartbeats of the readers of a stream: one timer for all that wait as long. */
import { mismatch } from '../../core/require.ts'
import { MAX_TIMEOUT_MS } from '../../core/timer.ts'

/**
 * Requires a number of bytes that each of many readers can be sent again and again.
 *
 * @throws TypeError such as `"paddingBytes" must be an integer from 0 to 65536, got -1.`
 */
export function requirePadding(name: string, value: unknown): void {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 65_536)
    throw mismatch(name, 'an integer from 0 to 65536', value)
}

/** A reader that may have got nothing for a while. */
export interface Quiet {
  /** Since when it waits, by `performance.now()`. `undefined`: it does not. */
  readonly waitsSince: number | undefined
  /** Sends it something. */
  beat(): void
}

/** Calls each reader that has waited for a time. Who gets events costs it nothing: the timer looks for those who wait. */
export class Heartbeat {
  readonly #ms: number
  readonly #readers = new Set<Quiet>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number) {
    this.#ms = Math.min(ms, MAX_TIMEOUT_MS)
  }

  get isIdle(): boolean {
    return this.#readers.size === 0
  }

  join(reader: Quiet): void {
    this.#readers.add(reader)
    this.#timer ??= setTimeout(this.#look, this.#ms)
  }

  /** The timer ends with the last reader, so that it keeps no process alive. */
  leave(reader: Quiet): void {
    this.#readers.delete(reader)
    if (!this.isIdle) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  readonly #look = (): void => {
    const now = performance.now()
    let next = this.#ms
    for (const reader of this.#readers) {
      const left = (reader.waitsSince ?? now) + this.#ms - now
      // Timers may be early by less than a millisecond.
      if (left < 1) reader.beat()
      else next = Math.min(next, left)
    }
    this.#timer = this.isIdle ? undefined : setTimeout(this.#look, next)
  }
}

/** The heartbeats of a stream, by their time. */
export class Heartbeats {
  readonly #byTime = new Map<number, Heartbeat>()

  of(ms: number): Heartbeat {
    for (const [time, heartbeat] of this.#byTime) {
      if (time !== ms && heartbeat.isIdle) this.#byTime.delete(time)
    }
    const heartbeat = this.#byTime.get(ms) ?? new Heartbeat(ms)
    this.#byTime.set(ms, heartbeat)
    return heartbeat
  }
}
