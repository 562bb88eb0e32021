/**
 * How the client acknowledges events, and how it reconnects.
 *
 *     user.ack*                                    the server may drop acknowledged events
 *     user.reconnect                               after a short connection loss
 *     user.request_state → … → user.reconnect_with_state   after a long one
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, count, id, maybe, maybeNull, metadata, open } from '../../../../events/records/fields.ts'
import type { ResumeEvent } from '../types.generated.ts'
import { amount, inSession, noContent, sessionEnvelope, text } from './envelope.ts'

/**
 * Acknowledges received events, which the server may then drop.
 *
 * @see docs/spec/event-payloads.md
 */
const userAckEvent = open({
  event: z.literal('user.ack'),
  ...inSession,
  /** The acknowledged position. Omitted: nothing is acknowledged. */
  content: maybeNull(
    open({
      /** The highest `seq` received. */
      last_seq: count,
    }),
  ),
  metadata: maybe(
    metadata({
      /** Number of events received. Omitted if unknown. */
      received_count: maybe(count),
      /** Size of the client’s buffer, in client-specific units. Omitted if unknown. */
      buffer_size: maybe(count),
    }),
  ),
})

/**
 * Reconnects to a session after a short connection loss.
 *
 * @see docs/spec/event-payloads.md
 */
const userReconnectEvent = open({
  event: z.literal('user.reconnect'),
  ...sessionEnvelope,
  /** The session and position to resume from. */
  content: open({
    /** The session to reconnect to. */
    session_id: id,
    /** The highest `seq` received. Omitted: replay all events. */
    last_seq: maybe(count),
  }),
  metadata: maybe(metadata({})),
})

/**
 * Reconnects with an exported state. Answered by `agent.state_restored`.
 *
 * @see docs/spec/event-payloads.md
 */
const userReconnectWithStateEvent = open({
  event: z.literal('user.reconnect_with_state'),
  ...sessionEnvelope,
  /** The state as an object, where real servers expect it. An extension. See `encodeReconnectWithState`. */
  signed_state: maybe(anyObject),
  /** The state and position to resume from. */
  content: open({
    /** The state from `agent.state_exported`, unchanged. It identifies the session. */
    signed_state: text,
    /** The highest `seq` received. */
    last_seq: count,
    /** The `event_id` received last. Takes precedence over `last_seq`. */
    last_event_id: maybe(id),
  }),
  metadata: maybe(
    metadata({
      /** Time offline in milliseconds. */
      offline_duration_ms: amount,
      /** Version of the state format, from `agent.state_exported`. */
      state_version: text,
    }),
  ),
})

/**
 * Requests the state. Answered by `agent.state_exported`.
 *
 * @see docs/spec/event-payloads.md
 */
const userRequestStateEvent = open({
  event: z.literal('user.request_state'),
  ...inSession,
  content: noContent,
  metadata: maybe(
    metadata({
      /** Whether to include all events. Omitted: the server decides. */
      include_history: maybe(z.boolean()),
      /** The compression of the state. Omitted: the server decides. */
      compression: maybe(z.enum(['gzip', 'none'])),
    }),
  ),
})

/** Any event about what was received and how to go on. */
export const resumeEvent: Schema<ResumeEvent> = schemaOf<ResumeEvent>()(
  z.discriminatedUnion('event', [
    userAckEvent,
    userReconnectEvent,
    userReconnectWithStateEvent,
    userRequestStateEvent,
  ]),
)
