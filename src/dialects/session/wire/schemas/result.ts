/**
 * The end of a round: results are aggregated, and the round is summarized.
 *
 *     aggregate.start → aggregate.completed → pipeline.completed
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { count, maybe, maybeNull, metadata, open } from '../../../../events/records/fields.ts'
import type { ResultEvent } from '../types.generated.ts'
import { amount, bag, inSession, noContent, text } from './envelope.ts'

/**
 * Aggregation of the results starts.
 *
 * @see docs/spec/event-payloads.md
 */
const aggregateStartEvent = open({
  event: z.literal('aggregate.start'),
  ...inSession,
  content: noContent,
  metadata: metadata({
    /** Sum of `completed_tasks` and `failed_tasks`. */
    task_count: count,
    /** Number of completed tasks. */
    completed_tasks: count,
    /** Number of failed tasks. */
    failed_tasks: count,
  }),
})

/**
 * The results are aggregated.
 *
 * @see docs/spec/event-payloads.md
 */
const aggregateCompletedEvent = open({
  event: z.literal('aggregate.completed'),
  ...inSession,
  /** The result. Omitted or `null` if there is none. */
  content: maybeNull(
    open({
      /** The aggregated result: any JSON. */
      final_result: z.unknown(),
    }),
  ),
  metadata: metadata({
    /** Duration of the aggregation in milliseconds. */
    aggregation_time_ms: amount,
    /** Size of the result in bytes. */
    result_size_bytes: count,
  }),
})

/**
 * A round is complete. Its last event.
 *
 * @see docs/spec/event-payloads.md
 */
const pipelineCompletedEvent = open({
  event: z.literal('pipeline.completed'),
  ...inSession,
  content: noContent,
  metadata: metadata({
    /** Duration of the round in milliseconds: at least the sum of its three stages. */
    total_time_ms: amount,
    /** Duration of planning in milliseconds. */
    plan_time_ms: amount,
    /** Duration of solving in milliseconds. */
    solve_time_ms: amount,
    /** Duration of the aggregation in milliseconds. */
    aggregate_time_ms: amount,
    /** The outcome of the round. */
    status: z.enum(['success', 'partial_success', 'failed']),
    /** Human-readable one-sentence summary of the result. */
    result_summary: text,
    /** One entry per model call. */
    statistics: maybe(z.array(bag)),
    /** Metrics of agents, tools and models so far. */
    metrics: maybe(bag),
  }),
})

/** Any event of the end of a round. */
export const resultEvent: Schema<ResultEvent> = schemaOf<ResultEvent>()(
  z.discriminatedUnion('event', [aggregateStartEvent, aggregateCompletedEvent, pipelineCompletedEvent]),
)
