/** Drafts: events before they are emitted. */
import type { AnyEvent, EventKind, EventOf } from '../events/event.ts'

/** Fields that the emitter fills in. */
type Filled = 'timestamp' | 'index' | 'thoughtId'

type DraftOf<E> = E extends AnyEvent ? Omit<E, Filled> & Partial<Pick<E, Filled & keyof E>> : never

/**
 * The input of an emitter: any event without context. `timestamp`, `index` and `thoughtId` are optional.
 */
export type EventDraft = { [K in EventKind]: DraftOf<EventOf<K>> }[EventKind]
