/**
 * How the client says what it received, and how it comes back.
 *
 *     user.ack*                                    what was received may be forgotten
 *     user.reconnect                               a short loss of the connection
 *     user.request_state → … → user.reconnect_with_state   a long one
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { count, id, type Metadata, maybe, metadata, open } from '../../../events/fields.ts'
import {
  amount,
  content,
  envelope,
  eventOf,
  type InSession,
  inSession,
  noContent,
  type SessionEnvelope,
  text,
} from './envelope.ts'

/**
 * What was received: the server need keep it no longer.
 *
 * @see docs/spec/event-payloads.md#userack
 */
export interface UserAckEvent extends InSession {
  event: 'user.ack'
  /** Up to where. Absent: nothing is acknowledged. */
  content?: {
    /** The highest `seq` received. */
    last_seq: number
  } | null
  metadata?: Metadata & {
    /** How many events the client received. Absent: not told. */
    received_count?: number
    /** Size of the client’s buffer, as the client counts it. Absent: not told. */
    buffer_size?: number
  }
}

export const userAckSchema: Schema<UserAckEvent> = schemaOf<UserAckEvent>()(
  eventOf(
    'user.ack',
    inSession,
    content(open({ last_seq: count })),
    maybe(metadata({ received_count: maybe(count), buffer_size: maybe(count) })),
  ),
)

/**
 * Comes back to a session after a short loss of the connection.
 *
 * @see docs/spec/event-payloads.md#userreconnect
 */
export interface UserReconnectEvent extends SessionEnvelope {
  event: 'user.reconnect'
  /** Where to go on. */
  content: {
    /** The session to come back to. */
    session_id: string
    /** The highest `seq` received. Absent: replay all there is. */
    last_seq?: number
  }
  metadata?: Metadata
}

export const userReconnectSchema: Schema<UserReconnectEvent> = schemaOf<UserReconnectEvent>()(
  eventOf('user.reconnect', envelope, open({ session_id: id, last_seq: maybe(count) }), maybe(metadata({}))),
)

/**
 * Comes back with the state the client kept. Answered by `agent.state_restored`.
 *
 * @see docs/spec/event-payloads.md#userreconnect_with_state
 */
export interface UserReconnectWithStateEvent extends SessionEnvelope {
  event: 'user.reconnect_with_state'
  /** Where to go on, and from which state. */
  content: {
    /** The state as `agent.state_exported` gave it, untouched. It names the session. */
    signed_state: string
    /** The highest `seq` received. */
    last_seq: number
    /** The `event_id` received last. Wins over `last_seq`. */
    last_event_id?: string
  }
  metadata?: Metadata & {
    /** How long the client was away, in milliseconds. */
    offline_duration_ms: number
    /** Version of the form of the state, as `agent.state_exported` told it. */
    state_version: string
  }
}

export const userReconnectWithStateSchema: Schema<UserReconnectWithStateEvent> =
  schemaOf<UserReconnectWithStateEvent>()(
    eventOf(
      'user.reconnect_with_state',
      envelope,
      open({ signed_state: text, last_seq: count, last_event_id: maybe(id) }),
      maybe(metadata({ offline_duration_ms: amount, state_version: text })),
    ),
  )

/**
 * Asks for the state. Answered by `agent.state_exported`.
 *
 * @see docs/spec/event-payloads.md#userrequest_state
 */
export interface UserRequestStateEvent extends InSession {
  event: 'user.request_state'
  content?: null
  metadata?: Metadata & {
    /** Whether all events are to be in it. */
    include_history?: boolean
    /** How the state is to be compressed. Absent: as the server likes. */
    compression?: 'gzip' | 'none'
  }
}

export const userRequestStateSchema: Schema<UserRequestStateEvent> = schemaOf<UserRequestStateEvent>()(
  eventOf(
    'user.request_state',
    inSession,
    noContent,
    maybe(metadata({ include_history: maybe(z.boolean()), compression: maybe(z.enum(['gzip', 'none'])) })),
  ),
)
