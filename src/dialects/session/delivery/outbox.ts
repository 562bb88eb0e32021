/** The sending side: what was sent, until it is acknowledged, and what to send again. */
import type { Diagnostic, Machine, Step } from '../../../core/machine.ts'
import { type DeliveredEvent, parseSessionEventId, readSessionAck, seqOf } from './event-id.ts'

/** What a {@link sessionOutbox} remembers. */
export interface SessionOutboxState<E> {
  /** The highest `seq` sent. -1: none yet. */
  readonly highest: number
  /** The highest `seq` acknowledged. -1: none yet. */
  readonly acked: number
  /** What was sent and not acknowledged, in the order of sending. */
  readonly kept: readonly E[]
}

/** Settings of {@link sessionOutbox}. */
export interface SessionOutboxOptions {
  /**
   * How many events are kept at most.
   * @defaultValue 1000
   */
  readonly limit?: number
}

/**
 * Keeps what a server sends until the client acknowledges it. Takes both: the server's events, with
 * their `seq`, and the client's `user.ack`. Puts nothing out; `state.kept` is there to replay from.
 *
 * Diagnostics: `evicted` when an event is forgotten unacknowledged, `not-numbered` for a server's event
 * without `seq`, which cannot be kept, `unreadable-ack`, `stale-ack` for one below an earlier one,
 * `ack-ahead` for one above all that was sent; it acknowledges what was.
 *
 * @typeParam E - The events; they are kept as they went in.
 */
export function sessionOutbox<E extends DeliveredEvent>(
  options: SessionOutboxOptions = {},
): Machine<SessionOutboxState<E>, E, never> {
  const { limit = 1000 } = options
  if (!(limit >= 1)) throw new TypeError('`limit` must be at least 1.')
  return {
    initial: { highest: -1, acked: -1, kept: [] },
    step(state, event): Step<SessionOutboxState<E>, never> {
      if (event.event === 'user.ack') return acknowledge(state, event)
      if (event.event.startsWith('user.')) return { state, out: [] }
      const seq = seqOf(event)
      if (seq === undefined) return reported(state, 'not-numbered', 'What has no seq cannot be kept.')
      const kept = [...state.kept, event]
      const next = { ...state, highest: Math.max(state.highest, seq) }
      if (kept.length <= limit) return { state: { ...next, kept }, out: [] }
      const [lost] = kept
      return reported({ ...next, kept: kept.slice(1) }, 'evicted', 'Too much is unacknowledged.', {
        seq: lost?.seq,
      })
    },
    end: (state) => ({ state, out: [] }),
  }
}

function acknowledge<E extends DeliveredEvent>(
  state: SessionOutboxState<E>,
  event: E,
): Step<SessionOutboxState<E>, never> {
  const seq = readSessionAck(event)
  if (seq === undefined) return reported(state, 'unreadable-ack', 'Names no number.')
  if (seq < state.acked) return reported(state, 'stale-ack', `${state.acked} is acknowledged already.`)
  const acked = Math.min(seq, state.highest)
  const next = { ...state, acked, kept: state.kept.filter((sent) => (seqOf(sent) ?? 0) > acked) }
  return seq > acked ? reported(next, 'ack-ahead', `Only ${acked} was sent.`) : { state: next, out: [] }
}

function reported<S>(state: S, code: string, message: string, detail?: unknown): Step<S, never> {
  const diagnostic: Diagnostic = { code, message, ...(detail !== undefined && { detail }) }
  return { state, out: [], diagnostics: [diagnostic] }
}

/** Where a client stands, as `user.reconnect` and `user.reconnect_with_state` say in their content. */
export interface SessionCursor {
  /** The highest `seq` received. Absent: none. */
  readonly last_seq?: number
  /** Wins over `last_seq` where it can be read. */
  readonly last_event_id?: string
}

/** What {@link selectReplay} selects. */
export interface SessionReplay<E> {
  /** What to send again, in the order it was sent. */
  readonly events: readonly E[]
  /** How many more there were than the limit allows; the oldest are left out. */
  readonly skipped: number
}

/**
 * Selects what to send again to a client that comes back. With a `last_event_id` it is what the same
 * connection sent after it, otherwise what has a higher `seq` than `last_seq`; without either, all.
 *
 * @param kept - What was sent, such as `state.kept` of a {@link sessionOutbox}.
 * @param limit - How many events at most, 200 when absent.
 */
export function selectReplay<E extends DeliveredEvent>(
  kept: readonly E[],
  cursor: SessionCursor,
  limit = 200,
): SessionReplay<E> {
  const last = parseSessionEventId(cursor.last_event_id)
  const events = kept.filter((event) => {
    if (last === undefined) return (seqOf(event) ?? Infinity) > (cursor.last_seq ?? -1)
    const id = parseSessionEventId(event.event_id)
    return id !== undefined && id.connection === last.connection && id.seq > last.seq
  })
  const skipped = Math.max(0, events.length - limit)
  return { events: events.slice(skipped), skipped }
}

/**
 * An event as it is sent again: with a new place, and in `metadata.orig_seq` and
 * `metadata.orig_event_id` the place it had first, however often it is sent.
 */
export function restampSessionEvent<E extends DeliveredEvent>(
  event: E,
  place: { readonly session_id: string; readonly seq: number; readonly event_id: string },
): E & typeof place {
  const metadata = {
    ...(event.seq !== undefined && { orig_seq: event.seq }),
    ...(event.event_id !== undefined && { orig_event_id: event.event_id }),
    ...(event.metadata as object | undefined),
  }
  return { ...event, ...place, metadata }
}

/** A list with the event in it: in place of the one with the same `event_id`, or at its end. */
export function upsertSessionEvent<E extends DeliveredEvent>(list: readonly E[], event: E): E[] {
  const at = event.event_id === undefined ? -1 : list.findIndex((e) => e.event_id === event.event_id)
  return at < 0 ? [...list, event] : list.with(at, event)
}
