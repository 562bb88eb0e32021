/** A log in memory with a snapshot of its own. */
import type { Diagnostic } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import type { Snapshot } from '../log/event-log.ts'
import { LogBuffer } from '../log/memory/log-buffer.ts'
import { emptyLogState, type LogOptions } from '../log/memory/log-state.ts'
import { MemoryLog } from '../log/memory/memory-log.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { snapshotEvents } from '../view/snapshot/snapshot-events.ts'
import { visibleEvents } from '../view/snapshot/visible-events.ts'
import type { View } from '../view/view.ts'
import { KeptView } from './kept-view.ts'

/**
 * How long a snapshot is given to other readers too: many clients ask at about the same time, as after a restart, and each
 * snapshot is held until the slowest of its readers has it. A number of events would count those that a reader may not see.
 */
const RECENT_MS = 1000

/** Keeps the view of all its events; see {@link KeptView}. */
export class KeptLog extends MemoryLog {
  readonly #buffer: LogBuffer
  readonly #kept: KeptView
  readonly #clock: () => number
  /** The latest snapshot, and when it was made. */
  #latest: Snapshot | undefined
  #madeAt = 0
  /** What readers get of it, by their filters. */
  #visible = new WeakMap<ReadFilter, Snapshot>()

  readonly snapshot = async (filter?: ReadFilter): Promise<Snapshot> => {
    const snapshot = this.#recent()
    if (filter === undefined) return snapshot
    const known = this.#visible.get(filter)
    if (known !== undefined) return known
    const visible = { ...snapshot, events: visibleEvents(snapshot.events, filter) }
    this.#visible.set(filter, visible)
    return visible
  }

  /** The snapshot of the whole stream. */
  #recent(): Snapshot {
    const now = readMilliseconds(this.#clock)
    if (this.#latest !== undefined && this.#isRecent(this.#latest, now)) return this.#latest
    this.#madeAt = now
    this.#visible = new WeakMap()
    const view = this.#kept.view()
    const { epoch, next } = this.#buffer
    const { forgotten } = this.#kept
    this.#latest = {
      ...{ epoch, through: next - 1, events: snapshotEvents(view) },
      ...(forgotten && { forgotten }),
    }
    return this.#latest
  }

  /** @throws TypeError if an option is invalid. */
  constructor(options: LogOptions, now: () => number, onDiagnostic?: (diagnostic: Diagnostic) => void) {
    const state = emptyLogState(options)
    const buffer = new LogBuffer<ContextAnyEvent>(state)
    super(buffer, now)
    this.#buffer = buffer
    this.#clock = now
    this.#kept = new KeptView(buffer, state.limits.maxBytes, onDiagnostic)
  }

  /** The view of everything so far, within its limit. */
  view(): View {
    return this.#kept.view()
  }

  /** Whether readers may continue from a snapshot that is not the newest. */
  #isRecent({ through }: Snapshot, now: number): boolean {
    return through + 1 >= this.#buffer.earliest && Math.abs(now - this.#madeAt) < RECENT_MS
  }
}
