/**
 * The end of a round: results are put together, and the whole is summed up.
 *
 *     aggregate.start → aggregate.completed → pipeline.completed
 */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../core/schema.ts'
import { count, type Metadata, maybe, metadata, open } from '../../../events/fields.ts'
import { amount, bag, content, eventOf, type InSession, inSession, noContent, text } from './envelope.ts'

/**
 * Putting the results together begins.
 *
 * @see docs/spec/event-payloads.md#aggregatestart
 */
export interface AggregateStartEvent extends InSession {
  event: 'aggregate.start'
  content?: null
  metadata: Metadata & {
    /** `completed_tasks` and `failed_tasks` together. */
    task_count: number
    /** How many tasks are done. */
    completed_tasks: number
    /** How many tasks failed. */
    failed_tasks: number
  }
}

export const aggregateStartSchema: Schema<AggregateStartEvent> = schemaOf<AggregateStartEvent>()(
  eventOf(
    'aggregate.start',
    inSession,
    noContent,
    metadata({ task_count: count, completed_tasks: count, failed_tasks: count }),
  ),
)

/**
 * The results are put together.
 *
 * @see docs/spec/event-payloads.md#aggregatecompleted
 */
export interface AggregateCompletedEvent extends InSession {
  event: 'aggregate.completed'
  /** The result. Absent or `null`: there is none. */
  content?: {
    /** Any JSON. */
    final_result: unknown
  } | null
  metadata: Metadata & {
    /** How long putting the results together took, in milliseconds. */
    aggregation_time_ms: number
    /** Size of the result, in bytes. */
    result_size_bytes: number
  }
}

export const aggregateCompletedSchema: Schema<AggregateCompletedEvent> = schemaOf<AggregateCompletedEvent>()(
  eventOf(
    'aggregate.completed',
    inSession,
    content(open({ final_result: z.unknown() })),
    metadata({ aggregation_time_ms: amount, result_size_bytes: count }),
  ),
)

/**
 * A round is over. The last event of it.
 *
 * @see docs/spec/event-payloads.md#pipelinecompleted
 */
export interface PipelineCompletedEvent extends InSession {
  event: 'pipeline.completed'
  content?: null
  metadata: Metadata & {
    /** How long the round took, in milliseconds: at least its three stages together. */
    total_time_ms: number
    /** How long planning took, in milliseconds. */
    plan_time_ms: number
    /** How long solving took, in milliseconds. */
    solve_time_ms: number
    /** How long putting the results together took, in milliseconds. */
    aggregate_time_ms: number
    /** How the round went. */
    status: 'success' | 'partial_success' | 'failed'
    /** The result in a sentence, for people. */
    result_summary: string
    /** One entry for each call of a model. */
    statistics?: Metadata[]
    /** What the server has measured so far, of agents, tools and models. */
    metrics?: Metadata
  }
}

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
