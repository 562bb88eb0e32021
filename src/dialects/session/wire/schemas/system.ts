/** The schemas of the events in `system.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, metadata, open, timestamp } from '../../../../events/records/fields.ts'
import type {
  ClientHeartbeatEvent,
  SystemConnectedEvent,
  SystemErrorEvent,
  SystemHeartbeatEvent,
} from '../events/system.ts'
import { amount, content, envelope, eventOf, noContent, text } from './envelope.ts'

export const systemConnectedSchema: Schema<SystemConnectedEvent> = schemaOf<SystemConnectedEvent>()(
  eventOf(
    'system.connected',
    { ...envelope, connection_id: id },
    open({ server_version: text, server_time: timestamp }),
    metadata({ server_uptime_seconds: amount, active_sessions: count }),
  ),
)

export const systemHeartbeatSchema: Schema<SystemHeartbeatEvent> = schemaOf<SystemHeartbeatEvent>()(
  eventOf(
    'system.heartbeat',
    envelope,
    content(open({ server_time: timestamp })),
    metadata({ seq: count, server_uptime_seconds: amount }),
  ),
)

/** The schema of a client's `system.heartbeat`, which has no uptime. */
export const clientHeartbeatSchema: Schema<ClientHeartbeatEvent> = schemaOf<ClientHeartbeatEvent>()(
  eventOf('system.heartbeat', envelope, noContent, metadata({ seq: count })),
)

export const systemErrorSchema: Schema<SystemErrorEvent> = schemaOf<SystemErrorEvent>()(
  eventOf(
    'system.error',
    envelope,
    text,
    metadata({ error_code: id, severity: z.enum(['info', 'warning', 'error']) }),
  ),
)
