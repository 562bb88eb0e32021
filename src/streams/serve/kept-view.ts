/** The view behind the snapshots of a stream: what its log no longer holds, bounded like the log. */

import type { Diagnostic } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Forgotten } from '../forgotten.ts'
import type { LogBuffer } from '../log/memory/log-buffer.ts'
import type { LogEntry } from '../log/memory/log-state.ts'
import { boundedView } from '../view/bounded-view.ts'
import { createViewStore, type ViewStore } from '../view/fold/view-store.ts'
import { forget, tasksForgotten } from '../view/forget.ts'
import { emptyView, type View } from '../view/view.ts'

/** What an `artifact-delta` counts as: one that copies can make an artifact larger than it is itself. */
const PATCH_BYTES = 2 ** 16

/**
 * Folds events when the log evicts them, or when a view is asked for: a stream that ends before either never pays
 * for it.
 */
export class KeptView {
  private readonly log: LogBuffer<ContextAnyEvent>
  private readonly maxBytes: number
  /** Omitted before the first event is folded. */
  private store: ViewStore | undefined
  /** What the view has lost to its limit. */
  forgotten: Forgotten | undefined
  private readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  /** The first `seq` that is not folded. */
  private next = 0
  /** Size of the events folded since the view was last measured. */
  private unmeasured = 0

  constructor(
    log: LogBuffer<ContextAnyEvent>,
    maxBytes: number,
    onDiagnostic?: (diagnostic: Diagnostic) => void,
  ) {
    this.onDiagnostic = onDiagnostic
    this.log = log
    this.maxBytes = maxBytes
    log.onEvict = (entry) => {
      if (log.earliest >= this.next) this.fold([entry])
    }
  }

  /** The view after the last event. */
  view(): View {
    this.fold(this.log.entriesFrom(Math.max(this.next, this.log.earliest)))
    return this.store?.getSnapshot() ?? emptyView
  }

  private fold(entries: readonly LogEntry<ContextAnyEvent>[]): void {
    this.next += entries.length
    this.store ??= createViewStore()
    this.store.push(entries.map(({ event }) => event))
    for (const { event, bytes } of entries) {
      this.unmeasured += event.kind === 'artifact-delta' ? Math.max(bytes, PATCH_BYTES) : bytes
    }
    if (this.unmeasured * 2 <= this.maxBytes) return
    this.unmeasured = 0
    const view = this.store.getSnapshot()
    const { view: bounded, cut } = boundedView(view, this.maxBytes)
    if (bounded === view) return
    this.store = createViewStore(bounded)
    this.forgotten = forget(this.forgotten, cut)
    this.onDiagnostic?.(tasksForgotten(cut, this.maxBytes))
  }
}
