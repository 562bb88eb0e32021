/** Options of `traceEvents`. */

import { optional, requireFunction, requireObject, requireOnly, requireText } from '../core/require.ts'
import type { TaskName } from '../events/event.ts'
import type { OtelMeter, OtelSpan, OtelTracer } from './api.ts'

/**
 * Where spans and metrics go.
 *
 * @typeParam Context - `Context` of `@opentelemetry/api`.
 * @typeParam Span - `Span` of `@opentelemetry/api`.
 */
export interface TraceOptions<Context, Span extends OtelSpan> {
  /** Starts the spans, such as `trace.getTracer('my-agent')`. */
  readonly tracer: OtelTracer<Context, Span>
  /** `trace.setSpan` of `@opentelemetry/api`: makes spans children of others. */
  readonly setSpan: (context: Context, span: Span) => Context
  /** What the tasks belong to, such as `context.active()`, the request that is handled. */
  readonly parent: Context
  /** Makes the histograms, such as `metrics.getMeter('my-agent')`. Omitted: nothing is measured. */
  readonly meter?: OtelMeter
  /**
   * The task of an agent whose drafts are traced. It starts when the first one is asked for, and ends with the source. Omitted:
   * the source has the events of whole tasks.
   */
  readonly task?: TaskName
  /** The name of the agent, for tasks that name none and are no subtasks. Omitted: unknown. */
  readonly agent?: string
}

/**
 * Requires valid options.
 *
 * @throws TypeError if one is invalid.
 */
export function requireTraceOptions<Context, Span extends OtelSpan>(
  options: TraceOptions<Context, Span>,
): void {
  requireOnly('options', options, ['tracer', 'setSpan', 'parent', 'meter', 'task', 'agent'])
  const { tracer, setSpan, parent, meter, task, agent } = options
  requireObject('tracer', tracer)
  requireFunction('tracer.startSpan', tracer.startSpan)
  requireFunction('setSpan', setSpan, 'trace.setSpan')
  requireObject('parent', parent)
  if (meter !== undefined) {
    requireObject('meter', meter)
    requireFunction('meter.createHistogram', meter.createHistogram)
  }
  if (task !== undefined) {
    requireObject('task', task)
    requireText('task.contextId', task.contextId)
    requireText('task.taskId', task.taskId)
  }
  optional(requireText, 'agent', agent)
}
