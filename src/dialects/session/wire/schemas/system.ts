/** Events about the connection. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybeNull, metadata, open, timestamp } from '../../../../events/records/fields.ts'
import type { ClientHeartbeatEvent, SystemEvent } from '../types.generated.ts'
import { amount, noContent, sessionEnvelope, text } from './envelope.ts'

/**
 * The connection is open. The first event the server sends.
 *
 * @see docs/spec/event-payloads.md
 */
const systemConnectedEvent = open({
  event: z.literal('system.connected'),
  ...sessionEnvelope,
  /** The id of the connection. Events are numbered within it. */
  connection_id: id,
  /** Information about the server. */
  content: open({
    /** Version of the server software. */
    server_version: text,
    /** Time of the server: RFC 3339. */
    server_time: timestamp,
  }),
  metadata: metadata({
    /** Uptime of the server in seconds. */
    server_uptime_seconds: amount,
    /** Number of open sessions. */
    active_sessions: count,
  }),
})

/**
 * The server's heartbeat: the connection is alive.
 *
 * @see docs/spec/event-payloads.md
 */
const systemHeartbeatEvent = open({
  event: z.literal('system.heartbeat'),
  ...sessionEnvelope,
  /** Information about the server. Omitted or `null` if there is none. */
  content: maybeNull(
    open({
      /** Time of the server: RFC 3339. */
      server_time: timestamp,
    }),
  ),
  metadata: metadata({
    /** The highest `seq` sent. */
    seq: count,
    /** Uptime of the server in seconds. */
    server_uptime_seconds: amount,
  }),
})

/**
 * The client's heartbeat: like the server's, without uptime.
 *
 * @see docs/spec/event-payloads.md
 */
const clientHeartbeatEvent = open({
  event: z.literal('system.heartbeat'),
  ...sessionEnvelope,
  content: noContent,
  metadata: metadata({
    /** The highest `seq` received. */
    seq: count,
  }),
})

/**
 * An error of the connection or the server.
 *
 * @see docs/spec/event-payloads.md
 */
const systemErrorEvent = open({
  event: z.literal('system.error'),
  ...sessionEnvelope,
  /** Human-readable error message. */
  content: text,
  metadata: metadata({
    /** Error code, for programs. */
    error_code: id,
    /** Severity. */
    severity: z.enum(['info', 'warning', 'error']),
  }),
})

/** Any event about the connection, sent by a server. */
export const systemEvent: Schema<SystemEvent> = schemaOf<SystemEvent>()(
  z.discriminatedUnion('event', [systemConnectedEvent, systemHeartbeatEvent, systemErrorEvent]),
)

/** The schema of a client's `system.heartbeat`, which has no uptime. */
export const clientHeartbeatSchema: Schema<ClientHeartbeatEvent> =
  schemaOf<ClientHeartbeatEvent>()(clientHeartbeatEvent)
