/** Assigns indexes and thought ids to the events of one task. */

import type { AnyEvent, EventKind } from '../events/event.ts'
import type { NumberedSeries, Series } from '../events/kind.ts'
import { kindSeries, seriesEnds, seriesRestarts } from '../events/kinds.generated.ts'
import type { ThoughtType, ThoughtVerbosity } from '../events/thought.ts'

/** What a delta states about its thought. */
interface ThoughtLabels {
  thoughtType?: ThoughtType
  verbosity?: ThoughtVerbosity
}

/** The next indexes and the open thought of a task. */
export class Counters {
  readonly #newId: () => string
  /** Next index by series. A series is removed when it ends. */
  readonly #next = new Map<string, number>()
  /** The iteration of each series whose first event states one. */
  readonly #iterations = new Map<string, number>()
  /** The latest iteration, and the index of the next thought if it is reset. */
  #latest = { iteration: 0, nextThought: 0 }
  /** What the last delta of each open thought stated, by thought id. */
  readonly #labels = new Map<string, ThoughtLabels>()
  /** The thought that has deltas but no `thought-stream` yet. */
  #openThought: string | undefined

  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** Fills in the fields that an event lacks. Does not advance a counter, because the event may be invalid. */
  fill(event: Record<string, unknown>): void {
    const kind = event.kind as EventKind
    if (kind === 'thought-delta' || kind === 'thought-stream') {
      event.thoughtId ??= this.#openThought ?? this.#newId()
      const labels = kind === 'thought-delta' ? this.#labels.get(event.thoughtId as string) : undefined
      for (const [name, label] of Object.entries(labels ?? {})) {
        if (event[name] === undefined) event[name] = label
      }
    }
    const series = entryOf<NumberedSeries>(kindSeries, kind)
    if (series !== undefined && event.index === undefined)
      event.index = this.#next.get(keyOf(series, event)) ?? 0
  }

  /** Advances the counters past an emitted event. */
  advance(event: AnyEvent): void {
    if (event.kind === 'iteration-reset') this.#reset(event.iteration)
    const restarted = entryOf<Series>(seriesRestarts, event.kind)
    if (restarted !== undefined) this.#setNext(keyOf(restarted, event), 1, event)
    const ended = entryOf<Series>(seriesEnds, event.kind)
    if (ended !== undefined) this.#end(keyOf(ended, event))
    if (event.kind === 'thought-delta') {
      this.#openThought = event.thoughtId
      this.#labels.set(event.thoughtId, labelsOf(event))
    } else if (event.kind === 'thought-stream') {
      if (event.thoughtId === this.#openThought) this.#openThought = undefined
      this.#labels.delete(event.thoughtId)
    }
    const series = entryOf<NumberedSeries>(kindSeries, event.kind)
    if (series === undefined) return
    const key = keyOf(series, event)
    if (series.until !== undefined && fieldOf(event, series.until) === true) this.#end(key)
    else this.#setNext(key, indexAfter(event as { index: number }), event)
  }

  #setNext(key: string, next: number, event: AnyEvent): void {
    const { iteration } = event as { readonly iteration?: number }
    const { iteration: latest } = this.#latest
    if (iteration !== undefined && iteration > latest) {
      this.#latest = { iteration, nextThought: this.#next.get(THOUGHTS) ?? 0 }
    }
    if (key === THOUGHTS) {
      if (iteration !== this.#latest.iteration) this.#latest.nextThought = next
    } else if (iteration !== undefined && !this.#next.has(key)) this.#iterations.set(key, iteration)
    this.#next.set(key, next)
  }

  #end(key: string): void {
    this.#next.delete(key)
    this.#iterations.delete(key)
  }

  /** Forgets the texts, thoughts and arguments of an iteration. */
  #reset(iteration: number): void {
    for (const [key, stated] of this.#iterations) {
      if (stated !== iteration) continue
      this.#end(key)
      const thoughtId = key.startsWith(THOUGHT) ? key.slice(THOUGHT.length) : undefined
      if (thoughtId === undefined) continue
      this.#labels.delete(thoughtId)
      if (thoughtId === this.#openThought) this.#openThought = undefined
    }
    if (iteration === this.#latest.iteration) this.#next.set(THOUGHTS, this.#latest.nextThought)
  }
}

/** The key of the series of complete thoughts, and that of the deltas of one thought before its id. */
const THOUGHTS = 'thoughts'
const THOUGHT = 'thought '

/** A draft may have any kind, and a kind of any type. */
function entryOf<T>(table: Readonly<Partial<Record<EventKind, T>>>, kind: EventKind): T | undefined {
  return typeof kind === 'string' && Object.hasOwn(table, kind) ? table[kind] : undefined
}

/** The key of a series among the counters of the task. */
function keyOf({ name, key }: Series, event: object): string {
  const id = key === undefined ? undefined : fieldOf(event, key)
  return id === undefined ? name : `${name} ${String(id)}`
}

function fieldOf(event: object, name: string): unknown {
  return (event as Readonly<Record<string, unknown>>)[name]
}

function labelsOf({ thoughtType, verbosity }: ThoughtLabels): ThoughtLabels {
  return { ...(thoughtType !== undefined && { thoughtType }), ...(verbosity !== undefined && { verbosity }) }
}

function indexAfter(event: { index: number; indexEnd?: number }): number {
  return (event.indexEnd ?? event.index) + 1
}
