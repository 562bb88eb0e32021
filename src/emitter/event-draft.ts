/** Events before they are emitted. */
import type { AnyEvent, EventKind, EventOf } from '../events/event.ts'

/** Fields of a draft the emitter fills in when they are left out. */
type Counted = 'timestamp' | 'index' | 'thoughtId'

type DraftOf<E> = E extends AnyEvent ? Omit<E, Counted> & Partial<Pick<E, Counted & keyof E>> : never

/**
 * What an emitter takes: any event without context. `timestamp`, `index` and `thoughtId` may be
 * left out.
 */
export type EventDraft = { [K in EventKind]: DraftOf<EventOf<K>> }[EventKind]
