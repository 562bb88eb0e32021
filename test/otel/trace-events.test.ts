// Proves what spans and metrics a stream of events becomes, however it ends and whatever it has.

import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import fc from 'fast-check'
import { type ContextAnyEvent, createEmitter, type EventDraft } from 'turnstream'
import { traceEvents } from 'turnstream/otel'
import { describe, expect, it } from 'vitest'
import { jsonValue } from '../support/json.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { runs } from '../support/runs.ts'
import { type RecordedSpan, recorder } from './recorder.ts'

const task = { contextId: 'ctx-1', taskId: 'task-1' }

/** Traces all events of a source. */
async function traced(events: readonly unknown[], more: { task?: typeof task; agent?: string } = {}) {
  const { spans, measurements, options } = recorder()
  const out: unknown[] = []
  for await (const event of traceEvents(events as ContextAnyEvent[], { ...options, ...more })) out.push(event)
  return { spans, measurements, out }
}

/** What a span is, in one object. */
const shown = ({ name, parent, startTime, endTime, attributes, isError }: RecordedSpan) => ({
  name,
  parent: parent?.name,
  ms: Number(endTime) - Number(startTime),
  ...(isError && { error: attributes['error.type'] }),
})

/** Completes drafts, one each 100 ms. */
function eventsOf(drafts: readonly EventDraft[], context: object = task): ContextAnyEvent[] {
  let now = Date.UTC(2026, 2, 14, 8)
  const clock = (): Date => {
    now += 100
    return new Date(now)
  }
  const { emit } = createEmitter({ ...(context as typeof task), now: clock })
  return drafts.map((draft) => emit(draft as EventDraft<'task-created'>) as ContextAnyEvent)
}

const usage = [{ provider: 'openai', inputTokens: 3, outputTokens: 2, cachedInputTokens: 1 }]
const turn: readonly EventDraft[] = [
  { kind: 'task-created', initiator: 'user', metadata: { agentId: 'tides', input: 'canary' } },
  { kind: 'task-status', status: 'working' },
  {
    ...{ kind: 'internal:llm-call', iteration: 0, model: 'gpt-5', messageCount: 1, toolCount: 1 },
    metadata: { provider: 'openai', responseId: 'resp-1' },
  },
  { kind: 'content-delta', delta: 'canary' },
  { kind: 'content-complete', content: 'canary', finishReason: 'tool_calls', metadata: { usage } },
  { kind: 'tool-start', toolCallId: 'call-1', toolName: 'tide_table', arguments: { canary: 'canary' } },
  { kind: 'tool-complete', toolCallId: 'call-1', toolName: 'tide_table', success: false, error: 'canary' },
  { kind: 'internal:llm-call', iteration: 1, model: 'gpt-5', messageCount: 3, toolCount: 1 },
  { kind: 'content-complete', content: 'canary' },
  { kind: 'task-complete' },
]

it('traces a task, its model and its tool, with the events before as starts of the calls of the model', async () => {
  const events = eventsOf(turn)
  const { spans, measurements, out } = await traced(events)
  expect(out).toEqual(events)
  expect(spans.map(shown)).toEqual([
    { name: 'invoke_agent tides', parent: undefined, ms: 900 },
    { name: 'chat gpt-5', parent: 'invoke_agent tides', ms: 300 },
    { name: 'execute_tool tide_table', parent: 'invoke_agent tides', ms: 100, error: 'tool_failed' },
    { name: 'chat gpt-5', parent: 'invoke_agent tides', ms: 200 },
  ])
  expect(spans.map(({ kind }) => kind)).toEqual([0, 2, 0, 2])
  expect(spans[1]?.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.conversation.id': 'ctx-1',
    'gen_ai.request.model': 'gpt-5',
    'gen_ai.request.stream': true,
    'gen_ai.response.model': 'gpt-5',
    'gen_ai.response.id': 'resp-1',
    'gen_ai.response.finish_reasons': ['tool_calls'],
    'gen_ai.response.time_to_first_chunk': 0.2,
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.usage.output_tokens': 2,
    'gen_ai.usage.cache_read.input_tokens': 1,
  })
  expect(spans[2]?.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.conversation.id': 'ctx-1',
    'gen_ai.tool.name': 'tide_table',
    'gen_ai.tool.call.id': 'call-1',
    'error.type': 'tool_failed',
  })
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5' }
  const model = { ...chat, 'gen_ai.response.model': 'gpt-5' }
  const first = { ...model, 'gen_ai.provider.name': 'openai' }
  expect(measurements).toEqual([
    { name: 'gen_ai.client.operation.time_to_first_chunk', value: 0.2, attributes: first },
    { name: 'gen_ai.client.operation.duration', value: 0.3, attributes: first },
    {
      ...{ name: 'gen_ai.client.token.usage', value: 3 },
      attributes: { ...first, 'gen_ai.token.type': 'input' },
    },
    {
      ...{ name: 'gen_ai.client.token.usage', value: 2 },
      attributes: { ...first, 'gen_ai.token.type': 'output' },
    },
    {
      ...{ name: 'gen_ai.execute_tool.duration', value: 0.1 },
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'tide_table',
        'error.type': 'tool_failed',
      },
    },
    { name: 'gen_ai.client.operation.duration', value: 0.2, attributes: model },
    {
      ...{ name: 'gen_ai.invoke_agent.duration', value: 0.9 },
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'tides' },
    },
  ])
})

it.each<[string, readonly EventDraft[], number]>([
  ['a call of a tool', [turn[5] as EventDraft, turn[6] as EventDraft], 200],
  [
    'a question',
    [
      {
        kind: 'input-required',
        inputId: 'i',
        inputType: 'confirmation',

        prompt: '?',
      },
      { kind: 'input-received', inputId: 'i', providedBy: 'user' },
      turn[5] as EventDraft,
    ],
    200,
  ],
  ['another event', [{ kind: 'task-status', status: 'working' }], 100],
])('ends a response without text with %s, not with what follows', async (_, events, ms) => {
  const [created, , call, , , , , again] = turn as [EventDraft, ...EventDraft[]]
  const drafts = [created, call, ...events, again, turn[8], turn[9]] as EventDraft[]
  const { spans } = await traced(eventsOf(drafts))
  expect(spans.map(shown).filter(({ name }) => name.startsWith('chat'))[0]).toEqual({
    ...{ name: 'chat gpt-5', parent: 'invoke_agent tides', ms },
  })
})

it('counts the usage that follows the calls of a response, and no failure of its tools', async () => {
  const failed = { code: 'rate_limited', message: '', retry: 'terminal' } as const
  for (const usageOf of [[], [turn[4] as EventDraft]]) {
    const drafts = [
      turn[0],
      turn[2],
      turn[5],
      ...usageOf,
      { kind: 'task-status', status: 'failed', error: failed },
    ]
    const { spans } = await traced(eventsOf(drafts as EventDraft[]))
    expect(spans[1]?.isError).toBe(false)
    expect(spans[1]?.attributes['gen_ai.usage.input_tokens']).toBe(usageOf.length > 0 ? 3 : undefined)
  }
})

it('writes names that the conventions know', async () => {
  const known = new Set<unknown>(Object.values(conventions))
  const { spans, measurements } = await traced(eventsOf(turn))
  const names = [...spans, ...measurements].flatMap(({ attributes }) => Object.keys(attributes))
  const unknown = [...names, ...measurements.map(({ name }) => name)].filter((name) => !known.has(name))
  // Of the release after that of the package.
  expect([...new Set(unknown)].sort()).toEqual([
    'gen_ai.execute_tool.duration',
    'gen_ai.invoke_agent.duration',
  ])
})

describe('errors', () => {
  const [created, , call] = turn as [EventDraft, EventDraft, EventDraft]
  const failed = (code: string): EventDraft => ({
    ...{ kind: 'task-status', status: 'failed' },
    error: { code, message: 'canary', retry: 'terminal' },
  })

  it('are those of the task, also for what it leaves open', async () => {
    const { spans } = await traced(eventsOf([created, call, failed('rate_limited')]))
    expect(spans.map(shown)).toEqual([
      { name: 'invoke_agent tides', parent: undefined, ms: 200, error: 'rate_limited' },
      { name: 'chat gpt-5', parent: 'invoke_agent tides', ms: 200, error: 'rate_limited' },
    ])
  })

  it.each(['\u2028', 'The key sk-123 is invalid.', 'x'.repeat(65)])(
    'with the code %j are _OTHER',
    async (code) => {
      const { spans } = await traced(eventsOf([created, failed(code)]))
      expect(spans[0]?.attributes['error.type']).toBe('_OTHER')
    },
  )

  const open = [created, call, turn[5] as EventDraft]
  const typesOf = (spans: readonly RecordedSpan[]): unknown[] =>
    spans.map(({ attributes, ends }) => [attributes['error.type'], ends])

  it('are those of a task that is canceled, and of what it leaves open', async () => {
    const { spans, measurements } = await traced(
      eventsOf([...open, { kind: 'task-status', status: 'canceled' }]),
    )
    expect(typesOf(spans)).toEqual([
      ['canceled', 1],
      [undefined, 1],
      ['canceled', 1],
    ])
    expect(measurements.map(({ attributes }) => attributes['error.type'])).toEqual([
      ...[undefined, 'canceled', 'canceled'],
    ])
  })

  it('are those of a source that ends before what it has started', async () => {
    const { spans } = await traced(eventsOf(open))
    expect(typesOf(spans)).toEqual([
      ['ended-early', 1],
      [undefined, 1],
      ['ended-early', 1],
    ])
    const drafts = await traced([...open.slice(1), turn[7]], { task })
    expect(typesOf(drafts.spans)).toEqual([
      [undefined, 1],
      [undefined, 1],
      ['ended-early', 1],
      ['ended-early', 1],
    ])
  })

  it('are none of an agent that ends after a text without end', async () => {
    const { spans } = await traced([call, turn[3]], { task })
    expect(typesOf(spans)).toEqual([
      [undefined, 1],
      [undefined, 1],
    ])
  })

  it('are those of a source that is left', async () => {
    const { spans, options } = recorder()
    let read = 0
    for await (const _ of traceEvents(eventsOf(open), options)) if (++read === open.length) break
    expect(typesOf(spans)).toEqual([
      ['canceled', 1],
      [undefined, 1],
      ['canceled', 1],
    ])
  })

  it.each([
    [new TypeError('canary'), 'TypeError'],
    [Object.assign(new Error('canary'), { code: 'ECONNRESET' }), 'ECONNRESET'],
    ['canary', '_OTHER'],
  ])('of the source, such as %s, are thrown and end what is open', async (error, type) => {
    const { spans, options } = recorder()
    const source = async function* (): AsyncGenerator<ContextAnyEvent> {
      yield* eventsOf([created, call])
      throw error
    }
    const read = async (): Promise<void> => {
      for await (const _ of traceEvents(source(), options));
    }
    await expect(read()).rejects.toBe(error)
    expect(spans.map(({ attributes, ends }) => [attributes['error.type'], ends])).toEqual([
      [type, 1],
      [type, 1],
    ])
  })
})

describe('the drafts of an agent', () => {
  const drafts = turn.slice(2)

  it('are a task from the first read to the end', async () => {
    const { spans } = await traced(drafts, { task, agent: 'shop' })
    expect(spans.map(({ name, parent, ends }) => [name, parent?.name, ends])).toEqual([
      ['invoke_agent shop', undefined, 1],
      ['chat gpt-5', 'invoke_agent shop', 1],
      ['execute_tool tide_table', 'invoke_agent shop', 1],
      ['chat gpt-5', 'invoke_agent shop', 1],
    ])
    expect(spans[0]?.attributes['gen_ai.conversation.id']).toBe('ctx-1')
  })

  it('have the spans of subtasks below that of the task', async () => {
    const subtask = { contextId: 'ctx-1', taskId: 'task-2', parentTaskId: 'task-1', path: ['root', 'pilot'] }
    const { spans } = await traced([...eventsOf(turn.slice(0, 3), subtask), ...drafts], { task })
    expect(spans.map(({ name, parent }) => [name, parent?.name]).slice(0, 3)).toEqual([
      ['invoke_agent', undefined],
      ['invoke_agent pilot', 'invoke_agent'],
      ['chat gpt-5', 'invoke_agent pilot'],
    ])
  })

  it('have the spans of subtasks that name no parent below that which announced them', async () => {
    const announced: EventDraft = { kind: 'subtask-created', subtaskId: 'task-2', prompt: '' }
    const subtask = eventsOf([{ kind: 'task-created', initiator: 'agent' }], { ...task, taskId: 'task-2' })
    const { spans } = await traced([...eventsOf([turn[0] as EventDraft, announced]), ...subtask], {
      agent: 'shop',
    })
    expect(spans.map(({ name, parent }) => [name, parent?.name])).toEqual([
      ['invoke_agent tides', undefined],
      ['invoke_agent', 'invoke_agent tides'],
    ])
  })

  it('end when they are left, also while a read hangs', async () => {
    const { spans, options } = recorder()
    const source = async function* (): AsyncGenerator<EventDraft> {
      yield drafts[0] as EventDraft
      await new Promise(() => {})
    }
    const events = traceEvents(source(), { ...options, task })
    await events.next()
    void events.next()
    await events.return(undefined)
    expect(spans.map(({ ends, isError }) => [ends, isError])).toEqual([
      [1, true],
      [1, true],
    ])
  })

  it('that are never read are no task', async () => {
    const { spans, options } = recorder()
    await traceEvents(drafts, { ...options, task }).return(undefined)
    expect(spans).toEqual([])
  })
})

it('shortens names of agents, models and tools to 256 characters', async () => {
  const long = 'n'.repeat(300)
  const short = 'n'.repeat(256)
  const drafts = [
    { kind: 'internal:llm-call', model: long, metadata: { provider: long } },
    { kind: 'tool-start', toolCallId: 'call-1', toolName: long },
  ]
  const { spans } = await traced(drafts, { task, agent: long })
  const names = ['invoke_agent', 'chat', 'execute_tool']
  expect(spans.map(({ name }) => name)).toEqual(names.map((name) => `${name} ${short}`))
  const { measurements } = await traced(eventsOf([{ ...turn[0], metadata: { agentId: long } } as EventDraft]))
  expect(measurements[0]?.attributes['gen_ai.agent.name']).toBe(short)
  expect(spans.map(({ attributes }) => JSON.stringify(attributes)).join()).not.toContain(long)
})

it.each([1.5, -1, 2 ** 53, Infinity, '3'])('does not count %s tokens', async (inputTokens) => {
  const usages = [{ inputTokens: 2 }, { inputTokens }, { inputTokens: Number.MAX_SAFE_INTEGER }]
  const complete = { kind: 'content-complete', content: '', metadata: { usage: usages } }
  const { spans } = await traced([turn[2], complete], { task })
  expect(spans[1]?.attributes['gen_ai.usage.input_tokens']).toBe(2)
})

it('is not disturbed by a tracer and a meter that throw', async () => {
  const fail = (): never => {
    throw new Error('down')
  }
  const failing = { setAttributes: fail, setStatus: fail, end: fail }
  for (const tracer of [{ startSpan: fail }, { startSpan: () => failing }]) {
    const options = { tracer, setSpan: fail, parent: {}, meter: { createHistogram: fail } }
    const out: unknown[] = []
    for await (const event of traceEvents(eventsOf(turn), options)) out.push(event)
    expect(out).toEqual(eventsOf(turn))
  }
})

it('keeps at most a thousand tasks and calls open', async () => {
  const { spans, options } = recorder()
  const isOpen = ({ ends }: RecordedSpan): boolean => ends === 0
  const start = (toolCallId: string): EventDraft => ({
    ...{ kind: 'tool-start', toolName: 't', arguments: {} },
    toolCallId,
  })
  const tasks = Array.from({ length: 1500 }, (_, i) =>
    eventsOf([turn[0] as EventDraft], { contextId: 'ctx-1', taskId: `task-${i}` }),
  )
  const newest = { contextId: 'ctx-1', taskId: 'task-1499' }
  const starts = Array.from({ length: 1500 }, (_, i) => start(`call-${i}`))
  const events = traceEvents([...tasks.flat(), ...eventsOf(starts, newest)], options)
  for (let i = 0; i < 3000; i++) await events.next()
  expect(spans.length).toBe(3000)
  expect(spans.filter(isOpen).length).toBe(2000)
  await events.return(undefined)
  expect(spans.every(({ ends }) => ends === 1)).toBe(true)
})

describe('of any stream', () => {
  const count = (names: readonly string[], start: string): number =>
    names.filter((name) => name === start || name.startsWith(`${start} `)).length

  it('each task, call of a model and call of a tool is one span, also if all events come twice', async () => {
    await fc.assert(
      fc.asyncProperty(legalStreams(), fc.boolean(), async (events, isDouble) => {
        const { spans, measurements, out } = await traced(
          isDouble ? events.flatMap((event) => [event, event]) : events,
        )
        expect(out.length).toBe(events.length * (isDouble ? 2 : 1))
        const kinds = events.map(({ kind }) => kind)
        const names = spans.map(({ name }) => name)
        expect(count(names, 'invoke_agent')).toBe(count(kinds, 'task-created'))
        expect(count(names, 'execute_tool')).toBe(count(kinds, 'tool-start'))
        if (!isDouble) expect(count(names, 'chat')).toBe(count(kinds, 'internal:llm-call'))
        const measured = measurements.map(({ name }) => name)
        expect(count(measured, 'gen_ai.invoke_agent.duration')).toBe(count(names, 'invoke_agent'))
        expect(count(measured, 'gen_ai.execute_tool.duration')).toBe(count(names, 'execute_tool'))
        expect(count(measured, 'gen_ai.client.operation.duration')).toBe(count(names, 'chat'))
        const streamed = spans.filter(({ attributes }) => attributes['gen_ai.request.stream'] === true)
        expect(count(measured, 'gen_ai.client.operation.time_to_first_chunk')).toBe(streamed.length)
      }),
      { numRuns: runs(100) },
    )
  })

  it('each span ends once, after it starts, and within the span of its task', async () => {
    await fc.assert(
      fc.asyncProperty(legalStreams(), fc.nat(), async (events, cut) => {
        const { spans } = await traced(events.slice(0, cut % (events.length + 1)))
        for (const { name, parent, ends, startTime, endTime } of spans) {
          expect(ends).toBe(1)
          expect(Number(endTime)).toBeGreaterThanOrEqual(Number(startTime))
          if (name.startsWith('invoke_agent')) continue
          expect(parent?.name).toMatch(/^invoke_agent/)
          expect(Number(startTime)).toBeGreaterThanOrEqual(Number(parent?.startTime))
          expect(Number(endTime)).toBeLessThanOrEqual(Number(parent?.endTime))
        }
      }),
      { numRuns: runs(100) },
    )
  })

  it('no content is written', async () => {
    await fc.assert(
      fc.asyncProperty(legalStreams(), async (events) => {
        const { spans, measurements } = await traced(events.map((event) => withCanaries(event)))
        const written = JSON.stringify([spans.map((span) => ({ ...span, parent: undefined })), measurements])
        expect(written).not.toContain('canary')
      }),
      { numRuns: runs(100) },
    )
  })

  it('any values pass, and every span ends', async () => {
    const kind = fc.constantFrom(
      ...['task-created', 'internal:llm-call', 'tool-start', 'tool-complete', 'content-delta'],
      ...['content-complete', 'task-status', 'task-complete', 'internal:checkpoint'],
    )
    const names = { contextId: fc.constantFrom('a', 'b'), taskId: fc.constantFrom('1', '2'), kind }
    const fields = {
      ...{ timestamp: jsonValue(), timestampEnd: jsonValue(), metadata: jsonValue(), error: jsonValue() },
      ...{ toolCallId: jsonValue(), toolName: jsonValue(), model: jsonValue(), path: jsonValue() },
      ...{ status: jsonValue(), finishReason: jsonValue(), iteration: jsonValue(), success: jsonValue() },
    }
    const event = fc
      .tuple(fc.record(names), fc.record(fields, { requiredKeys: [] }))
      .map(([named, rest]) => ({ ...rest, ...named }))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ weight: 5, arbitrary: event }, jsonValue())), async (values) => {
        const { spans, out } = await traced(values)
        expect(out).toEqual(values)
        expect(spans.every(({ ends }) => ends === 1)).toBe(true)
      }),
      { numRuns: runs(100) },
    )
  })
})

/** Fields that name things and count: the only ones of which something may be written. */
const named = new Set([
  ...['kind', 'contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'timestampEnd', 'iteration'],
  ...[
    'toolCallId',
    'toolName',
    'model',
    'provider',
    'responseId',
    'agentId',
    'finishReason',
    'code',
    'status',
  ],
])

/** A value with another text wherever one might be content. */
function withCanaries(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return named.has(key) ? value : 'canary'
  if (Array.isArray(value)) return value.map((item) => withCanaries(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withCanaries(item, name)]))
}
