/** Making events of the session protocol. */
import { explain } from '../../../validation/issues.ts'
import { schemaFor } from './decode.ts'
import type { SessionEnvelope } from './envelope.ts'
import type { SessionEventOf } from './event.ts'
import { isSessionEventName, type SessionDirection, type SessionEventName } from './names.ts'
import type { ClientHeartbeatEvent } from './system-events.ts'

/** What {@link createSessionEvent} needs besides content and metadata: the envelope and a clock. */
export interface CreateSessionOptions extends Omit<SessionEnvelope, 'timestamp'> {
  /**
   * The clock. Returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * text with zone.
   */
  readonly now: () => Date | number | string
  /** Who sends it; only a heartbeat is another one from a client. Absent: whoever sends such events. */
  readonly direction?: SessionDirection
}

/** The content of an event; `null` where it may have none. */
export type SessionContentOf<N extends SessionEventName> =
  SessionEventOf<N> extends { content: infer C }
    ? C
    : Exclude<SessionEventOf<N> extends { content?: infer C } ? C : never, undefined> | null

/** The metadata of an event; `undefined` where it may have none. */
export type SessionMetadataOf<N extends SessionEventName> =
  SessionEventOf<N> extends { metadata: infer M }
    ? M
    : (SessionEventOf<N> extends { metadata?: infer M } ? M : never) | undefined

/**
 * Makes an event: with a timestamp, and with `content: null` where there is no content. Keys are
 * written in the order `event`, `timestamp`, `session_id`, `content`, `metadata`, then the rest of
 * the envelope. Metadata without a key is left out.
 *
 * @throws TypeError when what is handed in is no such event: that is a mistake in the calling code.
 *
 * @see docs/spec/event-payloads.md#base-structure
 *
 * @example
 * ```ts
 * const now = () => new Date()
 * createSessionEvent('user.message', 'Make five slides', undefined, { now, session_id: 'sess-1' })
 * ```
 */
export function createSessionEvent(
  name: 'system.heartbeat',
  content: null,
  metadata: ClientHeartbeatEvent['metadata'],
  options: CreateSessionOptions & { direction: 'client' },
): ClientHeartbeatEvent
export function createSessionEvent<N extends SessionEventName>(
  name: N,
  content: SessionContentOf<N>,
  metadata: SessionMetadataOf<N>,
  options: CreateSessionOptions,
): SessionEventOf<N>
export function createSessionEvent(
  name: SessionEventName,
  content: unknown,
  metadata: object | undefined,
  { now, direction, ...envelope }: CreateSessionOptions,
): unknown {
  if (typeof now !== 'function') {
    throw new TypeError('Pass a clock as `now`.')
  }
  if (!isSessionEventName(name)) throw new TypeError(`There is no event ${String(name)}.`)
  const { session_id, ...rest } = envelope
  const event = {
    event: name,
    timestamp: toTimestamp(now()),
    ...(session_id !== undefined && { session_id }),
    content: content ?? null,
    ...(metadata !== undefined && metadata !== null && Object.keys(metadata).length > 0 && { metadata }),
    ...rest,
  }
  const issues = explain(schemaFor(name, direction), event)
  if (issues.length === 0) return event
  const reasons = issues.map(({ path, message }) => `${path}: ${message}`)
  throw new TypeError(`Not a valid ${name}. ${reasons.join(' ')}`)
}

/** A time as events tell it. */
export function toTimestamp(now: Date | number | string): string {
  if (typeof now === 'string') return now
  const date = new Date(now)
  if (Number.isNaN(date.getTime())) throw new TypeError('The clock gives no time.')
  return date.toISOString()
}
