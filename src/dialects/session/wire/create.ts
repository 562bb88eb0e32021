/** Creating events of the session protocol. */

import { mismatch, requireFunction, requireObject, requireOneOf } from '../../../core/require.ts'
import { readClock } from '../../../validation/callbacks.ts'
import { issuesOf } from '../../../validation/read.ts'
import { fieldsFor } from './decode.ts'
import type { SessionEventOf } from './event.ts'
import { isSessionEventName, type SessionDirection, type SessionEventName } from './names.ts'
import type { ClientHeartbeatEvent, SessionEnvelope } from './types.generated.ts'

/** The envelope of an event and a clock, for {@link createSessionEvent}. */
export interface CreateSessionOptions extends Omit<SessionEnvelope, 'timestamp'> {
  /**
   * The clock: returns the current time as a `Date`, as milliseconds since 1970, or as an RFC 3339
   * timestamp with zone.
   */
  readonly now: () => Date | number | string
  /** The sender. Matters only for a heartbeat, which differs by side. Defaults to the server. */
  readonly direction?: SessionDirection
}

/** The content of an event, such as `SessionContentOf<'plan.start'>`; or `null` if it is optional. */
export type SessionContentOf<N extends SessionEventName> =
  SessionEventOf<N> extends { content: infer C }
    ? C
    : Exclude<SessionEventOf<N> extends { content?: infer C } ? C : never, undefined> | null

/** The metadata of an event, such as `SessionMetadataOf<'plan.start'>`; or `undefined` if it is optional. */
export type SessionMetadataOf<N extends SessionEventName> =
  SessionEventOf<N> extends { metadata: infer M }
    ? M
    : (SessionEventOf<N> extends { metadata?: infer M } ? M : never) | undefined

/**
 * Creates an event with a timestamp, and with `content: null` if it has no content. The keys are in the
 * order `event`, `timestamp`, `session_id`, `content`, `metadata`, then the rest of the envelope. Empty
 * metadata is omitted.
 *
 * @throws TypeError if the event would be invalid, which is a mistake in the calling code.
 *
 * @see docs/spec/event-payloads.md
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
  options: CreateSessionOptions,
): unknown {
  requireObject('options', options)
  const { now, direction, ...envelope } = options
  requireFunction('now', now)
  if (direction !== undefined) requireOneOf('direction', direction, ['client', 'server'])
  if (!isSessionEventName(name)) throw mismatch('name', 'the name of a session event', name)
  const { session_id, ...rest } = envelope
  const event = {
    event: name,
    timestamp: readClock(now),
    ...(session_id !== undefined && { session_id }),
    content: content ?? null,
    ...(metadata !== undefined && metadata !== null && Object.keys(metadata).length > 0 && { metadata }),
    ...rest,
  }
  const issues = issuesOf(['fields', fieldsFor(name, direction)], event, { refusesNulls: true })
  if (issues.length === 0) return event
  const reasons = issues.map(({ path, message }) => `${path}: ${message}`)
  throw new TypeError(`Expected a valid ${name}. ${reasons.join(' ')}`)
}
