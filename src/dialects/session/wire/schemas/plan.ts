/** The schemas of the events in `plan.ts`. */
import * as z from 'zod/mini'
import { count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { PlanEvent } from '../events/plan.ts'
import { amount, bag, content, eventSchema, inStep, type SchemasOf, text } from './envelope.ts'

export const planSchemas: SchemasOf<PlanEvent> = {
  'plan.start': eventSchema(
    'plan.start',
    inStep,
    open({ question: text, context: maybe(text) }),
    metadata({ plan_id: id, timeout_seconds: amount, model: text }),
  ),
  'plan.completed': eventSchema(
    'plan.completed',
    inStep,
    open({
      tasks: z.array(
        open({
          id,
          title: text,
          description: text,
          estimated_duration_sec: maybe(amount),
        }),
      ),
    }),
    metadata({
      task_count: count,
      plan_summary: text,
      total_estimated_tokens: count,
      llm_calls: count,
      planning_time_ms: amount,
      statistics: maybe(z.array(bag)),
      metrics: maybe(bag),
    }),
  ),
  'plan.step_completed': eventSchema(
    'plan.step_completed',
    inStep,
    open({ step_name: text, step_result: z.unknown() }),
    metadata({ step_index: count, step_duration_ms: amount, tokens_used: count }),
  ),
  'plan.validation_error': eventSchema(
    'plan.validation_error',
    inStep,
    open({
      error_message: text,
      field: maybe(text),
      constraint: maybe(text),
    }),
    metadata({ error_code: id, validation_errors: z.array(text) }),
  ),
  'plan.cancelled': eventSchema(
    'plan.cancelled',
    inStep,
    content(text),
    metadata({
      reason: z.enum(['user_request', 'timeout', 'error', 'resource_limit']),
      partial_plan: maybe(z.array(metadata({ id, title: text, description: text }))),
      cancellation_time_ms: amount,
    }),
  ),
  'plan.coercion_error': eventSchema(
    'plan.coercion_error',
    inStep,
    content(text),
    metadata({
      error_code: id,
      raw_output: maybe(text),
      error_type: text,
      recovery_action: z.enum(['retry', 'manual_input', 'fallback', 'abort']),
      attempt: maybe(count),
      max_attempts: maybe(count),
    }),
  ),
}
