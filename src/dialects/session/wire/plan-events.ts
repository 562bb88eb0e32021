/**
 * Planning: the server makes a list of tasks from what the user asked.
 *
 *     plan.start → (plan.step_completed | plan.validation_error | plan.coercion_error)*
 *                → plan.completed | plan.cancelled
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { count, id, type Metadata, maybe, metadata, open } from '../../../events/fields.ts'
import { amount, bag, content, eventOf, type InStep, inStep, text } from './envelope.ts'

/** Why something was cancelled: one of the documented reasons, or one of the server's own. */
export type CancelReason =
  | 'user_request'
  | 'timeout'
  | 'error'
  | 'resource_limit'
  | 'dependency_failed'
  | (string & {})

export const cancelReason: z.ZodMiniType<CancelReason> = text as z.ZodMiniType<CancelReason>

/**
 * Planning begins.
 *
 * @see docs/spec/event-payloads.md#planstart
 */
export interface PlanStartEvent extends InStep {
  event: 'plan.start'
  /** What is to be planned. */
  content: {
    /** What the user asked. */
    question: string
    /** What else is known. */
    context?: string
  }
  metadata: Metadata & {
    /** Names the plan; unique in the session. */
    plan_id: string
    /** How long planning may take, in seconds. */
    timeout_seconds: number
    /** The model that plans, in the provider's spelling. */
    model: string
  }
}

export const planStartSchema: Schema<PlanStartEvent> = schemaOf<PlanStartEvent>()(
  eventOf(
    'plan.start',
    inStep,
    open({ question: text, context: maybe(text) }),
    metadata({ plan_id: id, timeout_seconds: amount, model: text }),
  ),
)

/** One task of a plan. Not a task of the core vocabulary, which is a whole round. */
export interface PlanTask {
  /** Names the task; unique in the plan. */
  id: string
  /** What is to be done, in a few words, for people. */
  title: string
  /** What is to be done, in full. */
  description: string
  /** How long it may take, in seconds. */
  estimated_duration_sec?: number
}

/**
 * The plan is ready.
 *
 * @see docs/spec/event-payloads.md#plancompleted
 */
export interface PlanCompletedEvent extends InStep {
  event: 'plan.completed'
  /** The plan. */
  content: {
    /** The tasks, in the order of the plan. */
    tasks: PlanTask[]
  }
  metadata: Metadata & {
    /** How many tasks the plan has. */
    task_count: number
    /** The plan in a sentence, for people. */
    plan_summary: string
    /** How many tokens the plan will take. A guess. */
    total_estimated_tokens: number
    /** How often a model was called to make the plan. */
    llm_calls: number
    /** How long planning took, in milliseconds. */
    planning_time_ms: number
    /** One entry for each call of a model. */
    statistics?: Metadata[]
    /** What the server has measured so far, of agents, tools and models. */
    metrics?: Metadata
  }
}

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

/**
 * A step of planning is done.
 *
 * @see docs/spec/event-payloads.md#planstep_completed
 */
export interface PlanStepCompletedEvent extends InStep {
  event: 'plan.step_completed'
  /** Which step, and what came of it. */
  content: {
    /** The step, in words. */
    step_name: string
    /** What came of the step: any JSON. */
    step_result: unknown
  }
  metadata: Metadata & {
    /** Position of the step among those of planning. */
    step_index: number
    /** How long the step took, in milliseconds. */
    step_duration_ms: number
    /** How many tokens the step used. */
    tokens_used: number
  }
}

export const planStepCompletedSchema: Schema<PlanStepCompletedEvent> = schemaOf<PlanStepCompletedEvent>()(
  eventOf(
    'plan.step_completed',
    inStep,
    open({ step_name: text, step_result: z.unknown() }),
    metadata({ step_index: count, step_duration_ms: amount, tokens_used: count }),
  ),
)

/**
 * The plan is not a valid one.
 *
 * @see docs/spec/event-payloads.md#planvalidation_error
 */
export interface PlanValidationErrorEvent extends InStep {
  event: 'plan.validation_error'
  /** What is wrong. */
  content: {
    /** What is wrong, for people. */
    error_message: string
    /** The field of the plan that is wrong. Absent: none by itself. */
    field?: string
    /** The rule that is broken. Absent: not told. */
    constraint?: string
  }
  metadata: Metadata & {
    /** For programs: what went wrong. */
    error_code: string
    /** Everything that is wrong, one by one, for people. */
    validation_errors: string[]
  }
}

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

/**
 * Planning was called off.
 *
 * @see docs/spec/event-payloads.md#plancancelled
 */
export interface PlanCancelledEvent extends InStep {
  event: 'plan.cancelled'
  /** Why, for people. */
  content?: string | null
  metadata: Metadata & {
    /** Why: one of the documented reasons, or one of the server’s own. */
    reason: CancelReason
    /** The tasks there were so far. */
    partial_plan?: (Metadata & {
      /** Names the task; unique in the plan. */
      id: string
      /** What was to be done, in a few words, for people. */
      title: string
      /** What was to be done, in full. */
      description: string
    })[]
    /** How long planning had run, in milliseconds. */
    cancellation_time_ms: number
  }
}

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

/**
 * What the model said is no list of tasks.
 *
 * @see docs/spec/event-payloads.md#plancoercion_error
 */
export interface PlanCoercionErrorEvent extends InStep {
  event: 'plan.coercion_error'
  /** What went wrong, for people. */
  content?: string | null
  metadata: Metadata & {
    /** For programs: what went wrong. */
    error_code: string
    /** What the model said. */
    raw_output?: string
    /** The error's class in the server, such as `ValueError`. */
    error_type: string
    /** What the server does about it. */
    recovery_action: 'retry' | 'manual_input' | 'fallback' | 'abort'
    /** Which attempt failed, from 1. */
    attempt?: number
    /** How many attempts are made at most. Absent: not told. */
    max_attempts?: number
  }
}

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
