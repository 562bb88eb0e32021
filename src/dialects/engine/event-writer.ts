/** One step of a writer: what it emits, what it reports, and its next state. */

import { StepBuilder } from '../../core/step-builder.ts'
import type { AnyEvent, EventKind } from '../../events/event.ts'
import type { LossTable } from '../shared/coverage.ts'
import { reportLosses } from '../shared/losses.ts'

/** A step of a writer. Its state is a copy to assign to; nested values are replaced, not changed. */
export class EventWriter<State, Out> extends StepBuilder<State, Out> {
  readonly #losses: LossTable
  /** Whether an extension carries the event whole, so that nothing is lost to its readers. */
  isCarried: boolean
  /** Whether the event was dropped, so that its fields are not reported as well. */
  isDropped = false
  /** Those of the lost fields that this event keeps all the same, such as `metadata.exitCode`. */
  readonly kept: string[] = []

  constructor(state: State, losses: LossTable, isCarried = false) {
    super(state)
    this.#losses = losses
    this.isCarried = isCarried
  }

  override dropped(kind: string, reason: string, message: string): void {
    this.isDropped = true
    if (!this.isCarried) super.dropped(kind, reason, message)
  }

  override lossy(field: string, message: string, detail?: unknown): void {
    if (!this.isCarried) super.lossy(field, message, detail)
  }

  /** Whether the format has nothing of the events of a kind. */
  omits(kind: EventKind): boolean {
    return this.#losses[kind] === undefined
  }

  /** Drops an event that the format does not have. */
  noEquivalent({ kind }: AnyEvent, what: string = kind): void {
    this.dropped(kind, 'no-equivalent', `The format has no equivalent for ${what}.`)
  }

  /**
   * Reports an event that the format does not have, or the fields that it does not have.
   *
   * @param kept - Those of the lost fields that this event keeps all the same.
   */
  reportLost(event: AnyEvent, kept: readonly string[] = this.kept): void {
    if (this.isCarried || this.isDropped) return
    if (this.omits(event.kind as EventKind)) {
      // Readers may miss what matters at the moment only.
      if ((event as { readonly transient?: boolean }).transient !== true) this.noEquivalent(event)
    } else reportLosses(this, event, this.#losses as Readonly<Record<EventKind, readonly string[]>>, kept)
  }
}
