import type { Metadata } from '../../../../events/metadata.ts'
import type { InStep } from '../envelope.ts'

/**
 * Planning starts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanStartEvent extends InStep {
  event: 'plan.start'
  /** The request to plan for. */
  content: {
    /** The request of the user. */
    question: string
    /** Further context. Omitted if there is none. */
    context?: string
  }
  metadata: Metadata & {
    /** The id of the plan, unique in the session. */
    plan_id: string
    /** Timeout of planning in seconds. */
    timeout_seconds: number
    /** The model that plans, as the provider spells it. */
    model: string
  }
}

/** One task of a plan. A task of the core vocabulary corresponds to a whole round. */
export interface PlanTask {
  /** The id of the task, unique in the plan. */
  id: string
  /** Human-readable title. */
  title: string
  /** Full description. */
  description: string
  /** Estimated duration in seconds. Omitted if unknown. */
  estimated_duration_sec?: number
}

/**
 * The plan is complete.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanCompletedEvent extends InStep {
  event: 'plan.completed'
  /** The plan. */
  content: {
    /** The tasks, in the order of the plan. */
    tasks: PlanTask[]
  }
  metadata: Metadata & {
    /** Number of tasks. */
    task_count: number
    /** Human-readable one-sentence summary. */
    plan_summary: string
    /** Estimated number of tokens to execute the plan. */
    total_estimated_tokens: number
    /** Number of model calls made for planning. */
    llm_calls: number
    /** Duration of planning in milliseconds. */
    planning_time_ms: number
    /** One entry per model call. */
    statistics?: Metadata[]
    /** Metrics of agents, tools and models so far. */
    metrics?: Metadata
  }
}

/**
 * A planning step is complete.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanStepCompletedEvent extends InStep {
  event: 'plan.step_completed'
  /** The step and its result. */
  content: {
    /** The name of the step. */
    step_name: string
    /** The result of the step: any JSON. */
    step_result: unknown
  }
  metadata: Metadata & {
    /** Index of the step among those of planning. */
    step_index: number
    /** Duration of the step in milliseconds. */
    step_duration_ms: number
    /** Number of tokens used. */
    tokens_used: number
  }
}

/**
 * The plan is invalid.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanValidationErrorEvent extends InStep {
  event: 'plan.validation_error'
  /** The error. */
  content: {
    /** Human-readable error message. */
    error_message: string
    /** The invalid field of the plan. Omitted if the error is not about one field. */
    field?: string
    /** The violated constraint. Omitted if unknown. */
    constraint?: string
  }
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** All validation errors, human-readable. */
    validation_errors: string[]
  }
}

/**
 * Planning was cancelled.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanCancelledEvent extends InStep {
  event: 'plan.cancelled'
  /** Human-readable reason. */
  content?: string | null
  metadata: Metadata & {
    /** The reason. */
    reason: 'user_request' | 'timeout' | 'error' | 'resource_limit'
    /** The tasks planned so far. */
    partial_plan?: (Metadata & {
      /** The id of the task, unique in the plan. */
      id: string
      /** Human-readable title. */
      title: string
      /** Full description. */
      description: string
    })[]
    /** Duration of planning until the cancellation, in milliseconds. */
    cancellation_time_ms: number
  }
}

/**
 * The output of the model is not a list of tasks.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PlanCoercionErrorEvent extends InStep {
  event: 'plan.coercion_error'
  /** Human-readable error message. */
  content?: string | null
  metadata: Metadata & {
    /** Error code, for programs. */
    error_code: string
    /** The output of the model. */
    raw_output?: string
    /** The error class in the server, such as `ValueError`. */
    error_type: string
    /** How the server reacts. */
    recovery_action: 'retry' | 'manual_input' | 'fallback' | 'abort'
    /** The number of the failed attempt, from 1. */
    attempt?: number
    /** Maximum number of attempts. Omitted if unknown. */
    max_attempts?: number
  }
}

/** Any event of this file. */
export type PlanEvent =
  | PlanStartEvent
  | PlanCompletedEvent
  | PlanStepCompletedEvent
  | PlanValidationErrorEvent
  | PlanCancelledEvent
  | PlanCoercionErrorEvent
