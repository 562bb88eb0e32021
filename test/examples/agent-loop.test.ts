// Proves that the agents of the examples produce legal tasks, whatever the model, the tools and the user do. The SDKs are
// the real ones, pointed at a server on this computer.
import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { type ContextAnyEvent, createEmitter } from 'turnstream'
import { encodeMessage } from 'turnstream/sse'
import { afterEach, describe, expect, it } from 'vitest'
import { anthropicAgent } from '../../examples/agent-loop/anthropic.ts'
import { openaiAgent } from '../../examples/agent-loop/openai.ts'
import type { AgentOptions, Tool } from '../../examples/agent-loop/options.ts'
import { recordingOf } from '../../examples/recording.ts'
import { violationsOf } from '../support/providers/agent-loop.ts'
import { type ModelReply, type ModelServer, modelServer } from '../support/providers/model-server.ts'

/** What the model writes. */
interface Script {
  readonly text?: string
  readonly thought?: string
  /** Id, name and JSON text of each call. */
  readonly calls?: readonly (readonly [id: string, name: string, json: string])[]
  readonly reason?: 'stop' | 'limit'
}

interface Provider {
  readonly name: 'openai' | 'anthropic'
  /** The body of a response. */
  readonly bodyOf: (script: Script) => string
  readonly overloaded: string
  /** Runs the agent against a server. */
  readonly run: (url: string, options: AgentOptions) => AsyncIterable<ContextAnyEvent>
}

const encoded = (chunks: readonly (object | string)[]): string =>
  chunks
    .map((chunk) => {
      const data = typeof chunk === 'string' ? chunk : JSON.stringify(chunk)
      const event = typeof chunk === 'object' && 'type' in chunk ? { event: String(chunk.type) } : {}
      return encodeMessage({ data, ...event })
    })
    .join('')

const cutInHalves = (json: string): string[] => [json.slice(0, 3), json.slice(3)]

const openai: Provider = {
  name: 'openai',
  bodyOf({ text = '', thought = '', calls = [], reason = 'stop' }) {
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      id: 'chat-1',
      model: 'm-1',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const end = reason === 'limit' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
    return encoded([
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning: thought }),
      chunk({ content: text }),
      ...calls.flatMap(([id, name, json], index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...cutInHalves(json).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, end),
      { choices: [], usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } },
      '[DONE]',
    ])
  },
  overloaded: encoded([{ error: { code: 529, message: 'Overloaded' } }]),
  run(url, options) {
    const client = new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 0 })
    return openaiAgent(client, [{ role: 'user', content: 'Go.' }], options)
  },
}

const anthropic: Provider = {
  name: 'anthropic',
  bodyOf({ text = '', thought = '', calls = [], reason = 'stop' }) {
    const blocks: [start: object, deltas: object[]][] = []
    if (thought !== '') {
      blocks.push([
        { type: 'thinking', thinking: '', signature: '' },
        [
          { type: 'thinking_delta', thinking: thought },
          { type: 'signature_delta', signature: 'c2ln' },
        ],
      ])
    }
    if (text !== '') blocks.push([{ type: 'text', text: '' }, [{ type: 'text_delta', text }]])
    for (const [id, name, json] of calls) {
      const pieces = cutInHalves(json).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      blocks.push([{ type: 'tool_use', id, name, input: {} }, pieces])
    }
    const end = reason === 'limit' ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn'
    const usage = { input_tokens: 10, output_tokens: 1 }
    return encoded([
      { type: 'message_start', message: { id: 'msg-1', model: 'm-1', content: [], usage } },
      ...blocks.flatMap(([start, deltas], index) => [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: end }, usage: { output_tokens: 4 } },
      { type: 'message_stop' },
    ])
  },
  overloaded: encoded([{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }]),
  run(url, options) {
    const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 })
    return anthropicAgent(client, [{ role: 'user', content: 'Go.' }], options)
  },
}

const done: Script = { text: 'Done.' }
const parameters = { type: 'object', properties: {} } as const
const tool = (run: Tool['run'], needsApproval = false): Tool => ({
  description: 'A tool.',
  parameters,
  needsApproval,
  run,
})

let server: ModelServer | undefined
afterEach(() => server?.close())

describe.each([openai, anthropic])('the agent of $name', (provider) => {
  const { bodyOf } = provider
  const replyOf = (script: Script): ModelReply => ({ body: bodyOf(script) })

  /** Runs the agent to its end, and returns its events: they are legal. */
  async function eventsOf(
    replies: readonly ModelReply[],
    tools: Readonly<Record<string, Tool>> = {},
    options: Partial<AgentOptions> = {},
    onEvent: (event: ContextAnyEvent) => void = () => {},
  ): Promise<ContextAnyEvent[]> {
    server = await modelServer(replies)
    let count = 0
    const emitter = createEmitter({
      contextId: 'ctx-1',
      taskId: 'task-1',
      now: () => Date.UTC(2026, 0) + count++,
      newId: () => `id-${count++}`,
    })
    const events: ContextAnyEvent[] = []
    const agent = provider.run(server.url, {
      model: 'm-1',
      tools,
      emitter,
      signal: new AbortController().signal,
      approve: async () => ({ approved: true, userId: 'ann' }),
      retryDelay: 1,
      ...options,
    })
    for await (const event of agent) {
      events.push(event)
      onEvent(event)
    }
    expect(violationsOf(events)).toEqual([])
    return events
  }

  const kindsOf = (events: readonly ContextAnyEvent[]): string[] => events.map(({ kind }) => kind)
  type EventOf<K> = Extract<ContextAnyEvent, { kind: K }>
  const find = <K extends ContextAnyEvent['kind']>(
    events: readonly ContextAnyEvent[],
    kind: K,
  ): EventOf<K>[] => events.filter((event): event is EventOf<K> => event.kind === kind)

  const messages = (): { content: unknown }[] => {
    return (server?.requests.at(-1)?.messages ?? []) as { content: unknown }[]
  }

  /** What the model was told about its calls. */
  const told = (): string => JSON.stringify(messages().slice(2))

  it('fits in 60 lines', () => {
    const source = readFileSync(`examples/agent-loop/${provider.name}.ts`, 'utf8')
    expect(source.trim().split('\n').length).toBeLessThanOrEqual(60)
  })

  it('runs the calls side by side, gives the results to the model, and adds up the tokens', async () => {
    let isWaiting = false
    const tools = {
      wait: tool(async ({ n }) => {
        await expect.poll(() => isWaiting).toBe(true)
        return { n }
      }),
      look: tool(async () => {
        isWaiting = true
      }),
    }
    const calls = [
      ['call-1', 'wait', '{"n":1}'],
      ['call-2', 'look', '{}'],
    ] as const
    const events = await eventsOf(
      [replyOf({ thought: 'Hm.', text: 'Let me see.', calls }), replyOf(done)],
      tools,
    )
    expect(find(events, 'tool-complete').map(({ toolCallId, result }) => [toolCallId, result])).toEqual([
      ['call-1', { n: 1 }],
      ['call-2', null],
    ])
    expect(told()).toContain(JSON.stringify('{"n":1}'))
    expect(find(events, 'content-complete').map(({ content }) => content)).toEqual(['Let me see.', 'Done.'])
    expect(find(events, 'internal:llm-call').map(({ iteration }) => iteration)).toEqual([0, 1])
    expect(find(events, 'task-complete')[0]?.metadata?.usage).toMatchObject([
      { model: 'm-1', inputTokens: 20, outputTokens: 8 },
    ])
  })

  it('runs on the recording of the provider', async () => {
    const recording = readFileSync(recordingOf(provider.name))
    const tides = tool(async ({ port }) => ({ port, high: '06:12' }))
    const events = await eventsOf([{ body: recording }, replyOf(done)], {
      get_tides: tides,
      boat_profile: tool(async () => ({ draught: 1.8 })),
      current_berth: tool(async () => 'A4'),
    })
    expect(find(events, 'tool-start')).toHaveLength(2)
    expect(find(events, 'tool-complete').filter(({ success }) => success)).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ status: 'completed' })
  })

  it('sends the thoughts with their signatures back, if the provider signs them', async () => {
    const calls = [['call-1', 'look', '{}']] as const
    await eventsOf([replyOf({ thought: 'Hm.', calls }), replyOf(done)], { look: tool(async () => 1) })
    const [, assistant] = messages()
    if (provider === anthropic) {
      expect(assistant?.content).toContainEqual({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' })
    } else expect(assistant?.content).toBe('')
  })

  it.each([
    ['unknown tools', ['call-1', 'nothing', '{"a":1}'], 'Unknown tool nothing.'],
    ['unknown tools without arguments', ['call-1', 'nothing', ''], 'Unknown tool nothing.'],
    ['names of own fields of objects', ['call-1', 'toString', '{}'], 'Unknown tool toString.'],
    ['arguments that are not JSON', ['call-1', 'look', '{"a":x}'], 'The arguments are invalid.'],
    ['arguments that are no object', ['call-1', 'look', '[1, 2]'], 'The arguments are invalid.'],
  ] as const)('tells the model about %s, and starts nothing', async (_, call, message) => {
    const look = tool(async () => expect.unreachable())
    const events = await eventsOf([replyOf({ calls: [call] }), replyOf(done)], { look })
    expect(kindsOf(events)).not.toContain('tool-start')
    expect(told()).toContain(message)
    expect(events.at(-1)).toMatchObject({ status: 'completed' })
  })

  it('tells the model about a call that the token limit cut off', async () => {
    const calls = [
      ['call-1', 'look', '{"a":1}'],
      ['call-2', 'look', '{"a":'],
    ] as const
    const events = await eventsOf([replyOf({ calls, reason: 'limit' }), replyOf(done)], {
      look: tool(async () => 1),
    })
    expect(find(events, 'tool-start').map(({ toolCallId }) => toolCallId)).toEqual(['call-1'])
    expect(told()).toContain('The arguments are incomplete.')
  })

  it('maps a mixed response: thoughts, text, two calls, one that the token limit cut off, and usage', async () => {
    const calls = [
      ['call-1', 'tides', '{"port":"Brest"}'],
      ['call-2', 'wind', '{"port":"Brest"}'],
      ['call-3', 'tides', '{"port":"Le C'],
    ] as const
    const mixed: Script = { thought: 'Both at once.', text: 'Let me look.', calls, reason: 'limit' }
    const events = await eventsOf([replyOf(mixed), replyOf(done)], {
      tides: tool(async ({ port }) => ({ port, high: '06:12' })),
      wind: tool(async () => 4),
    })
    expect(find(events, 'thought-stream').map(({ content }) => content)).toEqual(['Both at once.'])
    const [first, last] = find(events, 'content-complete')
    expect(first).toMatchObject({
      content: 'Let me look.',
      finishReason: provider === anthropic ? 'max_tokens' : 'length',
      metadata: { usage: [{ model: 'm-1', inputTokens: 10, outputTokens: 4 }] },
    })
    expect(last).toMatchObject({ content: 'Done.' })
    expect(find(events, 'tool-start').map(({ toolCallId }) => toolCallId)).toEqual(['call-1', 'call-2'])
    // The call that was cut off fails before the others run.
    expect(find(events, 'tool-complete').map(({ toolCallId, success }) => [toolCallId, success])).toEqual([
      ['call-3', false],
      ['call-1', true],
      ['call-2', true],
    ])
    expect(find(events, 'task-error')).toMatchObject([{ error: { scope: 'tool', toolCallId: 'call-3' } }])
    expect(told()).toContain('The arguments are incomplete.')
    expect(find(events, 'task-complete')[0]?.metadata?.usage).toMatchObject([
      { inputTokens: 20, outputTokens: 8 },
    ])
  })

  it.each<[what: string, run: Tool['run'], message: string]>([
    ['throws', () => Promise.reject(new Error('No wind.')), 'No wind.'],
    [
      'throws at once',
      () => {
        throw new Error('No wind.')
      },
      'No wind.',
    ],
    ['throws a text', () => Promise.reject('No wind.'), 'No wind.'],
    ['returns what is not JSON', async () => 1n, 'BigInt'],
  ])('tells the model that a tool %s', async (_, run, message) => {
    const calls = [['call-1', 'look', '{}']] as const
    const events = await eventsOf([replyOf({ calls }), replyOf(done)], { look: tool(run) })
    expect(find(events, 'tool-complete')).toMatchObject([
      { success: false, error: expect.stringContaining(message) },
    ])
    expect(told()).toContain(message)
  })

  it('asks before tools that need it, and waits meanwhile', async () => {
    const calls = [
      ['call-1', 'write', '{"a":1}'],
      ['call-2', 'write', '{"a":2}'],
    ] as const
    const written: unknown[] = []
    const write = tool(async ({ a }) => written.push(a), true)
    const events = await eventsOf(
      [replyOf({ calls }), replyOf(done)],
      { write },
      {
        approve: async ({ toolCallId }) => ({ approved: toolCallId === 'call-2', userId: 'ann' }),
      },
    )
    expect(written).toEqual([2])
    expect(find(events, 'input-received').map(({ outcome, userId }) => [outcome, userId])).toEqual([
      ['declined', 'ann'],
      ['answered', 'ann'],
    ])
    expect(find(events, 'task-status').map(({ status }) => status)).toEqual([
      'working',
      'waiting-input',
      'working',
      'waiting-input',
      'working',
      'completed',
    ])
    expect(told()).toContain('The user declined.')
  })

  it.each([
    ['states an error in the stream', (): ModelReply => ({ body: provider.overloaded }), 'overloaded'],
    [
      'answers with a status',
      (): ModelReply => ({ status: 503, body: '{"error":{"message":"No."}}' }),
      'unavailable',
    ],
    [
      'breaks off',
      (i: number): ModelReply => ({
        body: bodyOf({ text: 'Let me', calls: [[`call-${i}`, 'look', '{"a":1}']] }).slice(0, -200),
        after: 'cut',
      }),
      'unavailable',
    ],
    [
      'ends early',
      (i: number): ModelReply => ({
        body: bodyOf({ text: 'Let me', calls: [[`call-${i}`, 'look', '{"a":1}']] }).slice(0, -300),
      }),
      'provider_error',
    ],
    ['sends nothing', (): ModelReply => ({ body: '' }), 'provider_error'],
  ])('calls the model again if it %s, and gives up in the end', async (_, failing, code) => {
    const look = tool(async () => expect.unreachable())
    const recovered = await eventsOf([failing(0), replyOf(done)], { look })
    expect(recovered.at(-1)).toMatchObject({ status: 'completed' })
    server?.close()

    const events = await eventsOf([failing(0), failing(1), failing(2)], { look })
    expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code, retry: 'exhausted' } })
    expect(server?.requests).toHaveLength(3)
  })

  it.each([400, 401, 403, 404])('fails at once on the status %i', async (status) => {
    const events = await eventsOf([{ status, body: '{"error":{"message":"No."}}' }])
    expect(events.at(-1)).toMatchObject({ status: 'failed', error: { retry: 'terminal' } })
    expect(server?.requests).toHaveLength(1)
  })

  it('fails after too many responses', async () => {
    const look = tool(async () => 1)
    const reply = (i: number): ModelReply => replyOf({ calls: [[`call-${i}`, 'look', '{"a":1}']] })
    const events = await eventsOf([reply(1), reply(2), reply(3)], { look }, { maxIterations: 2 })
    expect(find(events, 'tool-start')).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'budget_exhausted' } })
  })

  describe('when it is aborted', () => {
    const aborting = (
      replies: readonly ModelReply[],
      tools: Readonly<Record<string, Tool>>,
      isMoment: (event: ContextAnyEvent) => boolean,
      options: Partial<AgentOptions> = {},
    ): Promise<ContextAnyEvent[]> => {
      const controller = new AbortController()
      return eventsOf(replies, tools, { signal: controller.signal, ...options }, (event) => {
        if (isMoment(event)) controller.abort()
      })
    }
    const waiting = (_: unknown, signal: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason)
        else signal.addEventListener('abort', () => reject(signal.reason))
      })
    const calls = [
      ['call-1', 'look', '{"a":1}'],
      ['call-2', 'look', '{"a":2}'],
    ] as const

    it('stops the model', async () => {
      const body = bodyOf({ thought: 'Hm.', text: 'Let me', calls }).slice(0, -250)
      const events = await aborting([{ body, after: 'hang' }], {}, ({ kind }) => kind === 'content-delta')
      expect(events.at(-1)).toMatchObject({ status: 'canceled' })
      expect(find(events, 'content-complete')).toMatchObject([{ content: 'Let me', finishReason: 'abort' }])
      await server?.left
    })

    it('stops before the model is called', async () => {
      const events = await aborting([replyOf(done)], {}, ({ kind }) => kind === 'task-created')
      expect(kindsOf(events)).toEqual(['task-created', 'task-status', 'task-status'])
      expect(server?.requests).toEqual([])
    })

    it('stops the tools', async () => {
      const events = await aborting(
        [replyOf({ calls })],
        { look: tool(waiting) },
        ({ kind }) => kind === 'tool-start',
      )
      expect(find(events, 'tool-complete').map(({ success }) => success)).toEqual([false, false])
      expect(events.at(-1)).toMatchObject({ status: 'canceled' })
    })

    it('withdraws its question', async () => {
      const look = tool(async () => expect.unreachable(), true)
      const events = await aborting([replyOf({ calls })], { look }, ({ kind }) => kind === 'input-required', {
        approve: waiting,
      })
      expect(find(events, 'input-canceled')).toMatchObject([{ reason: 'withdrawn' }])
      expect(events.at(-1)).toMatchObject({ status: 'canceled' })
    })

    it('does not wait for the next attempt', async () => {
      const events = await aborting(
        [{ body: provider.overloaded }],
        {},
        ({ kind }) => kind === 'task-error',
        {
          retryDelay: 3_600_000,
        },
      )
      expect(events.at(-1)).toMatchObject({ status: 'canceled' })
    })
  })

  if (provider === anthropic) {
    it('sends a response that pauses back as it is, and goes on', async () => {
      const search = { type: 'server_tool_use', id: 'search-1', name: 'web_search' }
      const found = [{ type: 'web_search_result', url: 'https://a.example', title: 'A' }]
      const result = { type: 'web_search_tool_result', tool_use_id: 'search-1', content: found }
      const message = (
        stop_reason: string,
        ...blocks: [start: object, ...deltas: object[]][]
      ): ModelReply => ({
        body: encoded([
          { type: 'message_start', message: { id: 'msg-1', model: 'm-1', content: [] } },
          ...blocks.flatMap(([start, ...deltas], index) => [
            { type: 'content_block_start', index, content_block: start },
            ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
            { type: 'content_block_stop', index },
          ]),
          { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 4 } },
          { type: 'message_stop' },
        ]),
      })
      const pause = message(
        'pause_turn',
        [
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'Hm.' },
          { type: 'signature_delta', signature: 'c2ln' },
        ],
        [
          { ...search, input: {} },
          { type: 'input_json_delta', partial_json: '{"query":"tide"}' },
        ],
      )
      const rest = message(
        'end_turn',
        [result],
        [
          { type: 'text', text: '' },
          { type: 'text_delta', text: 'At 6.' },
        ],
      )
      const events = await eventsOf([pause, rest])

      expect(server?.requests).toHaveLength(2)
      expect(messages().slice(1)).toEqual([
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            { ...search, input: { query: 'tide' } },
          ],
        },
      ])
      expect(find(events, 'content-complete').at(-1)).toMatchObject({
        content: 'At 6.',
        finishReason: 'end_turn',
      })
      expect(find(events, 'tool-complete').map(({ success, result }) => [success, result])).toEqual([
        [false, undefined],
        [true, found],
      ])
      expect(events.at(-1)).toMatchObject({ status: 'completed' })
    })
  }
})
