/**
 * Events about the session itself.
 *
 *     agent.session_created → … → agent.session_end
 *     agent.state_exported → (another connection) → agent.state_restored
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import {
  anyObject,
  count,
  id,
  type Metadata,
  maybe,
  metadata,
  open,
  timestamp,
} from '../../../../events/fields.ts'
import { amount, content, eventOf, type InSession, inSession, text } from '../envelope.ts'

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

export const agentSessionCreatedSchema: Schema<AgentSessionCreatedEvent> =
  schemaOf<AgentSessionCreatedEvent>()(
    eventOf(
      'agent.session_created',
      inSession,
      content(open({ session_name: maybe(text), project_name: maybe(text), config: maybe(anyObject) })),
      maybe(
        metadata({
          created_at: maybe(timestamp),
          server_version: maybe(text),
          resume: maybe(metadata({ epoch: id, seq: count })),
        }),
      ),
    ),
  )

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
    /** The reason: a documented or a server-specific one. */
    reason: 'user_request' | 'timeout' | 'error' | 'completion' | (string & {})
    /** Duration of the session in milliseconds. */
    total_duration_ms: number
    /** Total number of messages. Omitted if unknown. */
    total_messages?: number
    /** The outcome of the session. Omitted if unknown. */
    completion_status?: 'success' | 'partial' | 'failed'
  }
}

export const agentSessionEndSchema: Schema<AgentSessionEndEvent> = schemaOf<AgentSessionEndEvent>()(
  eventOf(
    'agent.session_end',
    inSession,
    content(text),
    metadata({
      reason: text as z.ZodMiniType<AgentSessionEndEvent['metadata']['reason']>,
      total_duration_ms: amount,
      total_messages: maybe(count),
      completion_status: maybe(z.enum(['success', 'partial', 'failed'])),
    }),
  ),
)

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

export const agentStateExportedSchema: Schema<AgentStateExportedEvent> = schemaOf<AgentStateExportedEvent>()(
  eventOf(
    'agent.state_exported',
    inSession,
    content(open({ exported_state: anyObject, signed_state: maybe(text) })),
    metadata({
      exported_at: timestamp,
      valid_until: timestamp,
      state_size_bytes: maybe(count),
      checksum: maybe(text),
      state_version: maybe(text),
      last_seq: maybe(count),
    }),
  ),
)

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

export const agentStateRestoredSchema: Schema<AgentStateRestoredEvent> = schemaOf<AgentStateRestoredEvent>()(
  eventOf(
    'agent.state_restored',
    inSession,
    content(text),
    metadata({
      restored_at: timestamp,
      restoration_time_ms: amount,
      previous_stage: text,
      recovered_tasks: maybe(count),
      state_integrity: z.enum(['verified', 'partial', 'failed']),
    }),
  ),
)
