/** Responses that come side by side, as those of branches that run at the same time. */
import type { EventDraft } from '../../emitter/event-draft.ts'

/** So many items wait. */
const MAX_HELD = 65_536

/** Reads one response until it ends, and what comes of others meanwhile after it. */
export class SideBySide<T> {
  readonly #read: (item: T) => readonly EventDraft[]
  readonly #isOpen: () => boolean
  /** The place whose response is read, and what has come of others since. */
  #place: string | undefined
  #held: (readonly [place: string, item: T])[] = []

  /** @param isOpen - Whether more of the response is to come of which the last item was read. */
  constructor(read: (item: T) => readonly EventDraft[], isOpen: () => boolean) {
    this.#read = read
    this.#isOpen = isOpen
  }

  /** @param place - The branch that the item is of. */
  push(place: string, item: T): EventDraft[] {
    if (place !== this.#place && this.#isOpen() && this.#held.length < MAX_HELD) {
      this.#held.push([place, item])
      return []
    }
    this.#place = place
    return [...this.#read(item), ...this.drain()]
  }

  /** The items that wait. */
  waiting(): readonly T[] {
    return this.#held.map(([, item]) => item)
  }

  /** Reads what waits, up to the next response that is not over. */
  drain(): EventDraft[] {
    const drafts: EventDraft[] = []
    while (this.#held.length > 0 && !this.#isOpen()) {
      const held = this.#held
      this.#held = []
      drafts.push(...held.flatMap(([place, item]) => this.push(place, item)))
    }
    return drafts
  }

  /** Reads all that waits: of no response more is to come. */
  end(close: () => readonly EventDraft[]): EventDraft[] {
    const drafts: EventDraft[] = []
    while (this.#held.length > 0) drafts.push(...close(), ...this.drain())
    return drafts
  }
}
