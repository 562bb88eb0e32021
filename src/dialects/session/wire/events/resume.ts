/**
 * How the client acknowledges events, and how it reconnects.
 *
 *     user.ack*                                    the server may drop acknowledged events
 *     user.reconnect                               after a short connection loss
 *     user.request_state → … → user.reconnect_with_state   after a long one
 */

import type { Metadata } from '../../../../events/metadata.ts'
import type { InSession, SessionEnvelope } from '../envelope.ts'

/**
 * Acknowledges received events, which the server may then drop.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserAckEvent extends InSession {
  event: 'user.ack'
  /** The acknowledged position. Omitted: nothing is acknowledged. */
  content?: {
    /** The highest `seq` received. */
    last_seq: number
  } | null
  metadata?: Metadata & {
    /** Number of events received. Omitted if unknown. */
    received_count?: number
    /** Size of the client’s buffer, in client-specific units. Omitted if unknown. */
    buffer_size?: number
  }
}

/**
 * Reconnects to a session after a short connection loss.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserReconnectEvent extends SessionEnvelope {
  event: 'user.reconnect'
  /** The session and position to resume from. */
  content: {
    /** The session to reconnect to. */
    session_id: string
    /** The highest `seq` received. Omitted: replay all events. */
    last_seq?: number
  }
  metadata?: Metadata
}

/**
 * Reconnects with an exported state. Answered by `agent.state_restored`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserReconnectWithStateEvent extends SessionEnvelope {
  event: 'user.reconnect_with_state'
  /** The state and position to resume from. */
  content: {
    /** The state from `agent.state_exported`, unchanged. It identifies the session. */
    signed_state: string
    /** The highest `seq` received. */
    last_seq: number
    /** The `event_id` received last. Takes precedence over `last_seq`. */
    last_event_id?: string
  }
  /** The state as an object, where real servers expect it. An extension. See `encodeReconnectWithState`. */
  signed_state?: Record<string, unknown>
  metadata?: Metadata & {
    /** Time offline in milliseconds. */
    offline_duration_ms: number
    /** Version of the state format, from `agent.state_exported`. */
    state_version: string
  }
}

/**
 * Requests the state. Answered by `agent.state_exported`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserRequestStateEvent extends InSession {
  event: 'user.request_state'
  content?: null
  metadata?: Metadata & {
    /** Whether to include all events. Omitted: the server decides. */
    include_history?: boolean
    /** The compression of the state. Omitted: the server decides. */
    compression?: 'gzip' | 'none'
  }
}

/** Any event of this file. */
export type ResumeEvent =
  | UserAckEvent
  | UserReconnectEvent
  | UserReconnectWithStateEvent
  | UserRequestStateEvent
