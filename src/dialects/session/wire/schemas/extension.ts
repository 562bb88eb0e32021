/** The schemas of the events in `extension.ts`. */
import * as z from 'zod/mini'
import { anyObject, count, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { ExtensionCommand, ServerExtensionEvent } from '../events/extension.ts'
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

const ofTask = open({ task_id: z.union([text, amount]) })
const anyMetadata = maybe(metadata({}))

export const extensionSchemas: SchemasOf<ExtensionCommand | ServerExtensionEvent> = {
  'user.solve_tasks': eventSchema(
    'user.solve_tasks',
    inSession,
    open({ tasks: z.array(anyObject), question: maybe(text), plan_summary: maybe(text) }),
    anyMetadata,
  ),
  'user.cancel_task': eventSchema('user.cancel_task', inSession, ofTask, anyMetadata),
  'user.restart_task': eventSchema('user.restart_task', inSession, ofTask, anyMetadata),
  'user.cancel_plan': eventSchema('user.cancel_plan', inSession, noContent, anyMetadata),
  'user.replan': eventSchema('user.replan', inSession, content(open({ question: maybe(text) })), anyMetadata),
  'agent.error': eventSchema('agent.error', inSession, text, anyMetadata),
  'agent.timeout': eventSchema('agent.timeout', inSession, content(text), anyMetadata),
  'agent.interrupted': eventSchema('agent.interrupted', inSession, content(text), anyMetadata),
  'system.notice': eventSchema(
    'system.notice',
    envelope,
    text,
    maybe(
      metadata({
        action: maybe(text),
        ok: maybe(z.boolean()),
        attempt: maybe(count),
        total_attempts: maybe(count),
        retry_delay_seconds: maybe(amount),
        error: maybe(text),
      }),
    ),
  ),
}
