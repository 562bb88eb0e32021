import { context, metrics, trace } from '@opentelemetry/api'
import type { ContextAnyEvent } from 'turnstream'
import { traceEvents } from 'turnstream/otel'
import type { Agent } from 'turnstream/server'

const telemetry = () => ({
  tracer: trace.getTracer('shop'),
  meter: metrics.getMeter('shop'),
  setSpan: trace.setSpan,
  parent: context.active(),
})

/** The agent, traced. */
export function tracedAgent(agent: Agent): Agent {
  return (task) => traceEvents(agent(task), { ...telemetry(), task })
}

/** Exports a stored conversation, with the times of its events. */
export async function exportEvents(events: readonly ContextAnyEvent[]): Promise<void> {
  for await (const _ of traceEvents(events, telemetry()));
}
