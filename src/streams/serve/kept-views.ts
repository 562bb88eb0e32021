/** The views behind the snapshots of a stream: what its log no longer holds, bounded like the log. */

import type { Diagnostic } from '../../core/machine.ts'
import { pause } from '../../core/timer.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { LogBuffer } from '../log/memory/log-buffer.ts'
import type { LogEntry } from '../log/memory/log-state.ts'
import { tasksForgotten } from '../view/forget.ts'
import { type AudienceView, AudienceViews, emptyViews } from '../view/snapshot/audience-views.ts'

/** What an `artifact-delta` counts as: one that copies can make an artifact larger than it is itself. */
const PATCH_BYTES = 2 ** 16

/** How many events are folded at once. */
const EVENTS_AT_ONCE = 1000

/**
 * Folds events when the log evicts them, or when a view is asked for: a stream that ends before either never pays
 * for it.
 */
export class KeptViews {
  private readonly log: LogBuffer<ContextAnyEvent>
  private readonly maxBytes: number
  /** Omitted before the first event is folded. */
  private kept: AudienceViews | undefined
  private readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined
  private catching: Promise<void> | undefined
  /** The first `seq` that is not folded. */
  private next = 0

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

  /** Folds what is new for {@link views}, a part at a time: others get their turn in between. */
  catchUp(): Promise<void> {
    this.catching ??= this.foldParts().finally(() => {
      this.catching = undefined
    })
    return this.catching
  }

  private async foldParts(): Promise<void> {
    for (;;) {
      const entries = this.unfolded()
      if (entries.length <= EVENTS_AT_ONCE) return
      this.fold(entries.slice(0, EVENTS_AT_ONCE))
      await pause(0)
    }
  }

  /** The views after the last event. */
  views(): readonly AudienceView[] {
    this.fold(this.unfolded())
    return this.kept?.views() ?? emptyViews
  }

  private unfolded(): readonly LogEntry<ContextAnyEvent>[] {
    return this.log.entriesFrom(Math.max(this.next, this.log.earliest))
  }

  private fold(entries: readonly LogEntry<ContextAnyEvent>[]): void {
    this.next += entries.length
    this.kept ??= new AudienceViews()
    for (const { event, bytes } of entries) {
      this.kept.push(event, event.kind === 'artifact-delta' ? Math.max(bytes, PATCH_BYTES) : bytes)
      // After each: what a view loses is not to depend on events that it does not have.
      const cut = this.kept.limit(this.maxBytes)
      if (cut.length > 0) this.onDiagnostic?.(tasksForgotten(cut, this.maxBytes))
    }
  }
}
