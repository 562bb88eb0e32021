/** The schemas of the events in `user.ts`. */
import * as z from 'zod/mini'
import { anyObject, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { UserEvent } from '../events/user.ts'
import {
  amount,
  content,
  envelope,
  eventSchema,
  inSession,
  inStep,
  type SchemasOf,
  text,
} from './envelope.ts'

export const userSchemas: SchemasOf<UserEvent> = {
  'user.create_session': eventSchema(
    'user.create_session',
    envelope,
    content(open({ project_name: maybe(text), session_name: maybe(text), config: maybe(anyObject) })),
    maybe(metadata({ client_version: maybe(text), client_id: maybe(text) })),
  ),
  'user.message': eventSchema(
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
  'user.response': eventSchema(
    'user.response',
    inStep,
    open({
      approved: z.boolean(),
      feedback: maybe(text),
      data: maybe(anyObject),
      selected_id: maybe(id),
      value: maybe(text),
      confirmed: maybe(z.boolean()),
      tasks: maybe(z.array(anyObject)),
    }),
    maybe(
      metadata({
        response_time_ms: maybe(amount),
        user_action: maybe(z.enum(['approve', 'reject', 'modify'])),
      }),
    ),
  ),
  'user.cancel': eventSchema(
    'user.cancel',
    inSession,
    content(open({ reason: maybe(text) })),
    maybe(metadata({})),
  ),
}
