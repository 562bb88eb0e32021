/** What is said of the connection. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { count, id, type Metadata, metadata, open, timestamp } from '../../../events/fields.ts'
import { amount, content, envelope, eventOf, noContent, type SessionEnvelope, text } from './envelope.ts'

/**
 * The connection is open. The first event the server sends.
 *
 * @see docs/spec/event-payloads.md#systemconnected
 */
export interface SystemConnectedEvent extends SessionEnvelope {
  event: 'system.connected'
  /** Names the connection; events are numbered within it. */
  connection_id: string
  /** What the server tells of itself. */
  content: {
    /** Version of the server’s software. */
    server_version: string
    /** The server’s clock: RFC 3339. */
    server_time: string
  }
  metadata: Metadata & {
    /** How long the server has been running, in seconds. */
    server_uptime_seconds: number
    /** How many sessions the server has open. */
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
 * The connection is alive; from the server.
 *
 * @see docs/spec/event-payloads.md#systemheartbeat
 */
export interface SystemHeartbeatEvent extends SessionEnvelope {
  event: 'system.heartbeat'
  /** What the server tells of itself. Absent or `null`: nothing. */
  content?: {
    /** The server’s clock: RFC 3339. */
    server_time: string
  } | null
  metadata: Metadata & {
    /** The highest `seq` sent. */
    seq: number
    /** How long the server has been running, in seconds. */
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
 * The connection is alive; from the client, which has no uptime to tell.
 *
 * @see docs/spec/event-payloads.md#systemheartbeat
 */
export interface ClientHeartbeatEvent extends SessionEnvelope {
  event: 'system.heartbeat'
  content?: null
  metadata: Metadata & {
    /** The highest `seq` received. */
    seq: number
  }
}

/** The validator of {@link ClientHeartbeatEvent}. */
export const clientHeartbeatSchema: Schema<ClientHeartbeatEvent> = schemaOf<ClientHeartbeatEvent>()(
  eventOf('system.heartbeat', envelope, noContent, metadata({ seq: count })),
)

/**
 * Something went wrong with the connection or the server.
 *
 * @see docs/spec/event-payloads.md#systemerror
 */
export interface SystemErrorEvent extends SessionEnvelope {
  event: 'system.error'
  /** What, for people. */
  content: string
  metadata: Metadata & {
    /** For programs: what went wrong. */
    error_code: string
    /** How bad it is. */
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
