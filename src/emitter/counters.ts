/** Counting what is numbered in the events of one task. */

import type { AnyEvent } from '../events/event.ts'
import type { EventDraft } from './event-draft.ts'

/** What an emitter fills in by counting. */
export interface Filled {
  /** Where the event stands in what is counted. Absent: its kind counts nothing. */
  index?: number
  /** The thought it belongs to. Absent: its kind belongs to none. */
  thoughtId?: string
}

/** The numbers and ids that go into the next events of a task. */
export class Counters {
  readonly #newId: () => string
  /** Next index by what is counted. Entries go when what they count ends. */
  readonly #next = new Map<string, number>()
  /** The thought whose deltas are under way. */
  #openThought: string | undefined

  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** What a draft lacks. Counts nothing yet: the draft may turn out to be no event. */
  fill(draft: EventDraft): Filled {
    switch (draft.kind) {
      case 'content-delta':
        return { index: this.#index('content', draft) }
      case 'tool-arguments-delta':
        return { index: this.#index(`arguments ${draft.toolCallId}`, draft) }
      case 'thought-delta': {
        const thoughtId = draft.thoughtId ?? this.#openThought ?? this.#newId()
        return { thoughtId, index: this.#index(`thought ${thoughtId}`, draft) }
      }
      case 'thought-stream':
        return {
          thoughtId: draft.thoughtId ?? this.#openThought ?? this.#newId(),
          index: this.#index('thoughts', draft),
        }
      case 'file-write':
      case 'dataset-write':
        return { index: this.#index(`artifact ${draft.artifactId}`, draft) }
      default:
        return {}
    }
  }

  /** Counts an event that is going out. */
  count(event: AnyEvent): void {
    switch (event.kind) {
      case 'content-delta':
        this.#next.set('content', after(event))
        break
      case 'content-complete':
        this.#next.delete('content')
        break
      case 'tool-arguments-delta':
        this.#next.set(`arguments ${event.toolCallId}`, after(event))
        break
      case 'tool-start':
        this.#next.delete(`arguments ${event.toolCallId}`)
        break
      case 'thought-delta':
        this.#openThought = event.thoughtId
        this.#next.set(`thought ${event.thoughtId}`, after(event))
        break
      case 'thought-stream':
        if (event.thoughtId === this.#openThought) this.#openThought = undefined
        this.#next.delete(`thought ${event.thoughtId}`)
        this.#next.set('thoughts', after(event))
        break
      case 'file-write':
      case 'dataset-write':
        if (event.complete) this.#next.delete(`artifact ${event.artifactId}`)
        else this.#next.set(`artifact ${event.artifactId}`, after(event))
        break
      default:
        break
    }
  }

  #index(counted: string, draft: { index?: number }): number {
    return draft.index ?? this.#next.get(counted) ?? 0
  }
}

function after(event: { index: number; indexEnd?: number }): number {
  return (event.indexEnd ?? event.index) + 1
}
