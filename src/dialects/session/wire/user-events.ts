/**
 * What the client says: it opens a session, asks, answers and cancels.
 *
 *     user.create_session → user.message → (user.response | user.cancel)*
 *
 * How it receives and comes back is in `resume-events.ts`.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { anyObject, id, type Metadata, maybe, metadata, open } from '../../../events/fields.ts'
import {
  amount,
  content,
  envelope,
  eventOf,
  type InSession,
  type InStep,
  inSession,
  inStep,
  type SessionEnvelope,
  text,
} from './envelope.ts'

/**
 * Opens a session. Answered by `agent.session_created`.
 *
 * @see docs/spec/event-payloads.md#usercreate_session
 */
export interface UserCreateSessionEvent extends SessionEnvelope {
  event: 'user.create_session'
  /** How the session is to be set up. Absent: as the server likes. */
  content?: {
    /** The project the session belongs to. */
    project_name?: string
    /** What the session is called, for people. */
    session_name?: string
    /** Settings of the session: the server’s own words. */
    config?: Record<string, unknown>
  } | null
  /** What the client tells of itself. Absent: nothing. */
  metadata?: Metadata & {
    /** Version of the client’s software. */
    client_version?: string
    /** Names the client. Absent: not told. */
    client_id?: string
  }
}

export const userCreateSessionSchema: Schema<UserCreateSessionEvent> = schemaOf<UserCreateSessionEvent>()(
  eventOf(
    'user.create_session',
    envelope,
    content(open({ project_name: maybe(text), session_name: maybe(text), config: maybe(anyObject) })),
    maybe(metadata({ client_version: maybe(text), client_id: maybe(text) })),
  ),
)

/**
 * A question or instruction of the user. Begins a round of planning and solving.
 *
 * @see docs/spec/event-payloads.md#usermessage
 */
export interface UserMessageEvent extends InSession {
  event: 'user.message'
  /** What the user says. */
  content: string
  metadata?: Metadata & {
    /** What kind of message it is. Absent: not told. */
    message_type?: 'query' | 'instruction' | 'feedback'
    /** How soon it wants attention. Absent: not told. */
    priority?: 'low' | 'normal' | 'high'
    /** Where it was written, such as a part of the user interface. */
    source?: string
  }
}

export const userMessageSchema: Schema<UserMessageEvent> = schemaOf<UserMessageEvent>()(
  eventOf(
    'user.message',
    inSession,
    text,
    maybe(
      metadata({
        message_type: maybe(z.enum(['query', 'instruction', 'feedback'])),
        priority: maybe(z.enum(['low', 'normal', 'high'])),
        source: maybe(text),
      }),
    ),
  ),
)

/**
 * The answer to an `agent.user_confirm`, which has the same `step_id`.
 *
 * @see docs/spec/event-payloads.md#userresponse
 */
export interface UserResponseEvent extends InStep {
  event: 'user.response'
  /** The answer. */
  content: {
    /** Whether the user agrees. */
    approved: boolean
    /** What the user says to it. */
    feedback?: string
    /** What the user corrected. */
    data?: Record<string, unknown>
    /** The option taken, with `confirmation_type: 'select'`; ours, as the document names no place. */
    selected_id?: string
    /** The text entered, with `confirmation_type: 'input'`; ours, as the document names no place. */
    value?: string
  }
  metadata?: Metadata & {
    /** How long the answer took, in milliseconds. */
    response_time_ms?: number
    /** What the user did. Absent: not told. */
    user_action?: 'approve' | 'reject' | 'modify'
  }
}

export const userResponseSchema: Schema<UserResponseEvent> = schemaOf<UserResponseEvent>()(
  eventOf(
    'user.response',
    inStep,
    open({
      approved: z.boolean(),
      feedback: maybe(text),
      data: maybe(anyObject),
      selected_id: maybe(id),
      value: maybe(text),
    }),
    maybe(
      metadata({
        response_time_ms: maybe(amount),
        user_action: maybe(z.enum(['approve', 'reject', 'modify'])),
      }),
    ),
  ),
)

/**
 * Asks to stop what is going on. Whether and how it stops, the server says.
 *
 * @see docs/spec/event-payloads.md#usercancel
 */
export interface UserCancelEvent extends InSession {
  event: 'user.cancel'
  /** Why. Absent: not told. */
  content?: {
    /** Why, for people. Absent: not told. */
    reason?: string
  } | null
  metadata?: Metadata
}

export const userCancelSchema: Schema<UserCancelEvent> = schemaOf<UserCancelEvent>()(
  eventOf('user.cancel', inSession, content(open({ reason: maybe(text) })), maybe(metadata({}))),
)
