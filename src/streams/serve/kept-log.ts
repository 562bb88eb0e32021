/** A log in memory with a snapshot of its own. */
import type { Diagnostic } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { readMilliseconds } from '../../validation/callbacks.ts'
import type { Snapshot } from '../log/event-log.ts'
import { LogBuffer } from '../log/memory/log-buffer.ts'
import { emptyLogState, type LogOptions } from '../log/memory/log-state.ts'
import { MemoryLog } from '../log/memory/memory-log.ts'
import type { ReadFilter } from '../log/read-filter.ts'
import { requireSnapshotOptions, type SnapshotOptions } from '../log/snapshot-options.ts'
import { type AudienceView, viewFor } from '../view/snapshot/audience-views.ts'
import { snapshotOf } from '../view/snapshot/visible-events.ts'
import type { View } from '../view/view.ts'
import { KeptViews } from './kept-views.ts'

/**
 * How long a snapshot is given to other readers too: many clients ask at about the same time, as after a restart, and each
 * snapshot is held until the slowest of its readers has it. A number of events would count those that a reader may not see.
 */
const RECENT_MS = 1000

/** What snapshots are made of. */
interface Made extends Pick<Snapshot, 'epoch' | 'through'> {
  readonly at: number
  readonly views: readonly AudienceView[]
  /** What readers get of it, by their filters; by itself, what those get who have none. */
  readonly snapshots: WeakMap<object, Snapshot>
}

/** Keeps the views of all its events; see {@link KeptViews}. */
export class KeptLog extends MemoryLog {
  readonly #buffer: LogBuffer
  readonly #kept: KeptViews
  readonly #clock: () => number
  #latest: Made | undefined

  readonly snapshot = async (filter?: ReadFilter, options?: SnapshotOptions): Promise<Snapshot> => {
    const { maxBytes } = requireSnapshotOptions(options)
    await this.#kept.catchUp()
    const made = this.#recent()
    const { epoch, through, views } = made
    // Not kept: newcomers share theirs.
    if (maxBytes !== undefined) return { epoch, through, ...snapshotOf(views, filter, maxBytes) }
    const key = filter ?? made
    const known = made.snapshots.get(key)
    if (known !== undefined) return known
    const snapshot = { epoch, through, ...snapshotOf(views, filter, undefined) }
    made.snapshots.set(key, snapshot)
    return snapshot
  }

  #recent(): Made {
    const now = readMilliseconds(this.#clock)
    if (this.#latest !== undefined && this.#isRecent(this.#latest, now)) return this.#latest
    const views = this.#kept.views()
    const { epoch, next } = this.#buffer
    this.#latest = { epoch, through: next - 1, at: now, views, snapshots: new WeakMap() }
    return this.#latest
  }

  /** @throws TypeError if an option is invalid. */
  constructor(options: LogOptions, now: () => number, onDiagnostic?: (diagnostic: Diagnostic) => void) {
    const state = emptyLogState(options)
    const buffer = new LogBuffer<ContextAnyEvent>(state)
    super(buffer, now)
    this.#buffer = buffer
    this.#clock = now
    this.#kept = new KeptViews(buffer, state.limits.maxBytes, onDiagnostic)
  }

  /** The view of everything so far, within its limit. */
  view(): View {
    return viewFor(this.#kept.views(), 'operator').view
  }

  /** Whether readers may continue from a snapshot that is not the newest. */
  #isRecent({ through, at }: Made, now: number): boolean {
    return through + 1 >= this.#buffer.earliest && Math.abs(now - at) < RECENT_MS
  }
}
