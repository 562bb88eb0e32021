/**
 * The end of a round: results are aggregated, and the round is summarized.
 *
 *     aggregate.start → aggregate.completed → pipeline.completed
 */

import type { Metadata } from '../../../../events/metadata.ts'
import type { InSession } from '../envelope.ts'

/**
 * Aggregation of the results starts.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AggregateStartEvent extends InSession {
  event: 'aggregate.start'
  content?: null
  metadata: Metadata & {
    /** Sum of `completed_tasks` and `failed_tasks`. */
    task_count: number
    /** Number of completed tasks. */
    completed_tasks: number
    /** Number of failed tasks. */
    failed_tasks: number
  }
}

/**
 * The results are aggregated.
 *
 * @see docs/spec/event-payloads.md
 */
export interface AggregateCompletedEvent extends InSession {
  event: 'aggregate.completed'
  /** The result. Omitted or `null` if there is none. */
  content?: {
    /** The aggregated result: any JSON. */
    final_result: unknown
  } | null
  metadata: Metadata & {
    /** Duration of the aggregation in milliseconds. */
    aggregation_time_ms: number
    /** Size of the result in bytes. */
    result_size_bytes: number
  }
}

/**
 * A round is complete. Its last event.
 *
 * @see docs/spec/event-payloads.md
 */
export interface PipelineCompletedEvent extends InSession {
  event: 'pipeline.completed'
  content?: null
  metadata: Metadata & {
    /** Duration of the round in milliseconds: at least the sum of its three stages. */
    total_time_ms: number
    /** Duration of planning in milliseconds. */
    plan_time_ms: number
    /** Duration of solving in milliseconds. */
    solve_time_ms: number
    /** Duration of the aggregation in milliseconds. */
    aggregate_time_ms: number
    /** The outcome of the round. */
    status: 'success' | 'partial_success' | 'failed'
    /** Human-readable one-sentence summary of the result. */
    result_summary: string
    /** One entry per model call. */
    statistics?: Metadata[]
    /** Metrics of agents, tools and models so far. */
    metrics?: Metadata
  }
}

/** Any event of this file. */
export type ResultEvent = AggregateStartEvent | AggregateCompletedEvent | PipelineCompletedEvent
