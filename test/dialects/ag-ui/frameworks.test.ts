// What frameworks send that the protocol leaves open. A reader that has the request reports nothing of an ordinary turn.

import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { type AgUiEvent, type AgUiMessage, type AgUiRunInput, fromAgUi } from 'turnstream/ag-ui'
import { emptyView, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { shapedEvents } from './shaped-events.ts'

const prompt: AgUiMessage = { id: 'u', role: 'user', content: 'Weather in Paris?' }
const requestOf = (more: Partial<AgUiRunInput> = {}): AgUiRunInput => ({
  ...{ threadId: 't', runId: 'r', messages: [prompt], tools: [], context: [] },
  ...more,
})
const started: AgUiEvent = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const finished: AgUiEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }
const again = { threadId: 't', runId: 'r2' }

/** A run, and the request that it answers. */
interface Run {
  readonly request?: AgUiRunInput
  readonly events: readonly AgUiEvent[]
}

/** Reads the runs of a thread, each by a reader of its own that goes on with the state of the one before. */
function readRuns(runs: readonly Run[]) {
  const codes: string[] = []
  let state: ReturnType<typeof fromAgUi>['initial'] | undefined
  const read = runs.flatMap(({ request, events }) => {
    const reader = run(fromAgUi({ now: () => 0, ...(request && { request }) }), {
      ...(state !== undefined && { state }),
      onDiagnostic: ({ code }) => codes.push(code),
    })
    const out = events.flatMap((event) => reader.push(JSON.parse(JSON.stringify(event))))
    state = JSON.parse(JSON.stringify(reader.state))
    return [...out, ...reader.end()]
  })
  const { push } = run(verifier({ mode: 'strict' }))
  const errors = read.flatMap((event) => push(event)).filter(({ severity }) => severity === 'error')
  expect(errors).toEqual([])
  return { read, codes, task: foldEvents(emptyView, read).tasks[0] }
}

const readRun = (events: readonly AgUiEvent[], request?: AgUiRunInput) =>
  readRuns([{ events: [started, ...events], ...(request && { request }) }])

const ofKind = (read: readonly ContextAnyEvent[], kind: ContextAnyEvent['kind']): ContextAnyEvent[] =>
  read.filter((event) => event.kind === kind)

const start = (toolCallId: string): AgUiEvent => ({
  type: 'TOOL_CALL_START',
  toolCallId,
  toolCallName: 'weather',
})
const args = (toolCallId: string, delta: string): AgUiEvent => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })
const end = (toolCallId: string): AgUiEvent => ({ type: 'TOOL_CALL_END', toolCallId })
const result = (toolCallId: string, content: string): AgUiEvent => ({
  ...{ type: 'TOOL_CALL_RESULT', messageId: `of ${toolCallId}`, toolCallId, content, role: 'tool' },
})
const call = (id: string, json: string): AgUiEvent[] => [start(id), args(id, json), end(id)]
const text = (messageId: string, delta: string): AgUiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
]
const snapshot = (...messages: AgUiMessage[]): AgUiEvent => ({ type: 'MESSAGES_SNAPSHOT', messages })
const listedCall = { id: 'k', type: 'function', function: { name: 'weather', arguments: '{"a":1}' } } as const

describe('messages that were not streamed', () => {
  const said: AgUiMessage = { id: 'm', role: 'assistant', content: 'We are closed on Sundays.' }

  it('are those of the run', () => {
    const { task, codes } = readRun([snapshot(prompt, said), finished], requestOf())
    expect(task?.parts).toMatchObject([{ type: 'text', text: 'We are closed on Sundays.' }])
    expect(codes).toEqual([])
  })

  it('are added once, with their thoughts, calls and results', () => {
    const messages: AgUiMessage[] = [
      prompt,
      { id: 'h', role: 'reasoning', content: 'Hm.' },
      { id: 'm', role: 'assistant', content: 'Looking.', toolCalls: [listedCall] },
      { id: 'x', role: 'tool', toolCallId: 'k', content: '{"sun":true}' },
    ]
    const { task, codes } = readRun([snapshot(...messages), snapshot(...messages), finished], requestOf())
    expect(task?.parts).toMatchObject([
      { type: 'thought', text: 'Hm.' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool', toolCallId: 'k', arguments: { a: 1 }, result: { sun: true } },
    ])
    expect(codes).toEqual([])
  })

  it('are none of those that were streamed, also as one message', () => {
    const both: AgUiMessage = { id: 'm', role: 'assistant', content: 'Looking.', toolCalls: [listedCall] }
    const listed: AgUiMessage[] = [prompt, both, { id: 'x', role: 'tool', toolCallId: 'k', content: 'Sun.' }]
    const events = [...text('m', 'Looking.'), ...call('k', '{"a":1}'), result('k', 'Sun.')]
    const { task, codes } = readRun([...events, snapshot(...listed), finished], requestOf())
    expect(task?.parts).toHaveLength(2)
    expect(codes).toEqual([])
  })

  it('are none of an earlier run, or of the request', () => {
    const second: AgUiMessage = { id: 'n', role: 'assistant', content: 'Go on.' }
    const runs: Run[] = [
      { request: requestOf(), events: [started, snapshot(prompt, said), finished] },
      {
        request: requestOf({ ...again, messages: [prompt] }),
        events: [
          { ...started, ...again },
          snapshot(prompt, said, second),
          { ...finished, ...again },
        ] as AgUiEvent[],
      },
    ]
    const { read, codes } = readRuns(runs)
    expect(ofKind(read, 'content-complete')).toMatchObject([
      { taskId: 'r', content: 'We are closed on Sundays.' },
      { taskId: 'r2', content: 'Go on.' },
    ])
    expect(codes).toEqual([])
    expect(
      readRun([snapshot(prompt, said, second), finished], requestOf({ messages: [prompt, said] })).task,
    ).toMatchObject({ parts: [{ text: 'Go on.' }] })
  })

  it('are reported if events cannot have them', () => {
    const orphan: AgUiMessage = { id: 'x', role: 'tool', toolCallId: 'gone', content: '1' }
    expect(readRun([snapshot(prompt, orphan), finished], requestOf()).codes).toEqual([
      'dropped:MESSAGES_SNAPSHOT',
    ])
    expect(readRun([snapshot(prompt, said), finished]).codes).toEqual(['dropped:MESSAGES_SNAPSHOT'])
  })
})

describe('a question that only an event of the framework asks', () => {
  const asks: AgUiEvent = {
    ...{ type: 'CUSTOM', name: 'on_interrupt', value: 'Delete 3 files?' },
    rawEvent: { id: 'q', value: 'Delete 3 files?', response_schema: null },
  }
  const answered = requestOf({ ...again, resume: [{ interruptId: 'q', status: 'resolved', payload: true }] })
  const rest = [{ ...started, ...again }, ...text('m', 'Done.'), { ...finished, ...again }] as AgUiEvent[]

  it('is asked as the run ends, and answered by the next one', () => {
    const { read, codes, task } = readRuns([
      { request: requestOf(), events: [started, asks, finished] },
      { request: answered, events: rest },
    ])
    expect(ofKind(read, 'input-required')).toMatchObject([{ inputId: 'q', prompt: 'Delete 3 files?' }])
    expect(ofKind(read, 'input-received')).toMatchObject([{ inputId: 'q' }])
    expect(task).toMatchObject({ status: 'completed', input: 'Weather in Paris?' })
    expect(codes).toEqual([])
  })

  it('is one question if the end of the run states it too', () => {
    const outcome = {
      type: 'interrupt',
      interrupts: [{ id: 'q', reason: 'langgraph:interrupt', message: 'Sure?' }],
    }
    const { read, codes } = readRun([asks, { ...finished, outcome } as AgUiEvent], requestOf())
    expect(ofKind(read, 'input-required')).toMatchObject([{ inputId: 'q', prompt: 'Sure?' }])
    expect(codes).toEqual([])
  })

  it.each<[string, Partial<AgUiRunInput>, string]>([
    ['a refusal', { resume: [{ interruptId: 'q', status: 'cancelled' }] }, 'declined'],
    ['the command of older clients', { forwardedProps: { command: { resume: 'yes' } } }, 'answered'],
  ])('is answered by %s', (_, more, outcome) => {
    const { read } = readRuns([
      { request: requestOf(), events: [started, asks, finished] },
      { request: requestOf({ ...again, ...more }), events: rest },
    ])
    const [received] = ofKind(read, 'input-received')
    expect({ outcome: 'answered', ...received }).toMatchObject({ inputId: 'q', outcome })
  })

  it('is still open if the next request does not answer it, and asked once', () => {
    const { read, codes } = readRuns([
      { request: requestOf(), events: [started, asks, finished] },
      {
        request: requestOf(again),
        events: [{ ...started, ...again }, asks, { ...finished, ...again }] as AgUiEvent[],
      },
    ])
    expect(ofKind(read, 'input-required')).toHaveLength(1)
    expect(ofKind(read, 'input-received')).toEqual([])
    expect(codes).toEqual([])
  })

  it.each<[string, unknown, object]>([
    ['JSON with a question', '{"question":"Book?","place":"Paris"}', { prompt: 'Book?' }],
    [
      'JSON with a call',
      '{"type":"mastra_suspend","toolCallId":"k","suspendPayload":{"q":"Sure?"},"resumeSchema":"{\\"type\\":\\"object\\"}"}',
      { inputId: 'k', inputType: 'confirmation', prompt: '{"q":"Sure?"}', schema: { type: 'object' } },
    ],
  ])('is read from %s', (_, value, expected) => {
    const event = { type: 'CUSTOM', name: 'on_interrupt', value } as AgUiEvent
    const { read } = readRun([...call('k', '{}'), event, finished], requestOf())
    expect(ofKind(read, 'input-required')).toMatchObject([expected])
  })

  it.each<[string, AgUiEvent[]]>([
    ['has no question', [{ type: 'CUSTOM', name: 'on_interrupt', value: null }, finished]],
    ['is followed by an error', [asks, { type: 'RUN_ERROR', message: 'Bad.' }]],
    ['is the last event', [asks]],
    ['comes twice', [asks, asks, finished]],
  ])('is reported if it %s', (_, events) => {
    expect(readRun(events, requestOf()).codes).toContain('dropped:CUSTOM')
  })
})

describe('a call without a result', () => {
  it('is none for the client if the model goes on', () => {
    const { read, task } = readRun([...call('k', '{}'), ...text('m', 'All done.'), finished])
    expect(ofKind(read, 'input-required')).toEqual([])
    expect(task).toMatchObject({ status: 'completed', parts: [{ toolCallId: 'k', status: 'failed' }, {}] })
  })

  it('is for the client if it has the tool', () => {
    const tools = [{ name: 'weather', description: '' }]
    const events = [...call('k', '{}'), finished]
    expect(readRun(events, requestOf({ tools })).task).toMatchObject({ status: 'waiting-input' })
    expect(readRun(events, requestOf()).task).toMatchObject({ status: 'completed' })
    expect(readRun(events).task).toMatchObject({ status: 'waiting-input' })
  })

  it('has the result that the client posts', () => {
    const posted: AgUiMessage = { id: 'x', role: 'tool', toolCallId: 'k', content: '{"sun":true}' }
    const tools = [{ name: 'weather', description: '' }]
    const { task, codes } = readRuns([
      { request: requestOf({ tools }), events: [started, ...call('k', '{}'), finished] },
      {
        request: requestOf({ ...again, tools, messages: [prompt, posted] }),
        events: [{ ...started, ...again }, ...text('m', 'Sun.'), { ...finished, ...again }] as AgUiEvent[],
      },
    ])
    expect(task?.parts).toMatchObject([{ result: { sun: true } }, { type: 'input' }, { text: 'Sun.' }])
    expect(codes).toEqual([])
  })
})

it('takes a call that is sent again as its tool resumes for the same, and reports one that differs', () => {
  const asks: AgUiEvent = {
    ...{ type: 'CUSTOM', name: 'on_interrupt', value: 'Sure?' },
    rawEvent: { id: 'q' },
  }
  const answered = requestOf({ ...again, resume: [{ interruptId: 'q', status: 'resolved', payload: 'yes' }] })
  const read = (json: string) =>
    readRuns([
      { request: requestOf(), events: [started, ...call('k', '{"a":1,"b":2}'), asks, finished] },
      {
        request: answered,
        events: [
          ...[{ ...started, ...again }, ...call('k', json), result('k', 'Sun.'), ...text('m', 'Sun.')],
          { ...finished, ...again },
        ] as AgUiEvent[],
      },
    ])
  const { task, codes } = read('{"b": 2, "a": 1}')
  expect(task?.parts).toMatchObject([
    { toolCallId: 'k', result: 'Sun.' },
    { type: 'input' },
    { text: 'Sun.' },
  ])
  expect(codes).toEqual([])
  for (const other of ['{"a":2,"b":2}', '{"a":1', ''])
    expect(read(other).codes).toEqual(['dropped:TOOL_CALL_ARGS'])
})

it('starts a call that only a question of Mastra states once it is answered', () => {
  const about = { type: 'mastra_suspend', toolName: 'pay', args: { amount: 5 }, suspendPayload: { q: 1 } }
  const value = JSON.stringify({ ...about, toolCallId: 'k', suspendPayload: { question: 'Sure?' } })
  const interrupts = [
    { id: 'r::k', reason: 'mastra:tool_suspend', toolCallId: 'k', metadata: { mastra: about } },
  ]
  const { read, task, codes } = readRuns([
    {
      request: requestOf(),
      events: [
        started,
        { type: 'CUSTOM', name: 'on_interrupt', value },
        { ...finished, outcome: { type: 'interrupt', interrupts } } as AgUiEvent,
      ],
    },
    {
      request: requestOf({ ...again, resume: [{ interruptId: 'r::k', status: 'resolved', payload: {} }] }),
      events: [{ ...started, ...again }, result('k', '{"paid":5}'), { ...finished, ...again }] as AgUiEvent[],
    },
  ])
  const toolCall = { id: 'k', function: { name: 'pay', arguments: '{"amount":5}' } }
  expect(ofKind(read, 'input-required')).toMatchObject([{ prompt: 'Sure?', metadata: { toolCall } }])
  expect(ofKind(read, 'tool-start')).toMatchObject([{ toolName: 'pay', arguments: { amount: 5 } }])
  expect(ofKind(read, 'tool-complete')).toMatchObject([{ result: { paid: 5 } }])
  expect([task?.status, codes]).toEqual(['completed', []])
})

it('gives a prompt to the run that answers it, and to no later one', () => {
  const said: AgUiMessage = { id: 'm', role: 'assistant', content: 'Sun.' }
  const second = (...messages: AgUiMessage[]): Run => ({
    request: requestOf({ ...again, messages }),
    events: [
      { ...started, ...again },
      { ...finished, ...again },
    ] as AgUiEvent[],
  })
  const inputs = (...runs: Run[]) =>
    ofKind(readRuns(runs).read, 'task-created').map((event) =>
      event.kind === 'task-created' ? event.metadata?.input : null,
    )
  const first: Run = { request: requestOf(), events: [started, ...text('m', 'Sun.'), finished] }
  expect(inputs(first, second(prompt, said))).toEqual([prompt.content, undefined])
  expect(inputs(first, second(prompt, said, { ...prompt, id: 'v' }))).toEqual([
    prompt.content,
    prompt.content,
  ])
  expect(inputs(second(prompt, said))).toEqual([prompt.content])
})

it('reports a run that ends without an end', () => {
  expect(readRun(text('m', 'Su'), requestOf()).codes).toEqual(['gap'])
  expect(readRun([...text('m', 'Sun.'), finished], requestOf()).codes).toEqual([])
})

it('reads arguments of parallel calls that come after their end', () => {
  const events = [
    ...[start('a'), end('a'), start('b'), args('a', '{"n":'), args('b', '{"n":')],
    ...[args('a', '1}'), args('b', '2}'), end('b'), result('b', 'B'), result('a', 'A'), finished],
  ]
  const { task, codes } = readRun(events, requestOf())
  expect(task?.parts).toMatchObject([
    { toolCallId: 'a', arguments: { n: 1 }, result: 'A' },
    { toolCallId: 'b', arguments: { n: 2 }, result: 'B' },
  ])
  expect(codes).toEqual([])
})

it('shows no text of an error to users, steps for the moment, and nothing of other systems', () => {
  const { read } = readRun(
    [
      { type: 'STEP_STARTED', stepName: 'chat' },
      { type: 'RAW', event: { secret: 1 } },
      { type: 'RUN_ERROR', message: 'Connect to db:secret@host failed.' },
    ],
    requestOf(),
  )
  expect(ofKind(read, 'custom')).toMatchObject([{ name: 'ag-ui.step', transient: true }])
  expect(read.at(-1)).toMatchObject({
    message: 'The agent failed.',
    error: { message: 'The agent failed.', details: { message: 'Connect to db:secret@host failed.' } },
  })
})

it('reports an interrupt that asks nothing', () => {
  const { task, codes } = readRun(
    [{ ...finished, outcome: { type: 'interrupt', interrupts: [] } }],
    requestOf(),
  )
  expect([task?.status, codes]).toEqual(['completed', ['inferred:task-status']])
})

describe('a request', () => {
  it.each([
    ['another thread', { threadId: 'other' }],
    ['another run', { runId: 'other' }],
  ])('of %s is reported, and not taken for that of the run', (_, more) => {
    const { task, codes } = readRun([finished], requestOf(more))
    expect(task?.input).toBeUndefined()
    expect(codes).toEqual(['lossy:request'])
  })

  const others = [{ ...started, threadId: 'other' }, ...text('x', 'Not yours.'), snapshot(prompt)]
  const own = [started, ...text('m', 'Sun.'), ...call('k', '{"a":1}'), result('k', '1'), finished]

  it.each<[how: string, end: AgUiEvent]>([
    ['its end', { ...finished, threadId: 'other' }],
    ['an error', { type: 'RUN_ERROR', message: 'Not yours.' }],
  ])('leaves out a run of another thread up to %s, wherever it comes', (_, end) => {
    const { read } = readRuns([{ request: requestOf(), events: own }])
    fc.assert(
      fc.property(fc.nat(own.length), shapedEvents, (at, more) => {
        const inner = more.filter(({ type }) => !type.startsWith('RUN_'))
        const events = [...own.slice(0, at), ...others, ...inner, end, ...own.slice(at)]
        const mixed = readRuns([{ request: requestOf(), events }])
        expect(mixed.read).toEqual(read)
        expect(mixed.codes).toEqual(['lossy:request'])
      }),
      { numRuns: runs(100) },
    )
  })

  it('shows nothing of a response that is of another thread, and then the next one', () => {
    const unfinished = { request: requestOf(), events: others }
    expect(readRuns([unfinished])).toMatchObject({ read: [], codes: ['lossy:request'] })
    const { read } = readRuns([{ request: requestOf(), events: own }])
    const both = readRuns([unfinished, { request: requestOf(), events: own }])
    expect(both).toMatchObject({ read, codes: ['lossy:request'] })
    const cut = [started, ...others, finished]
    expect(ofKind(readRuns([{ request: requestOf(), events: cut }]).read, 'task-complete')).toHaveLength(1)
  })

  it.each([
    ['the server names no thread', {}, ''],
    ['the request names none', { threadId: '' }, 't'],
  ])('shows a run if %s', (_, more, threadId) => {
    const ids = { threadId }
    const events = [{ ...started, ...ids }, ...text('m', 'Sun.'), { ...finished, ...ids }] as AgUiEvent[]
    const { task, codes } = readRuns([{ request: requestOf(more), events }])
    expect(task).toMatchObject({ input: prompt.content, parts: [{ text: 'Sun.' }] })
    expect(codes).toEqual([])
  })

  it('must be one', () => {
    const request = { threadId: 't', runId: 'r', messages: [null] } as never
    expect(() => fromAgUi({ request })).toThrow('"request" must be a RunAgentInput')
  })
})
