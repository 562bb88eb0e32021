/** The schemas of the events in `state.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, count, id, maybe, metadata, open, timestamp } from '../../../../events/records/fields.ts'
import type {
  AgentSessionCreatedEvent,
  AgentSessionEndEvent,
  AgentStateExportedEvent,
  AgentStateRestoredEvent,
} from '../events/state.ts'
import { amount, content, eventOf, inSession, text } from './envelope.ts'

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
