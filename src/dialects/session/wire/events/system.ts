/** Events about the connection. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, type Metadata, metadata, open, timestamp } from '../../../../events/fields.ts'
import { amount, content, envelope, eventOf, noContent, type SessionEnvelope, text } from '../envelope.ts'

/**
 * The connection is open. The first event the server sends.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SystemConnectedEvent extends SessionEnvelope {
  event: 'system.connected'
  /** The id of the connection. Events are numbered within it. */
  connection_id: string
  /** Information about the server. */
  content: {
    /** Version of the server software. */
    server_version: string
    /** Time of the server: RFC 3339. */
    server_time: string
  }
  metadata: Metadata & {
    /** Uptime of the server in seconds. */
    server_uptime_seconds: number
    /** Number of open sessions. */
    active_sessions: number
  }
}

export const systemConnectedSchema: Schema<SystemConnectedEvent> = schemaOf<SystemConnectedEvent>()(
  eventOf(
    'system.connected',
    { ...envelope, connection_id: id },
    open({ server_version: text, server_time: timestamp }),
    metadata({ server_uptime_seconds: amount, active_sessions: count }),
  ),
)

/**
 * The server's heartbeat: the connection is alive.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SystemHeartbeatEvent extends SessionEnvelope {
  event: 'system.heartbeat'
  /** Information about the server. Omitted or `null` if there is none. */
  content?: {
    /** Time of the server: RFC 3339. */
    server_time: string
  } | null
  metadata: Metadata & {
    /** The highest `seq` sent. */
    seq: number
    /** Uptime of the server in seconds. */
    server_uptime_seconds: number
  }
}

export const systemHeartbeatSchema: Schema<SystemHeartbeatEvent> = schemaOf<SystemHeartbeatEvent>()(
  eventOf(
    'system.heartbeat',
    envelope,
    content(open({ server_time: timestamp })),
    metadata({ seq: count, server_uptime_seconds: amount }),
  ),
)

/**
 * The client's heartbeat: like the server's, without uptime.
 *
 * @see docs/spec/event-payloads.md
 */
export interface ClientHeartbeatEvent extends SessionEnvelope {
  event: 'system.heartbeat'
  content?: null
  metadata: Metadata & {
    /** The highest `seq` received. */
    seq: number
  }
}

/** The schema of a client's `system.heartbeat`, which has no uptime. */
export const clientHeartbeatSchema: Schema<ClientHeartbeatEvent> = schemaOf<ClientHeartbeatEvent>()(
  eventOf('system.heartbeat', envelope, noContent, metadata({ seq: count })),
)

/**
 * An error of the connection or the server.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SystemErrorEvent extends SessionEnvelope {
  event: 'system.error'
  /** Human-readable error message. */
  content: string
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** Severity. */
    severity: 'info' | 'warning' | 'error'
  }
}

export const systemErrorSchema: Schema<SystemErrorEvent> = schemaOf<SystemErrorEvent>()(
  eventOf(
    'system.error',
    envelope,
    text,
    metadata({ error_code: id, severity: z.enum(['info', 'warning', 'error']) }),
  ),
)
