/** Events about the connection. */

import type { Metadata } from '../../../../events/metadata.ts'
import type { SessionEnvelope } from '../envelope.ts'

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

/** Any event of this file, sent by a server. */
export type SystemEvent = SystemConnectedEvent | SystemHeartbeatEvent | SystemErrorEvent
