// Proves that a loop streams, asks, runs tools side by side and sends back what each provider needs.
import { type ContextAnyEvent, type EventDraft, run } from 'turnstream'
import { agentLoop, type Tool, type Turn } from 'turnstream/agents'
import { createCommand, type Sender } from 'turnstream/commands'
import { type Agent, memoryStore, runAgent, type Store } from 'turnstream/server'
import { verifier } from 'turnstream/streams'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { anyone } from '../support/anyone.ts'
import { chat, providers, type Said, scripted } from './models.ts'

const user: Sender = { role: 'user', id: 'ann' }
const stores: Store[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const store of stores.splice(0)) await store.close()
})

/** Runs an agent on one message, and returns what its stream has. */
async function served(agent: Agent, needsApproval?: (call: { toolName: string }) => boolean) {
  const store = memoryStore({ ...anyone, ...(needsApproval && { needsApproval }) })
  stores.push(store)
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  let done: Promise<void> | undefined
  const stream = await store.open('s', {
    onInput: (stream, input) => {
      done = runAgent(stream, input, agent, onError)
      return done.catch(onError)
    },
  })
  const send = async (input: string): Promise<string> => {
    const receipt = await stream.submit(createCommand({ kind: 'task.send', contextId: 'c', input }), user)
    return (receipt as { result?: { taskId?: string } }).result?.taskId ?? ''
  }
  const answer = async (approved: boolean): Promise<void> => {
    const [request] = await vi.waitUntil(async () => {
      const open = await stream.requests()
      return open.length > 0 && open
    })
    const outcome = approved ? 'answered' : 'declined'
    const responses = [{ inputId: request?.id ?? '', outcome } as const]
    await stream.submit(createCommand({ kind: 'input.respond', contextId: 'c', responses }), user)
  }
  return { stream, send, answer, errors, done: () => done, events: () => eventsIn(stream.log) }
}

async function eventsIn(log: { read(): Promise<unknown> }): Promise<ContextAnyEvent[]> {
  const part = (await log.read()) as { events: ContextAnyEvent[] }
  return part.events
}

/** The kinds, without what the reader of the model makes. */
function kindsOf(events: readonly { kind: string }[]): string[] {
  return events
    .map(({ kind }) => kind)
    .filter((kind) => /^(?:task|tool-start|tool-complete|input)/.test(kind))
}

function violations(events: readonly ContextAnyEvent[]): unknown[] {
  const checks = run(verifier({ mode: 'strict' }))
  return [...events.flatMap((event) => checks.push(event)), ...checks.end()]
}

const add = ({ a, b }: { a: number; b: number }): number => a + b
const calls = [
  { id: 'c-1', name: 'add', arguments: '{"a":1,"b":2}' },
  { id: 'c-2', name: 'add', arguments: '{"a":3,"b":4}' },
]
const twoCalls: Said = { thought: 'Add first.', text: 'One moment.', calls }
const answered: Said = { text: 'Done.' }
const signature = 'sealed Add first.'

/** What the second request has after the message of the user. */
const sentBack: Readonly<Record<string, unknown[]>> = {
  chat: [
    {
      ...{ role: 'assistant', content: 'One moment.', reasoning_content: 'Add first.' },
      tool_calls: calls.map(({ id, ...call }) => ({ id, type: 'function', function: call })),
    },
    { role: 'tool', tool_call_id: 'c-1', content: '3' },
    { role: 'tool', tool_call_id: 'c-2', content: '7' },
  ],
  responses: [
    { type: 'reasoning', encrypted_content: signature, summary: [{ text: 'Add first.' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One moment.' }] },
    ...calls.map(({ id, ...call }) => ({ type: 'function_call', call_id: id, ...call })),
    { type: 'function_call_output', call_id: 'c-1', output: '3' },
    { type: 'function_call_output', call_id: 'c-2', output: '7' },
  ],
  messages: [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Add first.', signature },
        { type: 'text', text: 'One moment.' },
        { type: 'tool_use', id: 'c-1', name: 'add', input: { a: 1, b: 2 } },
        { type: 'tool_use', id: 'c-2', name: 'add', input: { a: 3, b: 4 } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c-1', content: '3' },
        { type: 'tool_result', tool_use_id: 'c-2', content: '7' },
      ],
    },
  ],
  gemini: [
    {
      role: 'model',
      parts: [
        { text: 'Add first.', thought: true },
        { text: 'One moment.' },
        { functionCall: { id: 'c-1', name: 'add', args: { a: 1, b: 2 } }, thoughtSignature: signature },
        { functionCall: { id: 'c-2', name: 'add', args: { a: 3, b: 4 } }, thoughtSignature: signature },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'c-1', name: 'add', response: { output: 3 } } },
        { functionResponse: { id: 'c-2', name: 'add', response: { output: 7 } } },
      ],
    },
  ],
}

describe.each(providers)('$name', (provider) => {
  it('runs the calls, sends their results back and ends with the answer', async () => {
    const { model, requests } = scripted(provider, [twoCalls, answered])
    const agent: Agent = (task) => agentLoop(task, { format: provider.format, model, tools: { add } })
    const { send, done, events, errors } = await served(agent)
    await send('Add!')
    await done()
    const all = await events()
    expect(errors).toEqual([])
    expect(violations(all)).toEqual([])
    expect(kindsOf(all)).toEqual([
      ...['task-created', 'task-status', 'tool-start', 'tool-start', 'tool-complete', 'tool-complete'],
      ...['task-complete', 'task-status'],
    ])
    expect(all.find(({ kind }) => kind === 'task-complete')).toMatchObject({
      metadata: { iterations: 2, usage: [{ inputTokens: 6, outputTokens: 4 }] },
    })
    expect(requests).toHaveLength(2)
    expect(requests[1]?.slice(1)).toMatchObject(sentBack[provider.name] ?? [])
  })

  it('sends earlier turns back exactly, in the next task as in the first', async () => {
    const { model, requests } = scripted(provider, [twoCalls, answered, answered])
    const agent: Agent = (task) => agentLoop(task, { format: provider.format, model, tools: { add } })
    const { send, done } = await served(agent)
    await send('Add!')
    await done()
    await send('Again!')
    await done()
    const [, second = [], third = []] = requests
    expect(third.slice(0, second.length)).toEqual(second)
    expect(JSON.stringify(third)).toContain('Done.')
    expect(JSON.stringify(third.at(-1))).toContain('Again!')
  })

  it('reads the error of a response, and of a model that throws', async () => {
    for (const model of [
      scripted(provider, [{ text: 'Half', isCut: true }]).model,
      () => Promise.reject(new SyntaxError(`Unexpected token '<', "<html>" is not valid JSON`)),
      () => ['<!doctype html><html>Bad gateway</html>'],
      () => undefined as never,
    ]) {
      const agent: Agent = (task) => agentLoop(task, { format: provider.format, model })
      const { send, done, events } = await served(agent)
      await send('Hello?')
      await done()
      const all = await events()
      expect(all.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
      expect(violations(all)).toEqual([])
      expect(JSON.stringify(all)).not.toContain('html')
    }
  })
})

describe('approvals', () => {
  const needsApproval = ({ toolName }: { toolName: string }): boolean => toolName === 'add'

  it('asks about all calls of a response, runs those that were approved and tells the model of the others', async () => {
    const { model, requests } = scripted(chat, [twoCalls, answered])
    const ran: unknown[] = []
    const tools = { add: (args: { a: number; b: number }) => ran.push(args) && add(args) }
    const agent: Agent = (task) => agentLoop(task, { format: chat.format, model, tools })
    const { send, answer, done, events } = await served(agent, needsApproval)
    await send('Add!')
    await answer(false)
    expect(ran).toEqual([])
    await answer(true)
    await done()
    expect(ran).toEqual([{ a: 3, b: 4 }])
    const all = await events()
    expect(violations(all)).toEqual([])
    expect(kindsOf(all)).toEqual([
      ...['task-created', 'task-status', 'input-required', 'input-required', 'task-status'],
      ...['input-received', 'input-received', 'task-status', 'tool-complete', 'tool-start', 'tool-complete'],
      ...['task-complete', 'task-status'],
    ])
    expect(requests[1]?.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c-1', content: 'permission_denied: The call was declined.' },
      { role: 'tool', tool_call_id: 'c-2', content: '7' },
    ])
  })

  it('asks about none if the store names none', async () => {
    const { model } = scripted(chat, [twoCalls, answered])
    const { send, done, events } = await served((task) =>
      agentLoop(task, { format: chat.format, model, tools: { add } }),
    )
    await send('Add!')
    await done()
    expect(kindsOf(await events())).not.toContain('input-required')
  })
})

it.each(providers)(
  '$name continues a task of another provider, and reports once what that loses',
  async (provider) => {
    const blocks = { format: 'another', content: [{ type: 'sealed' }], providerOnly: ['sealed'] }
    const call = {
      toolCallId: 'c-1',
      toolName: 'add',
      arguments: '{"a":1,"b":2}',
      status: 'complete',
    } as const
    const turns: Turn[] = [
      { role: 'user', content: 'Add!' },
      { role: 'assistant', text: '', calls: [call], ...blocks },
    ]
    const { model, requests } = scripted(provider, [{ calls: calls.slice(1) }, answered])
    const reported: string[] = []
    const approve = async function* (): AsyncGenerator<never, readonly never[]> {
      yield* []
      return []
    }
    const task = { turns, signal: new AbortController().signal, approve }
    const options = { format: provider.format, model, tools: { add } }
    const onDiagnostic = ({ code }: { code: string }): void => void reported.push(code)
    const drafts: EventDraft[] = []
    for await (const draft of agentLoop(task, { ...options, onDiagnostic })) drafts.push(draft)
    expect(drafts.at(-1)).toMatchObject({ kind: 'task-complete' })
    expect(requests.map((sent) => /c-1/.test(JSON.stringify(sent)))).toEqual([true, true])
    expect(reported).toEqual(['lossy:content'])
  },
)

describe('limits', () => {
  it('stops after maxTurns responses', async () => {
    const { model, requests } = scripted(
      chat,
      Array.from({ length: 5 }, () => twoCalls),
    )
    const { send, done, events } = await served((task) =>
      agentLoop(task, { format: chat.format, model, tools: { add }, maxTurns: 3 }),
    )
    await send('Add!')
    await done()
    const all = await events()
    expect(requests).toHaveLength(3)
    expect(all.at(-1)).toMatchObject({ status: 'failed', error: { code: 'budget_exhausted' } })
    // The model gave each response the same ids.
    expect(violations(all)).toEqual([])
    const started = all.flatMap((event) => (event.kind === 'tool-start' ? [event.toolCallId] : []))
    expect(new Set(started).size).toBe(6)
    expect(
      requests[2]?.map((each) => (each as { tool_call_id?: string }).tool_call_id).filter(Boolean),
    ).toEqual([...['c-1', 'c-2', 'c-1', 'c-2']])
  })

  it('stops as soon as a client cancels the task, whatever the model and the tools do', async () => {
    const hang = (): Promise<never> => new Promise(() => {})
    const signals: AbortSignal[] = []
    const keep = (signal: AbortSignal): true => Boolean(signals.push(signal)) as true
    const stopped = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    for (const [model, tools] of [
      [(_: unknown, signal: AbortSignal) => keep(signal) && hang(), {}],
      [
        scripted(chat, [twoCalls]).model,
        { add: (_: unknown, call: { signal: AbortSignal }) => keep(call.signal) && hang() },
      ],
      [(_: unknown, signal: AbortSignal) => keep(signal) && stopped(signal), {}],
      [
        scripted(chat, [twoCalls]).model,
        { add: (_: unknown, call: { signal: AbortSignal }) => keep(call.signal) && stopped(call.signal) },
      ],
    ] as const) {
      const { send, done, stream, events, errors } = await served((task) =>
        agentLoop(task, { format: chat.format, model, tools }),
      )
      const before = signals.length
      await send('Wait!')
      await vi.waitUntil(() => signals.length > before)
      await stream.submit(createCommand({ kind: 'task.cancel', contextId: 'c' }), user)
      await done()
      const all = await events()
      expect(all.at(-1)).toMatchObject({ kind: 'task-status', status: 'canceled' })
      expect([violations(all), errors]).toEqual([[], []])
    }
    expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => true))
  })

  it('gives up on a model that is silent', async () => {
    const { send, done, events } = await served((task) =>
      agentLoop(task, { format: chat.format, model: () => new Promise<never>(() => {}), modelTimeoutMs: 5 }),
    )
    await send('Hello?')
    await done()
    expect((await events()).at(-1)).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
  })
})

describe('tools', () => {
  const secret = 'postgres://root:hunter2@db'
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  const unknownTool = [{ id: 'c-1', name: 'subtract', arguments: '{"a":1}' }]
  const noJson = [{ id: 'c-1', name: 'add', arguments: '{"a":1,' }]

  it.each<[string, Tool, Said, string, string]>([
    [
      'throws',
      () => Promise.reject(new Error(secret)),
      { calls: calls.slice(0, 1) },
      'tool_failed',
      'The tool failed.',
    ],
    [
      'throws no error',
      () => Promise.reject(undefined),
      { calls: calls.slice(0, 1) },
      'tool_failed',
      'The tool failed.',
    ],
    [
      'hangs',
      () => new Promise(() => {}),
      { calls: calls.slice(0, 1) },
      'timeout',
      'The tool did not answer in time.',
    ],
    [
      'returns a cycle',
      () => cycle,
      { calls: calls.slice(0, 1) },
      'tool_failed',
      'The tool returned a value that JSON cannot represent.',
    ],
    [
      'returns a bigint',
      () => 1n,
      { calls: calls.slice(0, 1) },
      'tool_failed',
      'The tool returned a value that JSON cannot represent.',
    ],
    [
      'returns too much',
      () => 'x'.repeat(999),
      { calls: calls.slice(0, 1) },
      'tool_failed',
      'The tool returned 1001 characters of JSON, more than 1000.',
    ],
    ['is unknown', () => 1, { calls: unknownTool }, 'not_found', 'There is no tool with this name.'],
    [
      'gets no JSON',
      () => 1,
      { calls: noJson },
      'invalid_request',
      'Expected arguments that are a JSON object, got incomplete ones.',
    ],
  ])(
    'tells the model and the page of a tool that %s, without details',
    async (_, tool, said, code, sentence) => {
      const { model, requests } = scripted(chat, [said, answered])
      const { send, done, events, errors } = await served((task) =>
        agentLoop(task, {
          ...{ format: chat.format, model, tools: { add: tool } },
          ...{ toolTimeoutMs: 5, maxResultLength: 1000 },
        }),
      )
      await send('Add!')
      await done()
      const all = await events()
      expect(requests[1]?.at(-1)).toMatchObject({ role: 'tool', content: `${code}: ${sentence}` })
      expect(all.at(-1)).toMatchObject({ status: 'completed' })
      expect(all.filter(({ kind }) => kind === 'tool-complete')).toMatchObject([{ success: false }])
      expect(violations(all)).toEqual([])
      expect(JSON.stringify(all)).not.toContain(secret)
      if (tool.toString().includes('secret')) expect(errors).toMatchObject([{ message: secret }])
    },
  )

  it('reports what a response states of its error', async () => {
    const model = (): object[] => [{ error: { message: `${secret} quota`, code: 'insufficient_quota' } }]
    const { send, done, events, errors } = await served((task) =>
      agentLoop(task, { format: chat.format, model: model as never }),
    )
    await send('Hello?')
    await done()
    expect(errors).toMatchObject([{ name: 'ModelError', message: `${secret} quota` }])
    expect(JSON.stringify(await events())).not.toContain(secret)
    const error = { code: 'x-quota', message: 'Come back tomorrow.', retry: 'retryable' } as const
    const other = await served((task) =>
      agentLoop(task, { format: chat.format, model: model as never, onError: () => error }),
    )
    await other.send('Hello?')
    await other.done()
    const all = await other.events()
    expect(all.find(({ kind }) => kind === 'task-error')).toMatchObject({ error })
    expect(all.at(-1)).toMatchObject({ status: 'failed', error })
  })

  it.each([
    ['a cycle', () => cycle],
    ['a bigint', () => 1n],
    ['a toJSON that throws', () => ({ toJSON: () => JSON.parse('{') })],
    ['a function', () => () => {}],
  ])('reports a result that is %s', async (_, tool) => {
    const { model, requests } = scripted(chat, [{ calls: calls.slice(0, 1) }, answered])
    const { send, done, errors } = await served((task) =>
      agentLoop(task, { format: chat.format, model, tools: { add: tool } }),
    )
    await send('Add!')
    await done()
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('"add"') })])
    expect(JSON.stringify(requests[1])).toContain('JSON cannot represent')
  })

  it('fails if the model calls tools without a name, and continues if it calls others as well', async () => {
    const nameless = [{ id: 'c-9', name: '', arguments: '{}' }]
    const only = scripted(chat, [{ calls: nameless }, answered])
    const { send, done, events, errors } = await served((task) =>
      agentLoop(task, { format: chat.format, model: only.model, tools: { add: () => 1 } }),
    )
    await send('Add!')
    await done()
    const all = await events()
    expect(all.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
    expect(JSON.stringify(all)).toContain('names no tool')
    expect(JSON.stringify(all)).not.toContain('not a JSON object')
    expect(errors).toHaveLength(1)
    const both = scripted(chat, [{ calls: [...nameless, ...calls.slice(0, 1)] }, answered])
    const other = await served((task) =>
      agentLoop(task, { format: chat.format, model: both.model, tools: { add: () => 1 } }),
    )
    await other.send('Add!')
    await other.done()
    expect((await other.events()).at(-1)).toMatchObject({ status: 'completed' })
  })

  it('names what is expected of a model that returns the response of a request', async () => {
    const { send, done, events, errors } = await served((task) =>
      agentLoop(task, { format: chat.format, model: (() => new Response('data: {}')) as never }),
    )
    await send('Add!')
    await done()
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('jsonDecoder()') })])
    expect((await events()).at(-1)).toMatchObject({ status: 'failed' })
  })

  it('tells them what the application says of an error', async () => {
    const { model, requests } = scripted(chat, [{ calls: calls.slice(0, 1) }, answered])
    const error = { code: 'x-closed', message: 'The bank is closed.', retry: 'retryable' } as const
    const { send, done, events } = await served((task) =>
      agentLoop(task, {
        format: chat.format,
        model,
        tools: { add: () => Promise.reject(new Error(secret)) },
        onError: () => error,
      }),
    )
    await send('Add!')
    await done()
    expect(requests[1]?.at(-1)).toMatchObject({ content: 'x-closed: The bank is closed.' })
    expect((await events()).find(({ kind }) => kind === 'task-error')).toMatchObject({
      error: { ...error, scope: 'tool', toolCallId: 'c-1' },
    })
  })

  it('shows progress, and the results as they come', async () => {
    const { model } = scripted(chat, [twoCalls, answered])
    const tools = {
      async add({ a }: { a: number }, { progress }: { progress(value: number, message?: string): void }) {
        progress(0.5, 'Half.')
        progress(0.25)
        progress(Number.NaN)
        if (a === 1) await new Promise((resolve) => setTimeout(resolve, 5))
        return a
      },
    }
    const { send, done, events } = await served((task) =>
      agentLoop(task, { format: chat.format, model, tools }),
    )
    await send('Add!')
    await done()
    const all = await events()
    expect(violations(all)).toEqual([])
    expect(all.filter(({ kind }) => kind === 'tool-progress')).toMatchObject([
      { progress: 0.5 },
      { progress: 0.5 },
    ])
    const ended = all.flatMap((event) => (event.kind === 'tool-complete' ? [event.toolCallId] : []))
    expect(ended).toEqual(['c-2', 'c-1'])
  })
})

it('keeps turns from users', async () => {
  const { model } = scripted(chat, [twoCalls, answered])
  const { send, done, stream, events } = await served((task) =>
    agentLoop(task, { format: chat.format, model, tools: { add } }),
  )
  await send('Add!')
  await done()
  expect((await events()).filter(({ kind }) => kind === 'internal:checkpoint')).toHaveLength(4)
  await stream.close()
  const response = stream.respond(null, { viewer: { audience: 'user' } })
  const text = await new Response(response.body).text()
  expect(text).toContain('Done.')
  expect(text).not.toContain('checkpoint')
})
