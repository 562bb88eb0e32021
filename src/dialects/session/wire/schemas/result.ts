/** The schemas of the events in `result.ts`. */
import * as z from 'zod/mini'
import { count, maybe, metadata, open } from '../../../../events/records/fields.ts'
import type { ResultEvent } from '../events/result.ts'
import { amount, bag, content, eventSchema, inSession, noContent, type SchemasOf, text } from './envelope.ts'

export const resultSchemas: SchemasOf<ResultEvent> = {
  'aggregate.start': eventSchema(
    'aggregate.start',
    inSession,
    noContent,
    metadata({ task_count: count, completed_tasks: count, failed_tasks: count }),
  ),
  'aggregate.completed': eventSchema(
    'aggregate.completed',
    inSession,
    content(open({ final_result: z.unknown() })),
    metadata({ aggregation_time_ms: amount, result_size_bytes: count }),
  ),
  'pipeline.completed': eventSchema(
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
}
