/** A log in memory with a snapshot of its own. */
import type { Diagnostic } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Snapshot } from '../log/event-log.ts'
import { LogBuffer } from '../log/memory/log-buffer.ts'
import { emptyLogState, type LogOptions } from '../log/memory/log-state.ts'
import { MemoryLog } from '../log/memory/memory-log.ts'
import { snapshotEvents } from '../view/snapshot/snapshot-events.ts'
import { emptyView, type View } from '../view/view.ts'
import { KeptView } from './kept-view.ts'

/** Keeps the view of all its events; see {@link KeptView}. */
export class KeptLog extends MemoryLog {
  readonly #buffer: LogBuffer
  readonly #kept: KeptView
  /** The latest snapshot. */
  #latest: Snapshot | undefined

  readonly snapshot = async (): Promise<Snapshot | undefined> => {
    if (this.#latest !== undefined && this.#isRecent(this.#latest)) return this.#latest
    const view = this.#kept.view()
    const { epoch, next } = this.#buffer
    const { forgotten } = this.#kept
    this.#latest = view && {
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
    this.#kept = new KeptView(buffer, state.limits.maxBytes, onDiagnostic)
  }

  /** The view of everything so far; empty once it was too large to keep. */
  view(): View {
    return this.#kept.view() ?? emptyView
  }

  /**
   * Whether readers may continue from a snapshot that is not the newest: many clients ask at about the same time, as after a restart, and
   * each snapshot is held until the slowest of its readers has it.
   */
  #isRecent({ through, events }: Snapshot): boolean {
    const { earliest, next } = this.#buffer
    return through + 1 >= earliest && next - 1 - through <= events.length
  }
}
