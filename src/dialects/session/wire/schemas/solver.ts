/** The schemas of the events in `solver.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type {
  SolverCancelledEvent,
  SolverCompletedEvent,
  SolverProgressEvent,
  SolverRestartedEvent,
  SolverRetryEvent,
  SolverStartEvent,
  SolverStepFailedEvent,
} from '../events/solver.ts'
import { amount, bag, content, eventOf, inStep, noContent, text } from './envelope.ts'
import { cancelReason } from './plan.ts'

export const solverStartSchema: Schema<SolverStartEvent> = schemaOf<SolverStartEvent>()(
  eventOf(
    'solver.start',
    inStep,
    noContent,
    metadata({ task_count: count, total_tasks: count, estimated_duration_sec: amount }),
  ),
)

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

export const solverRetrySchema: Schema<SolverRetryEvent> = schemaOf<SolverRetryEvent>()(
  eventOf(
    'solver.retry',
    inStep,
    content(open({ step_name: text })),
    metadata({ attempt: count, max_attempts: count, backoff_ms: amount }),
  ),
)

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
