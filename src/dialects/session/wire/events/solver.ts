/**
 * Solving: the server executes the tasks of the plan.
 *
 *     solver.start → (solver.progress | solver.retry | solver.restarted | solver.step_failed
 *                     | solver.cancelled | agent.*)* → solver.completed
 */

import type { Metadata } from '../../../../events/metadata.ts'
import type { InStep } from '../envelope.ts'

/**
 * Solving starts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverStartEvent extends InStep {
  event: 'solver.start'
  content?: null
  metadata: Metadata & {
    /** Number of tasks to solve. */
    task_count: number
    /** Equal to `task_count`. */
    total_tasks: number
    /** Estimated duration of solving in seconds. */
    estimated_duration_sec: number
  }
}

/**
 * Progress of solving.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverProgressEvent extends InStep {
  event: 'solver.progress'
  /** The current activity. Omitted or `null` if unknown. */
  content?: {
    /** The id of the current task in the plan. */
    current_task: string
    /** Human-readable status. */
    status: string
  } | null
  metadata: Metadata & {
    /** Progress in percent, 0 to 100. Does not decrease within a step. */
    progress_percent: number
    /** The number of the current step. */
    current_step: number
    /** Number of completed steps, at most `total_steps`. */
    completed_steps: number
    /** Total number of steps. */
    total_steps: number
    /** Elapsed time in milliseconds. */
    elapsed_time_ms: number
    /** Estimated remaining time in milliseconds. Omitted if unknown. */
    estimated_remaining_ms?: number
  }
}

/** The result of one task of the plan. */
export interface TaskResult {
  /** The id of the task in the plan. */
  task_id: string
  /** The result: any JSON. */
  result: unknown
  /** The outcome of the task. */
  status: 'success' | 'failed' | 'partial'
}

/**
 * All tasks ended, successfully or not.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverCompletedEvent extends InStep {
  event: 'solver.completed'
  /** The results. */
  content: {
    /** One result per task. */
    task_results: TaskResult[]
  }
  metadata: Metadata & {
    /** Total number of tasks. */
    total_tasks: number
    /** Number of successful tasks. */
    successful_tasks: number
    /** Number of failed tasks. */
    failed_tasks: number
    /** Duration of solving in milliseconds. */
    total_execution_time_ms: number
    /** Total number of tokens used. */
    total_tokens_used: number
    /** One entry per model call. */
    statistics?: Metadata[]
  }
}

/**
 * A solving step failed.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverStepFailedEvent extends InStep {
  event: 'solver.step_failed'
  /** The step and its error. */
  content: {
    /** Human-readable error message. */
    error_message: string
    /** The name of the step. */
    step_name: string
  }
  metadata: Metadata & {
    /** Index of the step among those of solving. */
    step_index: number
    /** Error code, for programs. */
    error_code: string
    /** The error class in the server, such as `TimeoutError`. */
    error_type: string
    /** Whether the server can continue. */
    recovery_possible: boolean
  }
}

/**
 * A step is retried.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverRetryEvent extends InStep {
  event: 'solver.retry'
  /** The step. Omitted or `null` if unknown. */
  content?: {
    /** The name of the step. */
    step_name: string
  } | null
  metadata: Metadata & {
    /** The number of the next attempt. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** Delay before the attempt, in milliseconds. */
    backoff_ms: number
  }
}

/**
 * A task of the plan was cancelled.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverCancelledEvent extends InStep {
  event: 'solver.cancelled'
  /** Human-readable reason. */
  content?: string | null
  metadata: Metadata & {
    /** The id of the task in the plan. */
    task_id: string
    /** The reason. */
    reason: 'user_request' | 'dependency_failed' | 'timeout' | 'resource_limit'
    /** Duration of the task until the cancellation, in milliseconds. */
    execution_time_ms: number
    /** The partial result. Omitted if there is none. */
    partial_result?: Metadata
  }
}

/**
 * A task of the plan restarts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface SolverRestartedEvent extends InStep {
  event: 'solver.restarted'
  /** Human-readable reason. */
  content?: string | null
  metadata: Metadata & {
    /** The id of the task in the plan. */
    task_id: string
    /** The error of the previous attempt. Omitted if unknown. */
    previous_error?: string
    /** The number of the next attempt. */
    attempt: number
    /** Maximum number of attempts. */
    max_attempts: number
    /** The reason. */
    reason: 'retry_after_error' | 'user_request' | 'escalation'
    /** Delay before the attempt, in milliseconds. */
    backoff_ms: number
  }
}

/** Any event of this file. */
export type SolverEvent =
  | SolverStartEvent
  | SolverProgressEvent
  | SolverCompletedEvent
  | SolverStepFailedEvent
  | SolverRetryEvent
  | SolverCancelledEvent
  | SolverRestartedEvent
