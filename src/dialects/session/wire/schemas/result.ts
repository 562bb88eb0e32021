/** The schemas of the events in `result.ts`. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type {
  AggregateCompletedEvent,
  AggregateStartEvent,
  PipelineCompletedEvent,
} from '../events/result.ts'
import { amount, bag, content, eventOf, inSession, noContent, text } from './envelope.ts'

export const aggregateStartSchema: Schema<AggregateStartEvent> = schemaOf<AggregateStartEvent>()(
  eventOf(
    'aggregate.start',
    inSession,
    noContent,
    metadata({ task_count: count, completed_tasks: count, failed_tasks: count }),
  ),
)

export const aggregateCompletedSchema: Schema<AggregateCompletedEvent> = schemaOf<AggregateCompletedEvent>()(
  eventOf(
    'aggregate.completed',
    inSession,
    content(open({ final_result: z.unknown() })),
    metadata({ aggregation_time_ms: amount, result_size_bytes: count }),
  ),
)

export const pipelineCompletedSchema: Schema<PipelineCompletedEvent> = schemaOf<PipelineCompletedEvent>()(
  eventOf(
    'pipeline.completed',
    inSession,
    noContent,
    metadata({
      total_time_ms: amount,
      plan_time_ms: amount,
      solve_time_ms: amount,
      aggregate_time_ms: amount,
      status: z.enum(['success', 'partial_success', 'failed']),
      result_summary: text,
      statistics: maybe(z.array(bag)),
      metrics: maybe(bag),
    }),
  ),
)
