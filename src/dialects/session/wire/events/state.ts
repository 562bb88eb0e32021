/**
 * Events about the session itself.
 *
 *     agent.session_created → … → agent.session_end
 *     agent.state_exported → (another connection) → agent.state_restored
 */

import type { Metadata } from '../../../../events/metadata.ts'
import type { InSession } from '../envelope.ts'

/**
 * A session was created; its id is `session_id`. The source specification names the event without a
 * payload: the one here is an extension.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentSessionCreatedEvent extends InSession {
  event: 'agent.session_created'
  /** The settings the client requested. */
  content?: {
    /** Human-readable name of the session. */
    session_name?: string
    /** The project the session belongs to. */
    project_name?: string
    /** Settings of the session. */
    config?: Record<string, unknown>
  } | null
  /** Information about the server. Omitted if there is none. */
  metadata?: Metadata & {
    /** Creation time: RFC 3339. */
    created_at?: string
    /** Version of the server software. */
    server_version?: string
    /** The position from which to resume. */
    resume?: Metadata & {
      /** The scope of `seq`. */
      epoch: string
      /** The number of the event to resume after. */
      seq: number
    }
  }
}

/**
 * The session ended. Only `system.*` events may follow.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentSessionEndEvent extends InSession {
  event: 'agent.session_end'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** The reason. */
    reason: 'user_request' | 'timeout' | 'error' | 'completion'
    /** Duration of the session in milliseconds. */
    total_duration_ms: number
    /** Total number of messages. Omitted if unknown. */
    total_messages?: number
    /** The outcome of the session. Omitted if unknown. */
    completion_status?: 'success' | 'partial' | 'failed'
  }
}

/**
 * The state of the session, for the client to store.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentStateExportedEvent extends InSession {
  event: 'agent.state_exported'
  /** The state. Omitted or `null` if nothing was exported. */
  content?: {
    /** The state in readable form. Not authenticated. */
    exported_state: Record<string, unknown>
    /** The state that `user.reconnect_with_state` returns. An extension: the specification defines no field. */
    signed_state?: string
  } | null
  metadata: Metadata & {
    /** Export time: RFC 3339. */
    exported_at: string
    /** Expiry time of the state, later than `exported_at`: RFC 3339. */
    valid_until: string
    /** Size of the state in bytes. */
    state_size_bytes?: number
    /** Checksum. Detects corruption, not forgery. */
    checksum?: string
    /** Version that `user.reconnect_with_state` repeats. An extension. */
    state_version?: string
    /** The highest `seq` sent. An extension. */
    last_seq?: number
  }
}

/**
 * The state of the client was restored, or rejected if `state_integrity` is `failed`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AgentStateRestoredEvent extends InSession {
  event: 'agent.state_restored'
  /** Human-readable text. */
  content?: string | null
  metadata: Metadata & {
    /** Time of restoration: RFC 3339. */
    restored_at: string
    /** Duration of restoring in milliseconds. */
    restoration_time_ms: number
    /** The stage of the session at the export, such as `solving`. */
    previous_stage: string
    /** Number of resumed tasks. Omitted if unknown. */
    recovered_tasks?: number
    /** Whether the state is intact. `failed`: it was rejected. */
    state_integrity: 'verified' | 'partial' | 'failed'
  }
}

/** Any event of this file. */
export type StateEvent =
  | AgentSessionCreatedEvent
  | AgentSessionEndEvent
  | AgentStateExportedEvent
  | AgentStateRestoredEvent
