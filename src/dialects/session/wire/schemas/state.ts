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
  maybe,
  maybeNull,
  metadata,
  open,
  timestamp,
} from '../../../../events/records/fields.ts'
import type { StateEvent } from '../types.generated.ts'
import { amount, inSession, text } from './envelope.ts'

/**
 * A session was created; its id is `session_id`. The source specification names the event without a
 * payload: the one here is an extension.
 *
 * @see docs/spec/event-payloads.md
 */
const agentSessionCreatedEvent = open({
  event: z.literal('agent.session_created'),
  ...inSession,
  /** The settings the client requested. */
  content: maybeNull(
    open({
      /** Human-readable name of the session. */
      session_name: maybe(text),
      /** The project the session belongs to. */
      project_name: maybe(text),
      /** Settings of the session. */
      config: maybe(anyObject),
    }),
  ),
  /** Information about the server. Omitted if there is none. */
  metadata: maybe(
    metadata({
      /** Creation time: RFC 3339. */
      created_at: maybe(timestamp),
      /** Version of the server software. */
      server_version: maybe(text),
      /** The position from which to resume. */
      resume: maybe(
        metadata({
          /** The scope of `seq`. */
          epoch: id,
          /** The number of the event to resume after. */
          seq: count,
        }),
      ),
    }),
  ),
})

/**
 * The session ended. Only `system.*` events may follow.
 *
 * @see docs/spec/event-payloads.md
 */
const agentSessionEndEvent = open({
  event: z.literal('agent.session_end'),
  ...inSession,
  /** Human-readable text. */
  content: maybeNull(text),
  metadata: metadata({
    /** The reason. */
    reason: z.enum(['user_request', 'timeout', 'error', 'completion']),
    /** Duration of the session in milliseconds. */
    total_duration_ms: amount,
    /** Total number of messages. Omitted if unknown. */
    total_messages: maybe(count),
    /** The outcome of the session. Omitted if unknown. */
    completion_status: maybe(z.enum(['success', 'partial', 'failed'])),
  }),
})

/**
 * The state of the session, for the client to store.
 *
 * @see docs/spec/event-payloads.md
 */
const agentStateExportedEvent = open({
  event: z.literal('agent.state_exported'),
  ...inSession,
  /** The state. Omitted or `null` if nothing was exported. */
  content: maybeNull(
    open({
      /** The state in readable form. Not authenticated. */
      exported_state: anyObject,
      /** The state that `user.reconnect_with_state` returns. An extension: the specification defines no field. */
      signed_state: maybe(text),
    }),
  ),
  metadata: metadata({
    /** Export time: RFC 3339. */
    exported_at: timestamp,
    /** Expiry time of the state, later than `exported_at`: RFC 3339. */
    valid_until: timestamp,
    /** Size of the state in bytes. */
    state_size_bytes: maybe(count),
    /** Checksum. Detects corruption, not forgery. */
    checksum: maybe(text),
    /** Version that `user.reconnect_with_state` repeats. An extension. */
    state_version: maybe(text),
    /** The highest `seq` sent. An extension. */
    last_seq: maybe(count),
  }),
})

/**
 * The state of the client was restored, or rejected if `state_integrity` is `failed`.
 *
 * @see docs/spec/event-payloads.md
 */
const agentStateRestoredEvent = open({
  event: z.literal('agent.state_restored'),
  ...inSession,
  /** Human-readable text. */
  content: maybeNull(text),
  metadata: metadata({
    /** Time of restoration: RFC 3339. */
    restored_at: timestamp,
    /** Duration of restoring in milliseconds. */
    restoration_time_ms: amount,
    /** The stage of the session at the export, such as `solving`. */
    previous_stage: text,
    /** Number of resumed tasks. Omitted if unknown. */
    recovered_tasks: maybe(count),
    /** Whether the state is intact. `failed`: it was rejected. */
    state_integrity: z.enum(['verified', 'partial', 'failed']),
  }),
})

/** Any event about the session itself. */
export const stateEvent: Schema<StateEvent> = schemaOf<StateEvent>()(
  z.discriminatedUnion('event', [
    agentSessionCreatedEvent,
    agentSessionEndEvent,
    agentStateExportedEvent,
    agentStateRestoredEvent,
  ]),
)
