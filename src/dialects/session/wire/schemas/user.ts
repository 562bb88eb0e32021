/**
 * Events of the client: creating a session, requests, answers and cancellation.
 *
 *     user.create_session → user.message → (user.response | user.cancel)*
 *
 * Acknowledgements and reconnects are in `resume.ts`.
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, id, maybe, maybeNull, metadata, open } from '../../../../events/records/fields.ts'
import type { UserEvent } from '../types.generated.ts'
import { amount, inSession, inStep, sessionEnvelope, text } from './envelope.ts'

/**
 * Creates a session. Answered by `agent.session_created`.
 *
 * @see docs/spec/event-payloads.md
 */
const userCreateSessionEvent = open({
  event: z.literal('user.create_session'),
  ...sessionEnvelope,
  /** Settings of the session. Omitted: the server decides. */
  content: maybeNull(
    open({
      /** The project the session belongs to. */
      project_name: maybe(text),
      /** Human-readable name of the session. */
      session_name: maybe(text),
      /** Server-specific settings of the session. */
      config: maybe(anyObject),
    }),
  ),
  /** Information about the client. Omitted if there is none. */
  metadata: maybe(
    metadata({
      /** Version of the client software. */
      client_version: maybe(text),
      /** The id of the client. Omitted if unknown. */
      client_id: maybe(text),
    }),
  ),
})

/**
 * A query or instruction of the user. Starts a round of planning and solving.
 *
 * @see docs/spec/event-payloads.md
 */
const userMessageEvent = open({
  event: z.literal('user.message'),
  ...inSession,
  /** The text of the message. */
  content: text,
  metadata: maybe(
    metadata({
      /** The kind of message. Omitted if unknown. */
      message_type: maybe(z.enum(['query', 'instruction', 'feedback'])),
      /** The priority. Omitted if unknown. */
      priority: maybe(z.enum(['low', 'normal', 'high'])),
      /** The source of the message, such as a part of the user interface. */
      source: maybe(text),
    }),
  ),
})

/**
 * The answer to an `agent.user_confirm`, which has the same `step_id`.
 *
 * @see docs/spec/event-payloads.md
 */
const userResponseEvent = open({
  event: z.literal('user.response'),
  ...inStep,
  /** The answer. */
  content: open({
    /** Whether the user agrees. */
    approved: z.boolean(),
    /** Feedback of the user. */
    feedback: maybe(text),
    /** Corrected data. */
    data: maybe(anyObject),
    /** The selected option of a `select` question. An extension: the specification defines no field. */
    selected_id: maybe(id),
    /** The text for an `input` question. An extension: the specification defines no field. */
    value: maybe(text),
    /** Same as `approved`, which some servers do not read. An extension. */
    confirmed: maybe(z.boolean()),
    /** The plan as the user edited it. Omitted: it is unchanged. An extension. */
    tasks: maybe(z.array(anyObject)),
  }),
  metadata: maybe(
    metadata({
      /** Duration in milliseconds. */
      response_time_ms: maybe(amount),
      /** The action of the user. Omitted if unknown. */
      user_action: maybe(z.enum(['approve', 'reject', 'modify'])),
    }),
  ),
})

/**
 * Requests to cancel the current work. The server reports whether and how it stops.
 *
 * @see docs/spec/event-payloads.md
 */
const userCancelEvent = open({
  event: z.literal('user.cancel'),
  ...inSession,
  /** The reason. Omitted if unknown. */
  content: maybeNull(
    open({
      /** Human-readable reason. Omitted if unknown. */
      reason: maybe(text),
    }),
  ),
  metadata: maybe(metadata({})),
})

/** Any event of the client but those of {@link ResumeEvent} and extensions. */
export const userEvent: Schema<UserEvent> = schemaOf<UserEvent>()(
  z.discriminatedUnion('event', [
    userCreateSessionEvent,
    userMessageEvent,
    userResponseEvent,
    userCancelEvent,
  ]),
)
