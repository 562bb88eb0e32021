/** The schemas of the events in `solver.ts`. */
import * as z from 'zod/mini'
import { count, id, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { SolverEvent } from '../events/solver.ts'
import { amount, bag, content, eventSchema, inStep, noContent, type SchemasOf, text } from './envelope.ts'

export const solverSchemas: SchemasOf<SolverEvent> = {
  'solver.start': eventSchema(
    'solver.start',
    inStep,
    noContent,
    metadata({ task_count: count, total_tasks: count, estimated_duration_sec: amount }),
  ),
  'solver.progress': eventSchema(
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
  'solver.completed': eventSchema(
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
  'solver.step_failed': eventSchema(
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
  'solver.retry': eventSchema(
    'solver.retry',
    inStep,
    content(open({ step_name: text })),
    metadata({ attempt: count, max_attempts: count, backoff_ms: amount }),
  ),
  'solver.cancelled': eventSchema(
    'solver.cancelled',
    inStep,
    content(text),
    metadata({
      task_id: id,
      reason: z.enum(['user_request', 'dependency_failed', 'timeout', 'resource_limit']),
      execution_time_ms: amount,
      partial_result: maybe(bag),
    }),
  ),
  'solver.restarted': eventSchema(
    'solver.restarted',
    inStep,
    content(text),
    metadata({
      task_id: id,
      previous_error: maybe(text),
      attempt: count,
      max_attempts: count,
      reason: z.enum(['retry_after_error', 'user_request', 'escalation']),
      backoff_ms: amount,
    }),
  ),
}
