/** Assigns indexes and thought ids to the events of one task. */

import type { AnyEvent, EventKind } from '../events/event.ts'
import type { NumberedSeries, Series } from '../events/kind.ts'
import { kindSeries, seriesEnds } from '../events/kinds.generated.ts'
import type { ThoughtType, ThoughtVerbosity } from '../events/thought.ts'
import type { EventDraft } from './event-draft.ts'

/** The fields an emitter fills in. */
export interface Numbering {
  /** Position of the event in its series. Omitted for kinds without an index. */
  index?: number
  /** The thought of the event. Omitted for kinds that belong to no thought. */
  thoughtId?: string
  /** The type that the last delta of the thought stated. Omitted if it stated none. */
  thoughtType?: ThoughtType
  /** The verbosity that the last delta of the thought stated. Omitted if it stated none. */
  verbosity?: ThoughtVerbosity
}

type ThoughtLabels = Pick<Numbering, 'thoughtType' | 'verbosity'>

/** The next indexes and the open thought of a task. */
export class Counters {
  readonly #newId: () => string
  /** Next index by series. A series is removed when it ends. */
  readonly #next = new Map<string, number>()
  /** What the last delta of each open thought stated, by thought id. */
  readonly #labels = new Map<string, ThoughtLabels>()
  /** The thought that has deltas but no `thought-stream` yet. */
  #openThought: string | undefined

  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** The fields that a draft lacks. Does not advance a counter, because the draft may be invalid. */
  fill(draft: EventDraft): Numbering {
    const series = entryOf<NumberedSeries>(kindSeries, draft.kind)
    if (series === undefined) return {}
    const thought = isThought(draft) ? this.#thought(draft) : {}
    const key = keyOf(series, isThought(draft) ? thought : draft)
    const { index = this.#next.get(key) ?? 0 } = draft as { index?: number }
    return { ...thought, index }
  }

  /** Advances the counters past an emitted event. */
  advance(event: AnyEvent): void {
    const ended = entryOf<Series>(seriesEnds, event.kind)
    if (ended !== undefined) this.#next.delete(keyOf(ended, event))
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
    if (series.until !== undefined && fieldOf(event, series.until) === true) this.#next.delete(key)
    else this.#next.set(key, indexAfter(event as { index: number }))
  }

  /** The thought of a draft. Its deltas repeat the labels of the one before. */
  #thought(draft: Extract<EventDraft, { kind: 'thought-delta' | 'thought-stream' }>): Numbering {
    const thoughtId = draft.thoughtId ?? this.#openThought ?? this.#newId()
    if (draft.kind === 'thought-stream') return { thoughtId }
    return { ...this.#labels.get(thoughtId), ...labelsOf(draft), thoughtId }
  }
}

/** The kinds that belong to a thought. */
function isThought<E extends { kind: string }>(
  event: E,
): event is Extract<E, { kind: 'thought-delta' | 'thought-stream' }> {
  return event.kind === 'thought-delta' || event.kind === 'thought-stream'
}

/** A draft may have any kind. */
function entryOf<T>(table: Readonly<Partial<Record<EventKind, T>>>, kind: EventKind): T | undefined {
  return Object.hasOwn(table, kind) ? table[kind] : undefined
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
