/** Drafts: events before they are emitted. */
import type { AnyCustomEvent } from '../events/custom.ts'
import type { EventKind, EventOf } from '../events/event.ts'

/**
 * The input of an emitter: any event without context. `timestamp`, `index` and `thoughtId` are optional.
 *
 * @typeParam K - The kind. Omitted: any.
 */
export type EventDraft<K extends EventKind = EventKind> = {
  [Kind in K]: Kind extends 'custom' ? CustomDraft<AnyCustomEvent> : DraftOf<Kind>
}[K]

/** The draft of one kind. A mapped type of its own, so that the compiler names it instead of listing its parts. */
export type DraftOf<K extends EventKind> = {
  [Field in keyof DraftFields<EventOf<K>>]: DraftFields<EventOf<K>>[Field]
}

/** Fields that the emitter fills in. */
type Filled = 'timestamp' | 'index' | 'thoughtId'

/** One draft for each declared event, so that `data` is tied to `name`. */
type CustomDraft<E> = E extends unknown ? { [Field in keyof DraftFields<E>]: DraftFields<E>[Field] } : never

type DraftFields<E> = Omit<E, Filled> & Partial<Pick<E, Filled & keyof E>>
