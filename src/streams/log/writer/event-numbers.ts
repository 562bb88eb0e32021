/** The numbers that a writer gives its events, so that one which is sent again is stored once. */
import type { Position } from '../cursor.ts'
import type { StoredNumbers } from './writer-port.ts'

/** The number of an event, and what is known of it. */
export interface EventNumber {
  /** Counts the first appends of events: in this order they are stored. */
  readonly turn: number
  /** Omitted: it was never sent, or refused. */
  value?: number | undefined
  /** Where it is stored. Omitted: that is not known. */
  position?: Position
}

export class EventNumbers {
  readonly #stream: string
  /** The number of the next event that has none. */
  #next = 0
  #turns = 0
  /** Numbers of events that were sent and may be stored or not. */
  readonly #inDoubt = new Set<EventNumber>()
  /** The numbers of events whose append was rejected: appended again, they keep it. */
  readonly #rejected = new WeakMap<object, EventNumber>()

  constructor(stream: string) {
    this.#stream = stream
  }

  /** The number that an event had when its append was rejected, or a new one. */
  of(event: object): EventNumber {
    const number = this.#rejected.get(event) ?? { turn: this.#turns++ }
    this.#rejected.delete(event)
    return number
  }

  /** Keeps the number of an event whose append is rejected. */
  keep(event: object, number: EventNumber): void {
    this.#rejected.set(event, number)
  }

  /** The value that a number has, or gets if it is assigned now. */
  valueOf({ value }: EventNumber): number {
    return value ?? this.#next
  }

  assign(number: EventNumber): void {
    number.value = this.valueOf(number)
    this.#next = Math.max(this.#next, number.value + 1)
  }

  /**
   * The number of what is stored beside the events: one in doubt that comes after it is refused. `undefined` if nothing is in doubt.
   */
  pass(): number | undefined {
    return this.#inDoubt.size === 0 ? undefined : this.#next++
  }

  /** Notes that the event of a number is sent. */
  send(number: EventNumber): void {
    this.#inDoubt.add(number)
  }

  /** The lowest number in doubt. */
  get floor(): number {
    return Math.min(...Array.from(this.#inDoubt, ({ value = Number.POSITIVE_INFINITY }) => value))
  }

  /** Learns what became of the events in doubt. */
  settle({ epoch, last, ranges }: StoredNumbers): void {
    for (const number of this.#inDoubt) {
      const { value = 0 } = number
      if (value > last) continue
      this.#inDoubt.delete(number)
      number.value = undefined
      const range = ranges.find(({ from, count }) => value >= from && value < from + count)
      if (range !== undefined)
        number.position = { stream: this.#stream, epoch, seq: range.seq + value - range.from }
    }
  }

  /** Begins anew, as another writer. What is not stored by now never is: it gets another number. */
  restart(): void {
    for (const number of this.#inDoubt) number.value = undefined
    this.#inDoubt.clear()
    this.#next = 0
  }
}
