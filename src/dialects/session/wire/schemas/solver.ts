/**
 * Solving: the server executes the tasks of the plan.
 *
 *     solver.start → (solver.progress | solver.retry | solver.restarted | solver.step_failed
 *                     | solver.cancelled | agent.*)* → solver.completed
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, maybeNull, metadata, open } from '../../../../events/records/fields.ts'
import type { SolverEvent } from '../types.generated.ts'
import { amount, bag, inStep, noContent, text } from './envelope.ts'

/**
 * Solving starts.
 *
 * @see docs/spec/event-payloads.md
 */
const solverStartEvent = open({
  event: z.literal('solver.start'),
  ...inStep,
  content: noContent,
  metadata: metadata({
    /** Number of tasks to solve. */
    task_count: count,
    /** Equal to `task_count`. */
    total_tasks: count,
    /** Estimated duration of solving in seconds. */
    estimated_duration_sec: amount,
  }),
})

/**
 * Progress of solving.
 *
 * @see docs/spec/event-payloads.md
 */
const solverProgressEvent = open({
  event: z.literal('solver.progress'),
  ...inStep,
  /** The current activity. Omitted or `null` if unknown. */
  content: maybeNull(
    open({
      /** The id of the current task in the plan. */
      current_task: text,
      /** Human-readable status. */
      status: text,
    }),
  ),
  metadata: metadata({
    /** Progress in percent, 0 to 100. Does not decrease within a step. */
    progress_percent: z.number().check(z.minimum(0), z.maximum(100)),
    /** The number of the current step. */
    current_step: count,
    /** Number of completed steps, at most `total_steps`. */
    completed_steps: count,
    /** Total number of steps. */
    total_steps: count,
    /** Elapsed time in milliseconds. */
    elapsed_time_ms: amount,
    /** Estimated remaining time in milliseconds. Omitted if unknown. */
    estimated_remaining_ms: maybe(amount),
  }),
})

/** The result of one task of the plan. */
const taskResult = open({
  /** The id of the task in the plan. */
  task_id: id,
  /** The result: any JSON. */
  result: z.unknown(),
  /** The outcome of the task. */
  status: z.enum(['success', 'failed', 'partial']),
})

/**
 * All tasks ended, successfully or not.
 *
 * @see docs/spec/event-payloads.md
 */
const solverCompletedEvent = open({
  event: z.literal('solver.completed'),
  ...inStep,
  /** The results. */
  content: open({
    /** One result per task. */
    task_results: z.array(taskResult),
  }),
  metadata: metadata({
    /** Total number of tasks. */
    total_tasks: count,
    /** Number of successful tasks. */
    successful_tasks: count,
    /** Number of failed tasks. */
    failed_tasks: count,
    /** Duration of solving in milliseconds. */
    total_execution_time_ms: amount,
    /** Total number of tokens used. */
    total_tokens_used: count,
    /** One entry per model call. */
    statistics: maybe(z.array(bag)),
  }),
})

/**
 * A solving step failed.
 *
 * @see docs/spec/event-payloads.md
 */
const solverStepFailedEvent = open({
  event: z.literal('solver.step_failed'),
  ...inStep,
  /** The step and its error. */
  content: open({
    /** Human-readable error message. */
    error_message: text,
    /** The name of the step. */
    step_name: text,
  }),
  metadata: metadata({
    /** Index of the step among those of solving. */
    step_index: count,
    /** Error code, for programs. */
    error_code: id,
    /** The error class in the server, such as `TimeoutError`. */
    error_type: text,
    /** Whether the server can continue. */
    recovery_possible: z.boolean(),
  }),
})

/**
 * A step is retried.
 *
 * @see docs/spec/event-payloads.md
 */
const solverRetryEvent = open({
  event: z.literal('solver.retry'),
  ...inStep,
  /** The step. Omitted or `null` if unknown. */
  content: maybeNull(
    open({
      /** The name of the step. */
      step_name: text,
    }),
  ),
  metadata: metadata({
    /** The number of the next attempt. */
    attempt: count,
    /** Maximum number of attempts. */
    max_attempts: count,
    /** Delay before the attempt, in milliseconds. */
    backoff_ms: amount,
  }),
})

/**
 * A task of the plan was cancelled.
 *
 * @see docs/spec/event-payloads.md
 */
const solverCancelledEvent = open({
  event: z.literal('solver.cancelled'),
  ...inStep,
  /** Human-readable reason. */
  content: maybeNull(text),
  metadata: metadata({
    /** The id of the task in the plan. */
    task_id: id,
    /** The reason. */
    reason: z.enum(['user_request', 'dependency_failed', 'timeout', 'resource_limit']),
    /** Duration of the task until the cancellation, in milliseconds. */
    execution_time_ms: amount,
    /** The partial result. Omitted if there is none. */
    partial_result: maybe(bag),
  }),
})

/**
 * A task of the plan restarts.
 *
 * @see docs/spec/event-payloads.md
 */
const solverRestartedEvent = open({
  event: z.literal('solver.restarted'),
  ...inStep,
  /** Human-readable reason. */
  content: maybeNull(text),
  metadata: metadata({
    /** The id of the task in the plan. */
    task_id: id,
    /** The error of the previous attempt. Omitted if unknown. */
    previous_error: maybe(text),
    /** The number of the next attempt. */
    attempt: count,
    /** Maximum number of attempts. */
    max_attempts: count,
    /** The reason. */
    reason: z.enum(['retry_after_error', 'user_request', 'escalation']),
    /** Delay before the attempt, in milliseconds. */
    backoff_ms: amount,
  }),
})

/** Any event of solving. */
export const solverEvent: Schema<SolverEvent> = schemaOf<SolverEvent>()(
  z.discriminatedUnion('event', [
    solverStartEvent,
    solverProgressEvent,
    solverCompletedEvent,
    solverStepFailedEvent,
    solverRetryEvent,
    solverCancelledEvent,
    solverRestartedEvent,
  ]),
)
