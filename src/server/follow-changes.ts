/** Following what other processes store in a stream. */

import { pause, startTimer, stopTimer } from '../core/timer.ts'
import type { StateLog } from '../streams/log/event-log.ts'

/** After this, a stream follows even if nobody waits: one for a single request is released by then. And so again after a failure. */
const FOLLOW_MS = 1000
/** At most so often it reads: while a task writes, each of its events is a change. */
const READ_MS = 20

/** Reads what other processes store: once somebody waits, and to let requests expire. */
export class FollowChanges {
  readonly #log: StateLog
  readonly #apply: () => Promise<unknown>
  readonly #stopped = new AbortController()
  #isFollowing = false
  #timer: unknown

  constructor(log: StateLog, apply: () => Promise<unknown>) {
    this.#log = log
    this.#apply = apply
  }

  startLater(): void {
    this.#timer = startTimer(() => void this.start(), FOLLOW_MS)
  }

  async start(): Promise<void> {
    const { signal } = this.#stopped
    if (this.#isFollowing || signal.aborted) return
    this.#isFollowing = true
    try {
      let rest: Promise<void> | undefined
      for await (const _ of this.#log.changes(signal)) {
        // Before it reads: what changes meanwhile is read as well.
        await rest
        rest = pause(READ_MS, false)
        await this.#apply().catch(() => undefined)
      }
    } catch {
      // What cannot be reached now may be later.
    }
    this.#isFollowing = false
    if (!signal.aborted) this.startLater()
  }

  stop(): void {
    this.#stopped.abort()
    stopTimer(this.#timer)
  }
}
