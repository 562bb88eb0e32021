// The example of docs/otel.md, exported to the SDK of OpenTelemetry.
import { ROOT_CONTEXT } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter } from 'turnstream'
import { expect, it } from 'vitest'
import { exportSpans } from '../../examples/docs/otel.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { runs } from '../support/runs.ts'

/** The finished spans of a stream, and how many were started. */
function spansOf(events: readonly ContextAnyEvent[]): { started: number; spans: readonly ReadableSpan[] } {
  const exporter = new InMemorySpanExporter()
  let started = 0
  const count = {
    onStart: () => void started++,
    onEnd: () => {},
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  }
  const provider = new BasicTracerProvider({ spanProcessors: [count, new SimpleSpanProcessor(exporter)] })
  exportSpans(events, provider.getTracer('test'), ROOT_CONTEXT)
  return { started, spans: exporter.getFinishedSpans() }
}

const milliseconds = ([seconds, nanoseconds]: [number, number]): number => seconds * 1000 + nanoseconds / 1e6

function streamOf(task: string): ContextAnyEvent[] {
  let now = Date.UTC(2026, 2, 14, 8)
  const clock = (): Date => {
    now += 10
    return new Date(now)
  }
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: task, now: clock })
  return [
    emit({ kind: 'task-created', initiator: 'user' }),
    emit({ kind: 'internal:llm-call', iteration: 0, model: 'gpt-5', messageCount: 1, toolCount: 1 }),
    emit({
      kind: 'content-complete',
      content: 'Hi',
      metadata: { usage: [{ inputTokens: 3, outputTokens: 1 }] },
    }),
    emit({ kind: 'tool-start', toolCallId: 'call-1', toolName: 'tide_table', arguments: {} }),
    emit({
      kind: 'tool-complete',
      toolCallId: 'call-1',
      toolName: 'tide_table',
      success: false,
      error: 'No.',
    }),
    emit({ kind: 'task-status', status: 'completed' }),
    emit({ kind: 'task-complete' }),
  ]
}

it('exports a task, its model call and its tool', () => {
  const { spans } = spansOf(streamOf('task-1'))
  const shown = spans.map(({ name, status, attributes, startTime, endTime }) => ({
    name,
    error: status.code === 2 ? attributes['error.type'] : undefined,
    duration: milliseconds(endTime) - milliseconds(startTime),
  }))
  expect(shown).toEqual([
    { name: 'chat gpt-5', error: undefined, duration: 10 },
    { name: 'execute_tool tide_table', error: 'tool_failed', duration: 10 },
    { name: 'invoke_agent', error: undefined, duration: 50 },
  ])
  expect(spans[0]?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.usage.output_tokens': 1,
  })
  const agent = spans[2]?.spanContext().spanId
  expect(spans.map((span) => span.parentSpanContext?.spanId)).toEqual([agent, agent, undefined])
})

it('ends every span it starts, wherever the stream is cut', () => {
  fc.assert(
    fc.property(legalStreams(), fc.nat(), (events, cut) => {
      const { started, spans } = spansOf(events.slice(0, cut % (events.length + 1)))
      expect(spans.length).toBe(started)
    }),
    { numRuns: runs(100) },
  )
})
