/** The folded view at any position of a recording, without folding from the beginning each time. */
import { foldEvents } from '../../streams/view/fold/index.ts'
import { emptyView, type View } from '../../streams/view/index.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** Views of a growing list of events. */
export class ViewHistory {
  readonly #events: readonly RecordedEvent[]
  readonly #every: number
  /** The view after `i * every` events, as far as it was needed. */
  readonly #checkpoints: View[] = [emptyView]
  /** The latest result: most steps are short. */
  #at = 0
  #view: View = emptyView

  /**
   * @param events - The events. More may be appended.
   * @param every - Events between two checkpoints. Views share what has not changed, so that checkpoints are small.
   */
  constructor(events: readonly RecordedEvent[], every = 256) {
    this.#every = every
    this.#events = events
  }

  /** The view after the first `position` events. */
  viewAt(position: number): View {
    const wanted = Math.max(0, Math.min(Math.trunc(position), this.#events.length))
    this.prepare(wanted)
    const checkpoint = Math.floor(wanted / this.#every)
    const from = checkpoint * this.#every
    const isNear = this.#at <= wanted && this.#at >= from
    const [start, view] = isNear ? [this.#at, this.#view] : [from, this.#checkpoints[checkpoint] ?? emptyView]
    this.#view = foldEvents(view, this.#events.slice(start, wanted))
    this.#at = wanted
    return this.#view
  }

  /** Creates the checkpoints up to a position, so that views before it are fast. */
  prepare(position: number): void {
    const count = Math.floor(Math.min(position, this.#events.length) / this.#every)
    for (let i = this.#checkpoints.length; i <= count; i++) {
      const events = this.#events.slice((i - 1) * this.#every, i * this.#every)
      this.#checkpoints.push(foldEvents(this.#checkpoints[i - 1] ?? emptyView, events))
    }
  }
}
