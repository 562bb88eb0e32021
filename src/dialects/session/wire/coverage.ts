/** How much of each event survives mapping, as data. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { EventKind } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type Coverage, coverageOf } from '../../shared/coverage.ts'
import { isRepeated } from './aliases.ts'
import type { SessionEventName } from './names.ts'

/**
 * How much of each core event survives mapping to the session protocol.
 *
 * - `full`: `fromSessionEvents` restores the event exactly
 * - `partial`: only some events of the kind are mapped, or without some fields
 * - `omitted`: the protocol has no equivalent; the event is reported as `dropped:<kind>`
 */
export const sessionCoverage: Readonly<Record<EventKind, Coverage>> = coverageOf({
  'task-created': 'full',
  'task-status': 'partial',
  'task-complete': 'full',
  'content-delta': 'full',
  'content-complete': 'full',
  'tool-start': 'partial', // Without metadata.signature.
  'tool-progress': 'full',
  'tool-complete': 'partial', // Not before tool-start.
  'input-required': 'full',
  'thought-stream': 'partial', // Without metadata.signature.
  'task-error': 'full',
})

/**
 * The fields of each session event that `fromSessionEvents` maps: paths into content and metadata,
 * separated by spaces; `content` and `metadata` stand for all their fields. Any other field that is
 * present is reported as `lossy:<path>`. Events that are not listed map to nothing and are reported as
 * `dropped:<name>`.
 *
 * Of the envelope, `session_id` and `timestamp` are mapped, and `step_id` if it links a question to its
 * answer. Fields about delivery, also in metadata, are ignored.
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

/** Fields of metadata about delivery. */
const DELIVERY = /^metadata\.(connection_id|orig_seq|orig_event_id)$/

/** A diagnostic for each field of a session event that is not mapped. */
export function lossyFieldsOf(event: { event: string; content?: unknown; metadata?: unknown }): Diagnostic[] {
  const mapped = sessionMappedFields[event.event as SessionEventName]?.split(' ') ?? []
  const fields = (['content', 'metadata'] as const).flatMap((part) => {
    const value = event[part]
    if (value === undefined || value === null || mapped.includes(part)) return []
    return isFields(value) ? Object.keys(value).map((key) => `${part}.${key}`) : [part]
  })
  return fields
    .filter((path) => !mapped.includes(path) && !DELIVERY.test(path))
    .map((path) => ({
      code: `lossy:${path}`,
      message: `The core vocabulary has no equivalent for ${path}.`,
      path: `/${path.replace('.', '/')}`,
    }))
    .filter(({ path }) => !isRepeated(event, path))
}

/** The metadata field that preserves what the session protocol has no place for. */
export const EXTENSION = 'core'
