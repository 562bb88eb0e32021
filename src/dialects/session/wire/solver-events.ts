/**
 * Solving: the server works through the tasks of the plan.
 *
 *     solver.start → (solver.progress | solver.retry | solver.restarted | solver.step_failed
 *                     | solver.cancelled | agent.*)* → solver.completed
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { count, id, type Metadata, maybe, metadata, open } from '../../../events/fields.ts'
import { amount, bag, content, eventOf, type InStep, inStep, noContent, text } from './envelope.ts'
import { type CancelReason, cancelReason } from './plan-events.ts'

/**
 * Solving begins.
 *
 * @see docs/spec/event-payloads.md#solverstart
 */
export interface SolverStartEvent extends InStep {
  event: 'solver.start'
  content?: null
  metadata: Metadata & {
    /** How many tasks are to be solved. */
    task_count: number
    /** The same number again. */
    total_tasks: number
    /** How long solving will take, in seconds. A guess. */
    estimated_duration_sec: number
  }
}

export const solverStartSchema: Schema<SolverStartEvent> = schemaOf<SolverStartEvent>()(
  eventOf(
    'solver.start',
    inStep,
    noContent,
    metadata({ task_count: count, total_tasks: count, estimated_duration_sec: amount }),
  ),
)

/**
 * How far solving has come.
 *
 * @see docs/spec/event-payloads.md#solverprogress
 */
export interface SolverProgressEvent extends InStep {
  event: 'solver.progress'
  /** What is being done. Absent or `null`: not told. */
  content?: {
    /** The task under way, as the plan names it. */
    current_task: string
    /** How it goes, for people. */
    status: string
  } | null
  metadata: Metadata & {
    /** 0 to 100. Never falls within a step. */
    progress_percent: number
    /** The step under way, by number. */
    current_step: number
    /** Steps done, at most `total_steps`. */
    completed_steps: number
    /** How many steps there are. */
    total_steps: number
    /** How long it has taken so far, in milliseconds. */
    elapsed_time_ms: number
    /** How long it will still take, in milliseconds. A guess. Absent: none is made. */
    estimated_remaining_ms?: number
  }
}

export const solverProgressSchema: Schema<SolverProgressEvent> = schemaOf<SolverProgressEvent>()(
  eventOf(
    'solver.progress',
    inStep,
    content(open({ current_task: text, status: text })),
    metadata({
      progress_percent: z.number().check(z.minimum(0), z.maximum(100)),
      current_step: count,
      completed_steps: count,
      total_steps: count,
      elapsed_time_ms: amount,
      estimated_remaining_ms: maybe(amount),
    }),
  ),
)

/** What became of one task of the plan. */
export interface TaskResult {
  /** The task, as the plan names it. */
  task_id: string
  /** What came out: any JSON. */
  result: unknown
  /** How the task went. */
  status: 'success' | 'failed' | 'partial'
}

/**
 * All tasks were worked through; not all need have succeeded.
 *
 * @see docs/spec/event-payloads.md#solvercompleted
 */
export interface SolverCompletedEvent extends InStep {
  event: 'solver.completed'
  /** The results. */
  content: {
    /** What became of each task. */
    task_results: TaskResult[]
  }
  metadata: Metadata & {
    /** How many tasks there were. */
    total_tasks: number
    /** How many tasks succeeded. */
    successful_tasks: number
    /** How many tasks failed. */
    failed_tasks: number
    /** How long solving took, in milliseconds. */
    total_execution_time_ms: number
    /** How many tokens were used in all. */
    total_tokens_used: number
    /** One entry for each call of a model. */
    statistics?: Metadata[]
  }
}

export const solverCompletedSchema: Schema<SolverCompletedEvent> = schemaOf<SolverCompletedEvent>()(
  eventOf(
    'solver.completed',
    inStep,
    open({
      task_results: z.array(
        open({
          task_id: id,
          result: z.unknown(),
          status: z.enum(['success', 'failed', 'partial']),
        }),
      ),
    }),
    metadata({
      total_tasks: count,
      successful_tasks: count,
      failed_tasks: count,
      total_execution_time_ms: amount,
      total_tokens_used: count,
      statistics: maybe(z.array(bag)),
    }),
  ),
)

/**
 * A step of solving failed.
 *
 * @see docs/spec/event-payloads.md#solverstep_failed
 */
export interface SolverStepFailedEvent extends InStep {
  event: 'solver.step_failed'
  /** Which step, and what went wrong. */
  content: {
    /** For people: what went wrong. */
    error_message: string
    /** The step, in words. */
    step_name: string
  }
  metadata: Metadata & {
    /** Position of the step among those of solving. */
    step_index: number
    /** For programs: what went wrong. */
    error_code: string
    /** The error's class in the server, such as `TimeoutError`. */
    error_type: string
    /** Whether the server can go on. */
    recovery_possible: boolean
  }
}

export const solverStepFailedSchema: Schema<SolverStepFailedEvent> = schemaOf<SolverStepFailedEvent>()(
  eventOf(
    'solver.step_failed',
    inStep,
    open({ error_message: text, step_name: text }),
    metadata({
      step_index: count,
      error_code: id,
      error_type: text,
      recovery_possible: z.boolean(),
    }),
  ),
)

/**
 * A step is tried again.
 *
 * @see docs/spec/event-payloads.md#solverretry
 */
export interface SolverRetryEvent extends InStep {
  event: 'solver.retry'
  /** Which step. Absent or `null`: not told. */
  content?: {
    /** The step, in words. */
    step_name: string
  } | null
  metadata: Metadata & {
    /** Which attempt follows. */
    attempt: number
    /** How many attempts are made at most. */
    max_attempts: number
    /** How long the server waits before it, in milliseconds. */
    backoff_ms: number
  }
}

export const solverRetrySchema: Schema<SolverRetryEvent> = schemaOf<SolverRetryEvent>()(
  eventOf(
    'solver.retry',
    inStep,
    content(open({ step_name: text })),
    metadata({ attempt: count, max_attempts: count, backoff_ms: amount }),
  ),
)

/**
 * A task of the plan was called off.
 *
 * @see docs/spec/event-payloads.md#solvercancelled
 */
export interface SolverCancelledEvent extends InStep {
  event: 'solver.cancelled'
  /** Why, for people. */
  content?: string | null
  metadata: Metadata & {
    /** The task that was called off, as the plan names it. */
    task_id: string
    /** Why: one of the documented reasons, or one of the server’s own. */
    reason: CancelReason
    /** How long the task had run, in milliseconds. */
    execution_time_ms: number
    /** What there is of a result. */
    partial_result?: Metadata
  }
}

export const solverCancelledSchema: Schema<SolverCancelledEvent> = schemaOf<SolverCancelledEvent>()(
  eventOf(
    'solver.cancelled',
    inStep,
    content(text),
    metadata({
      task_id: id,
      reason: cancelReason,
      execution_time_ms: amount,
      partial_result: maybe(bag),
    }),
  ),
)

/**
 * A task of the plan begins again.
 *
 * @see docs/spec/event-payloads.md#solverrestarted
 */
export interface SolverRestartedEvent extends InStep {
  event: 'solver.restarted'
  /** Why, for people. */
  content?: string | null
  metadata: Metadata & {
    /** The task that begins anew, as the plan names it. */
    task_id: string
    /** What went wrong the time before. Absent: not told. */
    previous_error?: string
    /** Which attempt follows. */
    attempt: number
    /** How many attempts are made at most. */
    max_attempts: number
    /** Why: one of the documented reasons, or one of the server’s own. */
    reason: 'retry_after_error' | 'user_request' | 'escalation' | (string & {})
    /** How long the server waits before it, in milliseconds. */
    backoff_ms: number
  }
}

export const solverRestartedSchema: Schema<SolverRestartedEvent> = schemaOf<SolverRestartedEvent>()(
  eventOf(
    'solver.restarted',
    inStep,
    content(text),
    metadata({
      task_id: id,
      previous_error: maybe(text),
      attempt: count,
      max_attempts: count,
      reason: text as z.ZodMiniType<SolverRestartedEvent['metadata']['reason']>,
      backoff_ms: amount,
    }),
  ),
)
