/** Replay: selecting and renumbering events for a client that reconnects. */
import { requireArray, requireInteger, requireObject, requireText } from '../../../core/require.ts'
import { type DeliveredEvent, parseSessionEventId, seqOf } from './event-id.ts'

/** The position of a client, as in the content of `user.reconnect` and `user.reconnect_with_state`. */
export interface SessionCursor {
  /** The highest `seq` received. Omitted if none. */
  readonly last_seq?: number
  /** The `event_id` received last. Takes precedence over `last_seq` if it is valid. */
  readonly last_event_id?: string
}

/** The result of {@link selectReplay}. */
export interface SessionReplay<E> {
  /** The events to send again, in the order they were first sent. */
  readonly events: readonly E[]
  /** Number of older events left out because of the limit. */
  readonly skipped: number
}

/**
 * Selects the events to send again to a client that reconnects: with a `last_event_id` those that the
 * same connection sent after it, otherwise those with a `seq` above `last_seq`; without either, all.
 *
 * @param kept - The sent events, such as `state.kept` of `sessionOutbox`.
 * @param limit - Maximum number of events: an integer from 0. Defaults to 200.
 * @throws TypeError if an argument is of another type. A field of the cursor that comes from a client may be anything.
 */
export function selectReplay<E extends DeliveredEvent>(
  kept: readonly E[],
  cursor: SessionCursor,
  limit = 200,
): SessionReplay<E> {
  requireArray('kept', kept)
  requireObject('cursor', cursor)
  requireInteger('limit', limit, 0)
  const last = parseSessionEventId(cursor.last_event_id)
  const events = kept.filter((event) => {
    if (last === undefined) return (seqOf(event) ?? Infinity) > (cursor.last_seq ?? -1)
    const id = parseSessionEventId(event?.event_id)
    return id !== undefined && id.connection === last.connection && id.seq > last.seq
  })
  const skipped = Math.max(0, events.length - limit)
  return { events: events.slice(skipped), skipped }
}

/**
 * Prepares an event to be sent again under a new position. `metadata.orig_seq` and
 * `metadata.orig_event_id` keep its first position, however often it is sent. Returns a new event.
 *
 * @throws TypeError if `event` or `position` is not an object, or the position has no session, number or id.
 */
export function restampSessionEvent<E extends DeliveredEvent>(
  event: E,
  position: { readonly session_id: string; readonly seq: number; readonly event_id: string },
): E & typeof position {
  requireObject('event', event)
  requireObject('position', position)
  requireText('position.session_id', position.session_id)
  requireInteger('position.seq', position.seq, 0)
  requireText('position.event_id', position.event_id)
  const metadata = {
    ...(event.seq !== undefined && { orig_seq: event.seq }),
    ...(event.event_id !== undefined && { orig_event_id: event.event_id }),
    ...(event.metadata as object | undefined),
  }
  return { ...event, ...position, metadata }
}

/**
 * Replaces the event with the same `event_id` in a list, or appends the event. Returns a new list.
 *
 * @throws TypeError if `list` is not an array or `event` is not an object.
 */
export function upsertSessionEvent<E extends DeliveredEvent>(list: readonly E[], event: E): E[] {
  requireArray('list', list)
  requireObject('event', event)
  const at = event.event_id === undefined ? -1 : list.findIndex((e) => e?.event_id === event.event_id)
  return at < 0 ? [...list, event] : list.with(at, event)
}
