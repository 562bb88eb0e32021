/** The schemas of the events in `resume.ts`. */
import * as z from 'zod/mini'
import { anyObject, count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { ResumeEvent } from '../events/resume.ts'
import {
  amount,
  content,
  envelope,
  eventSchema,
  inSession,
  noContent,
  type SchemasOf,
  text,
} from './envelope.ts'

export const resumeSchemas: SchemasOf<ResumeEvent> = {
  'user.ack': eventSchema(
    'user.ack',
    inSession,
    content(open({ last_seq: count })),
    maybe(metadata({ received_count: maybe(count), buffer_size: maybe(count) })),
  ),
  'user.reconnect': eventSchema(
    'user.reconnect',
    envelope,
    open({ session_id: id, last_seq: maybe(count) }),
    maybe(metadata({})),
  ),
  'user.reconnect_with_state': eventSchema(
    'user.reconnect_with_state',
    { ...envelope, signed_state: maybe(anyObject) },
    open({ signed_state: text, last_seq: count, last_event_id: maybe(id) }),
    maybe(metadata({ offline_duration_ms: amount, state_version: text })),
  ),
  'user.request_state': eventSchema(
    'user.request_state',
    inSession,
    noContent,
    maybe(metadata({ include_history: maybe(z.boolean()), compression: maybe(z.enum(['gzip', 'none'])) })),
  ),
}
