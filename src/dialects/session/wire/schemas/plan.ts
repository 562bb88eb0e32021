/** The schemas of the events in `plan.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type {
  CancelReason,
  PlanCancelledEvent,
  PlanCoercionErrorEvent,
  PlanCompletedEvent,
  PlanStartEvent,
  PlanStepCompletedEvent,
  PlanValidationErrorEvent,
} from '../events/plan.ts'
import { amount, bag, content, eventOf, inStep, text } from './envelope.ts'

export const cancelReason: z.ZodMiniType<CancelReason> = text as z.ZodMiniType<CancelReason>

export const planStartSchema: Schema<PlanStartEvent> = schemaOf<PlanStartEvent>()(
  eventOf(
    'plan.start',
    inStep,
    open({ question: text, context: maybe(text) }),
    metadata({ plan_id: id, timeout_seconds: amount, model: text }),
  ),
)

export const planCompletedSchema: Schema<PlanCompletedEvent> = schemaOf<PlanCompletedEvent>()(
  eventOf(
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
)

export const planStepCompletedSchema: Schema<PlanStepCompletedEvent> = schemaOf<PlanStepCompletedEvent>()(
  eventOf(
    'plan.step_completed',
    inStep,
    open({ step_name: text, step_result: z.unknown() }),
    metadata({ step_index: count, step_duration_ms: amount, tokens_used: count }),
  ),
)

export const planValidationErrorSchema: Schema<PlanValidationErrorEvent> =
  schemaOf<PlanValidationErrorEvent>()(
    eventOf(
      'plan.validation_error',
      inStep,
      open({
        error_message: text,
        field: maybe(text),
        constraint: maybe(text),
      }),
      metadata({ error_code: id, validation_errors: z.array(text) }),
    ),
  )

export const planCancelledSchema: Schema<PlanCancelledEvent> = schemaOf<PlanCancelledEvent>()(
  eventOf(
    'plan.cancelled',
    inStep,
    content(text),
    metadata({
      reason: cancelReason,
      partial_plan: maybe(z.array(metadata({ id, title: text, description: text }))),
      cancellation_time_ms: amount,
    }),
  ),
)

export const planCoercionErrorSchema: Schema<PlanCoercionErrorEvent> = schemaOf<PlanCoercionErrorEvent>()(
  eventOf(
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
)
