/** The schemas of the events in `system.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, metadata, open, timestamp } from '../../../../events/records/fields.ts'
import type { ClientHeartbeatEvent, SystemEvent } from '../events/system.ts'
import { amount, content, envelope, eventSchema, noContent, type SchemasOf, text } from './envelope.ts'

export const systemSchemas: SchemasOf<SystemEvent> = {
  'system.connected': eventSchema(
    'system.connected',
    { ...envelope, connection_id: id },
    open({ server_version: text, server_time: timestamp }),
    metadata({ server_uptime_seconds: amount, active_sessions: count }),
  ),
  'system.heartbeat': eventSchema(
    'system.heartbeat',
    envelope,
    content(open({ server_time: timestamp })),
    metadata({ seq: count, server_uptime_seconds: amount }),
  ),
  'system.error': eventSchema(
    'system.error',
    envelope,
    text,
    metadata({ error_code: id, severity: z.enum(['info', 'warning', 'error']) }),
  ),
}

/** The schema of a client's `system.heartbeat`, which has no uptime. */
export const clientHeartbeatSchema: Schema<ClientHeartbeatEvent> = schemaOf<ClientHeartbeatEvent>()(
  open({
    event: z.literal('system.heartbeat'),
    ...envelope,
    content: noContent,
    metadata: metadata({ seq: count }),
  }),
)
