/** The state of a ledger in the memory of one process, for logs that store none. */

import { startTimer, stopTimer } from '../core/timer.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import type { Batch, Reset } from '../streams/log/batch.ts'
import type { Cursor, Position } from '../streams/log/cursor.ts'
import type { EventLog, StateLog, StateVersion, StoredState } from '../streams/log/event-log.ts'
import type { EventLogReadOptions } from '../streams/log/read-options.ts'

/** How long after a failure the rest of what belongs together is appended. */
const RETRY_MS = 1000

/** Whether a log stores a state. */
export function storesState(log: EventLog): log is StateLog {
  const { loadState, appendIf, changes } = log as Partial<StateLog>
  return [loadState, appendIf, changes].every((each) => typeof each === 'function')
}

/**
 * Adds a state to a log. Calls of `append` and `appendIf` must not overlap. What is appended elsewhere comes in between: the
 * rules hold for what this process appends.
 */
export class OneProcessLog implements StateLog {
  readonly #log: EventLog
  #stored: StoredState = { version: '0' }
  #versions = 0
  /** Events that the state includes, and that could not be appended with the first of them. */
  #pending: readonly ContextAnyEvent[] = []
  /** The latest event that was appended here or read: others may append. */
  #last: Pick<Position, 'epoch' | 'seq'> | undefined
  /** Whether an append has rejected since the log was read: it may be stored, now or later. */
  #isInDoubt = false
  #retry: unknown
  #isEnded = false

  readonly snapshot?: NonNullable<EventLog['snapshot']>

  constructor(log: EventLog) {
    this.#log = log
    const { snapshot } = log
    if (snapshot !== undefined) this.snapshot = (filter, options) => snapshot.call(log, filter, options)
  }

  async append(event: ContextAnyEvent): Promise<Position> {
    await this.#flush()
    return this.#add(event)
  }

  async read(cursor?: Cursor | string | null, options?: EventLogReadOptions): Promise<Batch | Reset> {
    const part = await this.#log.read(cursor, options)
    this.#isInDoubt = false
    const { epoch, through } = part
    if (epoch !== this.#last?.epoch || through > this.#last.seq) this.#last = { epoch, seq: through }
    return part
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  async loadState(known?: string): Promise<StoredState> {
    // The state includes them: who reads the log after it must not find them there.
    await this.#flush()
    const { version } = this.#stored
    return known === version ? { version } : this.#stored
  }

  async appendIf(
    { epoch, next, version }: StateVersion,
    events: readonly ContextAnyEvent[],
    state: object,
  ): Promise<string | undefined> {
    const last = this.#last
    const hasMoved = last !== undefined && (last.epoch !== epoch || last.seq + 1 !== next)
    if (hasMoved || this.#isInDoubt || version !== this.#stored.version) return undefined
    const [first, ...rest] = events
    let position: Position | undefined
    if (first !== undefined) {
      await this.#flush()
      position = await this.#add(first)
    }
    const stored = String(++this.#versions)
    this.#stored = { version: stored, state }
    if (position !== undefined && position.seq !== next) {
      // What came in between is not in the state: it is read again from there.
      this.#stored = { version: String(++this.#versions), state, through: { epoch, seq: next - 1 } }
    }
    this.#pending = [...this.#pending, ...rest]
    await this.#flush().catch(() => this.#retryLater())
    return stored
  }

  /** Nobody else changes the state. */
  async *changes(): AsyncGenerator<void> {}

  async #add(event: ContextAnyEvent): Promise<Position> {
    try {
      const position = await this.#log.append(event)
      this.#last = position
      return position
    } catch (error) {
      this.#isInDoubt = true
      throw error
    }
  }

  async #flush(): Promise<void> {
    for (;;) {
      const [event, ...rest] = this.#pending
      if (event === undefined) return
      await this.#add(event)
      this.#pending = rest
    }
  }

  /** Appends what is left, and tries no more by itself. */
  end(): Promise<void> {
    this.#isEnded = true
    stopTimer(this.#retry)
    return this.#flush()
  }

  #retryLater(): void {
    if (this.#isEnded) return
    this.#retry = startTimer(() => void this.#flush().catch(() => this.#retryLater()), RETRY_MS)
  }
}
