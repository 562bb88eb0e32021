/** The schemas of the events in `resume.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type {
  UserAckEvent,
  UserReconnectEvent,
  UserReconnectWithStateEvent,
  UserRequestStateEvent,
} from '../events/resume.ts'
import { amount, content, envelope, eventOf, inSession, noContent, text } from './envelope.ts'

export const userAckSchema: Schema<UserAckEvent> = schemaOf<UserAckEvent>()(
  eventOf(
    'user.ack',
    inSession,
    content(open({ last_seq: count })),
    maybe(metadata({ received_count: maybe(count), buffer_size: maybe(count) })),
  ),
)

export const userReconnectSchema: Schema<UserReconnectEvent> = schemaOf<UserReconnectEvent>()(
  eventOf('user.reconnect', envelope, open({ session_id: id, last_seq: maybe(count) }), maybe(metadata({}))),
)

export const userReconnectWithStateSchema: Schema<UserReconnectWithStateEvent> =
  schemaOf<UserReconnectWithStateEvent>()(
    eventOf(
      'user.reconnect_with_state',
      envelope,
      open({ signed_state: text, last_seq: count, last_event_id: maybe(id) }),
      maybe(metadata({ offline_duration_ms: amount, state_version: text })),
    ),
  )

export const userRequestStateSchema: Schema<UserRequestStateEvent> = schemaOf<UserRequestStateEvent>()(
  eventOf(
    'user.request_state',
    inSession,
    noContent,
    maybe(metadata({ include_history: maybe(z.boolean()), compression: maybe(z.enum(['gzip', 'none'])) })),
  ),
)
