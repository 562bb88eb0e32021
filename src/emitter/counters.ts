/** Assigns indexes and thought ids to the events of one task. */

import type { AnyEvent } from '../events/event.ts'
import type { EventDraft } from './event-draft.ts'

/** The fields an emitter fills in. */
export interface Numbering {
  /** Position of the event in its series. Omitted for kinds without an index. */
  index?: number
  /** The thought of the event. Omitted for kinds that belong to no thought. */
  thoughtId?: string
}

/** The next indexes and the open thought of a task. */
export class Counters {
  readonly #newId: () => string
  /** Next index by series. A series is removed when it ends. */
  readonly #next = new Map<string, number>()
  /** The thought that has deltas but no `thought-stream` yet. */
  #openThought: string | undefined

  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** The fields that a draft lacks. Does not advance a counter, because the draft may be invalid. */
  fill(draft: EventDraft): Numbering {
    switch (draft.kind) {
      case 'content-delta':
        return { index: this.#index(contentSeries(draft), draft) }
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

  /** Advances the counters past an emitted event. */
  advance(event: AnyEvent): void {
    switch (event.kind) {
      case 'content-delta':
        this.#next.set(contentSeries(event), indexAfter(event))
        break
      case 'content-complete':
        this.#next.delete(contentSeries(event))
        break
      case 'tool-arguments-delta':
        this.#next.set(`arguments ${event.toolCallId}`, indexAfter(event))
        break
      case 'tool-start':
      case 'tool-complete':
        this.#next.delete(`arguments ${event.toolCallId}`)
        break
      case 'thought-delta':
        this.#openThought = event.thoughtId
        this.#next.set(`thought ${event.thoughtId}`, indexAfter(event))
        break
      case 'thought-stream':
        if (event.thoughtId === this.#openThought) this.#openThought = undefined
        this.#next.delete(`thought ${event.thoughtId}`)
        this.#next.set('thoughts', indexAfter(event))
        break
      case 'file-write':
      case 'dataset-write':
        if (event.complete) this.#next.delete(`artifact ${event.artifactId}`)
        else this.#next.set(`artifact ${event.artifactId}`, indexAfter(event))
        break
      default:
        break
    }
  }

  #index(series: string, draft: { index?: number }): number {
    return draft.index ?? this.#next.get(series) ?? 0
  }
}

/** The series of a text. No id is empty, so that of the text without one differs from all others. */
function contentSeries({ contentId = '' }: { contentId?: string }): string {
  return `content ${contentId}`
}

function indexAfter(event: { index: number; indexEnd?: number }): number {
  return (event.indexEnd ?? event.index) + 1
}
