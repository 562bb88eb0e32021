/** The schemas of `plan.*` events. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, maybeNull, metadata, open } from '../../../../events/records/fields.ts'
import type { PlanEvent } from '../types.generated.ts'
import { amount, bag, inStep, text } from './envelope.ts'

/**
 * Planning starts.
 *
 * @see docs/spec/event-payloads.md
 */
const planStartEvent = open({
  event: z.literal('plan.start'),
  ...inStep,
  /** The request to plan for. */
  content: open({
    /** The request of the user. */
    question: text,
    /** Further context. Omitted if there is none. */
    context: maybe(text),
  }),
  metadata: metadata({
    /** The id of the plan, unique in the session. */
    plan_id: id,
    /** Timeout of planning in seconds. */
    timeout_seconds: amount,
    /** The model that plans, as the provider spells it. */
    model: text,
  }),
})

/** One task of a plan. A task of the core vocabulary corresponds to a whole round. */
const planTask = open({
  /** The id of the task, unique in the plan. */
  id,
  /** Human-readable title. */
  title: text,
  /** Full description. */
  description: text,
  /** Estimated duration in seconds. Omitted if unknown. */
  estimated_duration_sec: maybe(amount),
})

/**
 * The plan is complete.
 *
 * @see docs/spec/event-payloads.md
 */
const planCompletedEvent = open({
  event: z.literal('plan.completed'),
  ...inStep,
  /** The plan. */
  content: open({
    /** The tasks, in the order of the plan. */
    tasks: z.array(planTask),
  }),
  metadata: metadata({
    /** Number of tasks. */
    task_count: count,
    /** Human-readable one-sentence summary. */
    plan_summary: text,
    /** Estimated number of tokens to execute the plan. */
    total_estimated_tokens: count,
    /** Number of model calls made for planning. */
    llm_calls: count,
    /** Duration of planning in milliseconds. */
    planning_time_ms: amount,
    /** One entry per model call. */
    statistics: maybe(z.array(bag)),
    /** Metrics of agents, tools and models so far. */
    metrics: maybe(bag),
  }),
})

/**
 * A planning step is complete.
 *
 * @see docs/spec/event-payloads.md
 */
const planStepCompletedEvent = open({
  event: z.literal('plan.step_completed'),
  ...inStep,
  /** The step and its result. */
  content: open({
    /** The name of the step. */
    step_name: text,
    /** The result of the step: any JSON. */
    step_result: z.unknown(),
  }),
  metadata: metadata({
    /** Index of the step among those of planning. */
    step_index: count,
    /** Duration of the step in milliseconds. */
    step_duration_ms: amount,
    /** Number of tokens used. */
    tokens_used: count,
  }),
})

/**
 * The plan is invalid.
 *
 * @see docs/spec/event-payloads.md
 */
const planValidationErrorEvent = open({
  event: z.literal('plan.validation_error'),
  ...inStep,
  /** The error. */
  content: open({
    /** Human-readable error message. */
    error_message: text,
    /** The invalid field of the plan. Omitted if the error is not about one field. */
    field: maybe(text),
    /** The violated constraint. Omitted if unknown. */
    constraint: maybe(text),
  }),
  metadata: metadata({
    /** Error code, for programs. */
    error_code: id,
    /** All validation errors, human-readable. */
    validation_errors: z.array(text),
  }),
})

/**
 * Planning was cancelled.
 *
 * @see docs/spec/event-payloads.md
 */
const planCancelledEvent = open({
  event: z.literal('plan.cancelled'),
  ...inStep,
  /** Human-readable reason. */
  content: maybeNull(text),
  metadata: metadata({
    /** The reason. */
    reason: z.enum(['user_request', 'timeout', 'error', 'resource_limit']),
    /** The tasks planned so far. */
    partial_plan: maybe(
      z.array(
        metadata({
          /** The id of the task, unique in the plan. */
          id,
          /** Human-readable title. */
          title: text,
          /** Full description. */
          description: text,
        }),
      ),
    ),
    /** Duration of planning until the cancellation, in milliseconds. */
    cancellation_time_ms: amount,
  }),
})

/**
 * The output of the model is not a list of tasks.
 *
 * @see docs/spec/event-payloads.md
 */
const planCoercionErrorEvent = open({
  event: z.literal('plan.coercion_error'),
  ...inStep,
  /** Human-readable error message. */
  content: maybeNull(text),
  metadata: metadata({
    /** Error code, for programs. */
    error_code: id,
    /** The output of the model. */
    raw_output: maybe(text),
    /** The error class in the server, such as `ValueError`. */
    error_type: text,
    /** How the server reacts. */
    recovery_action: z.enum(['retry', 'manual_input', 'fallback', 'abort']),
    /** The number of the failed attempt, from 1. */
    attempt: maybe(count),
    /** Maximum number of attempts. Omitted if unknown. */
    max_attempts: maybe(count),
  }),
})

/** Any event of planning. */
export const planEvent: Schema<PlanEvent> = schemaOf<PlanEvent>()(
  z.discriminatedUnion('event', [
    planStartEvent,
    planCompletedEvent,
    planStepCompletedEvent,
    planValidationErrorEvent,
    planCancelledEvent,
    planCoercionErrorEvent,
  ]),
)
