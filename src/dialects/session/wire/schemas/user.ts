/** The schemas of the events in `user.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type {
  UserCancelEvent,
  UserCreateSessionEvent,
  UserMessageEvent,
  UserResponseEvent,
} from '../events/user.ts'
import { amount, content, envelope, eventOf, inSession, inStep, text } from './envelope.ts'

export const userCreateSessionSchema: Schema<UserCreateSessionEvent> = schemaOf<UserCreateSessionEvent>()(
  eventOf(
    'user.create_session',
    envelope,
    content(open({ project_name: maybe(text), session_name: maybe(text), config: maybe(anyObject) })),
    maybe(metadata({ client_version: maybe(text), client_id: maybe(text) })),
  ),
)

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

export const userCancelSchema: Schema<UserCancelEvent> = schemaOf<UserCancelEvent>()(
  eventOf('user.cancel', inSession, content(open({ reason: maybe(text) })), maybe(metadata({}))),
)
