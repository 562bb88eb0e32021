/**
 * What the server says of the session itself.
 *
 *     agent.session_created → … → agent.session_end
 *     agent.state_exported → (another connection) → agent.state_restored
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import {
  anyObject,
  count,
  id,
  type Metadata,
  maybe,
  metadata,
  open,
  timestamp,
} from '../../../events/fields.ts'
import { amount, content, eventOf, type InSession, inSession, text } from './envelope.ts'

/**
 * A session is open; its id is `session_id`. The document names the event and gives it no payload:
 * this one is ours.
 *
 * @see docs/spec/event-payloads.md#usercreate_session
 */
export interface AgentSessionCreatedEvent extends InSession {
  event: 'agent.session_created'
  /** As the client wished. */
  content?: {
    /** What the session is called, for people. */
    session_name?: string
    /** The project the session belongs to. */
    project_name?: string
    /** Settings of the session. */
    config?: Record<string, unknown>
  } | null
  /** What the server tells of itself. Absent: nothing. */
  metadata?: Metadata & {
    /** When the session was opened: RFC 3339. */
    created_at?: string
    /** Version of the server’s software. */
    server_version?: string
    /** Where the numbering of events begins. */
    resume?: Metadata & {
      /** What `seq` counts within. */
      epoch: string
      /** The number of the event to go on after. */
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
 * The session is over. Only `system.*` may follow.
 *
 * @see docs/spec/event-payloads.md#agentsession_end
 */
export interface AgentSessionEndEvent extends InSession {
  event: 'agent.session_end'
  /** For people. */
  content?: string | null
  metadata: Metadata & {
    /** Why it ended: one of the documented reasons, or one of the server’s own. */
    reason: 'user_request' | 'timeout' | 'error' | 'completion' | (string & {})
    /** How long the session was open, in milliseconds. */
    total_duration_ms: number
    /** How many messages there were in all. */
    total_messages?: number
    /** How the session went. Absent: not told. */
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
 * The state of the session, for the client to keep.
 *
 * @see docs/spec/event-payloads.md#agentstate_exported
 */
export interface AgentStateExportedEvent extends InSession {
  event: 'agent.state_exported'
  /** The state. Absent or `null`: nothing was exported. */
  content?: {
    /** The state, readable. Not proof of anything. */
    exported_state: Record<string, unknown>
    /** The state as `user.reconnect_with_state` sends it back; ours, as the document names no place. */
    signed_state?: string
  } | null
  metadata: Metadata & {
    /** When the state was exported: RFC 3339. */
    exported_at: string
    /** Until when the state may come back; after `exported_at`. */
    valid_until: string
    /** Size of the state, in bytes. */
    state_size_bytes?: number
    /** Against damage, not against forgery. */
    checksum?: string
    /** What `user.reconnect_with_state` is to repeat; ours. */
    state_version?: string
    /** The highest `seq` sent; ours. */
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
 * The client's state was taken, unless `state_integrity` is `failed`: that is a refusal.
 *
 * @see docs/spec/event-payloads.md#agentstate_restored
 */
export interface AgentStateRestoredEvent extends InSession {
  event: 'agent.state_restored'
  /** For people. */
  content?: string | null
  metadata: Metadata & {
    /** When the state was restored: RFC 3339. */
    restored_at: string
    /** How long restoring took, in milliseconds. */
    restoration_time_ms: number
    /** The stage the session was in when its state was exported, such as `solving`. */
    previous_stage: string
    /** How many tasks go on. Absent: not told. */
    recovered_tasks?: number
    /** Whether the state is as it was exported; `failed`: it was refused. */
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
