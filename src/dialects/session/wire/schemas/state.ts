/** The schemas of the events in `state.ts`. */
import * as z from 'zod/mini'
import { anyObject, count, id, maybe, metadata, open, timestamp } from '../../../../events/records/fields.ts'
import type { StateEvent } from '../events/state.ts'
import { amount, content, eventSchema, inSession, type SchemasOf, text } from './envelope.ts'

export const stateSchemas: SchemasOf<StateEvent> = {
  'agent.session_created': eventSchema(
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
  'agent.session_end': eventSchema(
    'agent.session_end',
    inSession,
    content(text),
    metadata({
      reason: z.enum(['user_request', 'timeout', 'error', 'completion']),
      total_duration_ms: amount,
      total_messages: maybe(count),
      completion_status: maybe(z.enum(['success', 'partial', 'failed'])),
    }),
  ),
  'agent.state_exported': eventSchema(
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
  'agent.state_restored': eventSchema(
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
}
