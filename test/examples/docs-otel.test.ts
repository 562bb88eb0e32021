// The example of docs/otel.md, exported to the SDK of OpenTelemetry.
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createEmitter } from 'turnstream'
import { type Agent, type AgentTask, memoryStore } from 'turnstream/server'
import { afterEach, expect, it } from 'vitest'
import { exportEvents, tracedAgent } from '../../examples/docs/otel.ts'

const exporter = new InMemorySpanExporter()

/** Uses the SDK for the application. */
function install(): void {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
}

afterEach(() => {
  trace.disable()
  exporter.reset()
})

const call = { toolCallId: 'call-1', toolName: 'tide_table' } as const

it('exports stored events at their times', async () => {
  install()
  expect(context.active()).toBe(ROOT_CONTEXT)
  let now = Date.UTC(2020, 2, 14, 8)
  const clock = (): Date => {
    now += 10
    return new Date(now)
  }
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now: clock })
  await exportEvents([
    emit({ kind: 'task-created', initiator: 'user' }),
    emit({ kind: 'tool-start', ...call, arguments: {} }),
    emit({ kind: 'tool-complete', ...call, success: false }),
    emit({ kind: 'task-complete' }),
  ])
  const spans = exporter.getFinishedSpans()
  const agent = spans[1]?.spanContext().spanId
  expect(
    spans.map(({ name, status, startTime, duration, parentSpanContext }) => ({
      ...{ name, status: status.code, start: startTime[0], ms: duration[1] / 1e6 },
      parent: parentSpanContext?.spanId,
    })),
  ).toEqual([
    { name: 'execute_tool tide_table', status: 2, start: 1584172800, ms: 10, parent: agent },
    { name: 'invoke_agent', status: 0, start: 1584172800, ms: 30, parent: undefined },
  ])
})

it('traces an agent of a store', async () => {
  install()
  const agent: Agent = async function* () {
    yield { kind: 'tool-start', ...call, arguments: {} }
    yield { kind: 'tool-complete', ...call, success: true }
  }
  const stream = await memoryStore().open('chat')
  const task = { contextId: 'ctx-1', taskId: 'task-1' }
  await stream.run(task, (signal) => tracedAgent(agent)({ ...task, signal } as AgentTask))
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name, attributes }) => [name, attributes['gen_ai.conversation.id']])).toEqual([
    ['execute_tool tide_table', 'ctx-1'],
    ['invoke_agent', 'ctx-1'],
  ])
  expect(spans[0]?.parentSpanContext?.spanId).toBe(spans[1]?.spanContext().spanId)
})
