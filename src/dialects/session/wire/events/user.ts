/**
 * Events of the client: creating a session, requests, answers and cancellation.
 *
 *     user.create_session → user.message → (user.response | user.cancel)*
 *
 * Acknowledgements and reconnects are in `resume-events.ts`.
 */

import type { Metadata } from '../../../../events/metadata.ts'
import type { InSession, InStep, SessionEnvelope } from '../envelope.ts'

/**
 * Creates a session. Answered by `agent.session_created`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserCreateSessionEvent extends SessionEnvelope {
  event: 'user.create_session'
  /** Settings of the session. Omitted: the server decides. */
  content?: {
    /** The project the session belongs to. */
    project_name?: string
    /** Human-readable name of the session. */
    session_name?: string
    /** Server-specific settings of the session. */
    config?: Record<string, unknown>
  } | null
  /** Information about the client. Omitted if there is none. */
  metadata?: Metadata & {
    /** Version of the client software. */
    client_version?: string
    /** The id of the client. Omitted if unknown. */
    client_id?: string
  }
}

/**
 * A query or instruction of the user. Starts a round of planning and solving.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserMessageEvent extends InSession {
  event: 'user.message'
  /** The text of the message. */
  content: string
  metadata?: Metadata & {
    /** The kind of message. Omitted if unknown. */
    message_type?: 'query' | 'instruction' | 'feedback'
    /** The priority. Omitted if unknown. */
    priority?: 'low' | 'normal' | 'high'
    /** The source of the message, such as a part of the user interface. */
    source?: string
  }
}

/**
 * The answer to an `agent.user_confirm`, which has the same `step_id`.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserResponseEvent extends InStep {
  event: 'user.response'
  /** The answer. */
  content: {
    /** Whether the user agrees. */
    approved: boolean
    /** Feedback of the user. */
    feedback?: string
    /** Corrected data. */
    data?: Record<string, unknown>
    /** The selected option of a `select` question. An extension: the specification defines no field. */
    selected_id?: string
    /** The text for an `input` question. An extension: the specification defines no field. */
    value?: string
    /** Same as `approved`, which some servers do not read. An extension. */
    confirmed?: boolean
    /** The plan as the user edited it. Omitted: it is unchanged. An extension. */
    tasks?: Record<string, unknown>[]
  }
  metadata?: Metadata & {
    /** Duration in milliseconds. */
    response_time_ms?: number
    /** The action of the user. Omitted if unknown. */
    user_action?: 'approve' | 'reject' | 'modify'
  }
}

/**
 * Requests to cancel the current work. The server reports whether and how it stops.
 *
 * @see docs/spec/event-payloads.md
 */
export interface UserCancelEvent extends InSession {
  event: 'user.cancel'
  /** The reason. Omitted if unknown. */
  content?: {
    /** Human-readable reason. Omitted if unknown. */
    reason?: string
  } | null
  metadata?: Metadata
}

/** Any event of this file. */
export type UserEvent = UserCreateSessionEvent | UserMessageEvent | UserResponseEvent | UserCancelEvent
