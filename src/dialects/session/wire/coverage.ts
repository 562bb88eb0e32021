/** What conversion keeps, as data. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { EventKind } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { Coverage } from '../../shared/coverage.ts'
import { isRepeated } from './aliases.ts'
import type { SessionEventName } from './names.ts'

/**
 * What becomes of each core event in the session protocol.
 *
 * - `full`: comes back as it was from {@link fromSessionEvents}
 * - `partial`: some of them, or some of it
 * - `omitted`: the protocol has nothing for it; the diagnostic `dropped:<kind>` says so
 */
export const sessionCoverage: Readonly<Record<EventKind, Coverage>> = {
  'task-created': 'full',
  'task-status': 'partial',
  'task-complete': 'full',
  'content-delta': 'full',
  'content-complete': 'full',
  'tool-start': 'full',
  'tool-arguments-delta': 'omitted',
  'tool-progress': 'full',
  'tool-complete': 'full',
  'input-required': 'full',
  'input-received': 'omitted',
  'input-canceled': 'omitted',
  'auth-required': 'omitted',
  'auth-completed': 'omitted',
  'auth-failed': 'omitted',
  'file-write': 'omitted',
  'data-write': 'omitted',
  'dataset-write': 'omitted',
  'artifact-delta': 'omitted',
  'subtask-created': 'omitted',
  'thought-delta': 'omitted',
  'thought-stream': 'full',
  'task-error': 'full',
  'internal:thought-process': 'omitted',
  'internal:llm-call': 'omitted',
  'internal:checkpoint': 'omitted',
  'internal:tool-start': 'omitted',
  'internal:tool-complete': 'omitted',
}

/**
 * What {@link fromSessionEvents} takes over of each session event: fields of content and metadata by
 * path, separated by spaces; `content` and `metadata` stand for the whole. Any other field that is
 * there is reported as `lossy:<path>`. An event that is not listed becomes nothing, which is reported as
 * `dropped:<name>`.
 *
 * Of the envelope, conversion takes `session_id` and `timestamp`, and `step_id` where it ties a
 * question to its answer; what is about delivery, also in metadata, is left.
 */
export const sessionMappedFields: { readonly [N in SessionEventName]?: string } = {
  'user.message': 'content',
  'user.response': 'content.approved content.confirmed metadata.response_time_ms',
  'plan.start': 'content.question metadata.plan_id metadata.model',
  'plan.completed': 'content',
  'plan.validation_error': 'content metadata',
  'plan.cancelled': 'content metadata.reason',
  'plan.coercion_error': 'content metadata',
  'solver.start': '',
  'solver.progress': 'content.status metadata',
  'solver.completed': 'content',
  'solver.step_failed': 'content metadata',
  'solver.retry': 'content metadata',
  'solver.cancelled': 'content metadata.task_id metadata.reason',
  'solver.restarted': 'content metadata',
  'agent.thinking': 'content metadata.thinking_type',
  'agent.tool_call': 'content.tool_name content.arguments metadata.call_id metadata.tool_type',
  'agent.tool_result':
    'content.result content.status content.tool_name metadata.call_id metadata.execution_time_ms metadata.error',
  'agent.partial_answer': 'content metadata.chunk_index',
  'agent.final_answer': 'content.answer metadata.generation_time_ms metadata.total_tokens_used',
  'agent.user_confirm':
    'content.message content.confirmation_type content.options metadata.timeout_seconds metadata.critical',
  'system.error': 'content metadata',
  'error.validation': 'content metadata',
  'error.timeout': 'content metadata',
  'error.execution': 'content metadata',
  'error.retry': 'content metadata',
  'error.recovery_failed': 'content metadata',
  'aggregate.completed': 'content',
  'pipeline.completed': 'metadata.status metadata.result_summary metadata.total_time_ms',
}

/** What servers put in metadata that is about delivery. */
const ENVELOPE = /^metadata\.(connection_id|orig_seq|orig_event_id)$/

/** The diagnostics on what of a session event is not taken over. */
export function lossesOf(event: { event: string; content?: unknown; metadata?: unknown }): Diagnostic[] {
  const carried = sessionMappedFields[event.event as SessionEventName]?.split(' ') ?? []
  const fields = (['content', 'metadata'] as const).flatMap((part) => {
    const value = event[part]
    if (value === undefined || value === null || carried.includes(part)) return []
    return isFields(value) ? Object.keys(value).map((key) => `${part}.${key}`) : [part]
  })
  return fields
    .filter((path) => !carried.includes(path) && !ENVELOPE.test(path))
    .map((path) => ({
      code: `lossy:${path}`,
      message: 'The core has nothing for this.',
      path: `/${path.replace('.', '/')}`,
    }))
    .filter(({ path }) => !isRepeated(event, path))
}

/** Where in metadata a converted event keeps what the session protocol has no place for. */
export const EXTENSION = 'core'
