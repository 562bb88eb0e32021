// Proves what openaiChat makes of the streams of OpenAI and of the servers that speak its dialects.

import type { EventDraft } from 'turnstream'
import { type OpenaiChatChunk, openaiChat } from 'turnstream/providers'
import { thoughtEvents } from 'turnstream/thoughts'
import { describe, expect, it } from 'vitest'
import type { ModelOptions } from '../../../src/providers/shared/options.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'

const base = { id: 'chat-1', object: 'chat.completion.chunk', model: 'm-1' }

/** A chunk that adds to the message, and may end it. */
const add = (delta: object, finish_reason: string | null = null): OpenaiChatChunk => ({
  ...base,
  choices: [{ index: 0, delta, finish_reason }],
})
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
const tokens = { inputTokens: 5, outputTokens: 3, totalTokens: 8 }
const call = (index: number, id: string, name: string, args: string): object => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
})

/** Reads chunks; an agent makes a legal task of what comes out. */
function read(chunks: readonly unknown[], options: ModelOptions = {}): ReadStream {
  const result = readStream(openaiChat(options), chunks)
  expect(violationsOf(taskOf(result))).toEqual([])
  return result
}

/** The drafts after `internal:llm-call`, with the fields that matter. */
const short = ({ drafts }: ReadStream): unknown[] =>
  drafts.slice(1).map((draft) => Object.values(draft).slice(0, 2))
const last = ({ drafts }: ReadStream): EventDraft | undefined => drafts.at(-1)

it('text, in one segment with the finish reason and the usage', () => {
  const result = read([
    add({ role: 'assistant', content: '' }),
    add({ content: 'Hel' }),
    add({ content: 'lo' }),
    add({}, 'stop'),
    { ...base, choices: [], usage },
  ])
  expect(result.drafts).toEqual([
    {
      kind: 'internal:llm-call',
      iteration: 0,
      model: 'm-1',
      messageCount: 0,
      toolCount: 0,
      metadata: { responseId: 'chat-1' },
    },
    { kind: 'content-delta', delta: 'Hel' },
    { kind: 'content-delta', delta: 'lo' },
    {
      kind: 'content-complete',
      content: 'Hello',
      finishReason: 'stop',
      metadata: { usage: [{ model: 'm-1', ...tokens }] },
    },
  ])
  expect(result.turn).toEqual({
    content: [{ role: 'assistant', content: 'Hello' }],
    text: 'Hello',
    thoughts: [],
    calls: [],
    finishReason: 'stop',
    usage: { model: 'm-1', ...tokens },
  })
})

it('the numbers of the loop, for internal:llm-call', () => {
  const { drafts } = read([add({ content: 'x' })], { iteration: 2, messageCount: 7, toolCount: 1 })
  expect(drafts[0]).toMatchObject({ iteration: 2, messageCount: 7, toolCount: 1 })
})

describe('usage', () => {
  it.each<[where: string, chunk: object]>([
    ['with the finish reason', { ...add({}, 'stop'), usage }],
    ['in the choice', { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }],
    ['in x_groq', { ...add({}, 'stop'), x_groq: { usage } }],
  ])('%s counts', (_, chunk) => {
    const { drafts, turn } = read([add({ content: 'x' }), chunk])
    expect(turn.usage).toEqual({ model: 'm-1', ...tokens })
    expect(drafts.at(-1)?.kind).toBe('content-complete')
  })

  it('of the last chunk counts, with its parts', () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    }
    const { turn } = read([
      { ...add({ content: 'x' }), usage: { ...usage, completion_tokens: 1 } },
      { ...add({}, 'stop'), usage: { ...usage, ...details } },
    ])
    expect(turn.usage).toEqual({ model: 'm-1', ...tokens, cachedInputTokens: 4, reasoningTokens: 2 })
  })

  it('of servers that count the reasoning apart includes it', () => {
    const apart = { ...usage, total_tokens: 10, completion_tokens_details: { reasoning_tokens: 2 } }
    expect(read([{ ...add({}, 'stop'), usage: apart }]).turn.usage).toMatchObject({ outputTokens: 5 })
  })

  it('that is not a number is unknown, and reported', () => {
    const wrong = {
      prompt_tokens: '5',
      completion_tokens: -1,
      total_tokens: 8,
      completion_tokens_details: { reasoning_tokens: 1.5 },
    }
    const { turn, codes } = read([add({ content: 'x' }), { ...add({}, 'stop'), usage: wrong }])
    expect(turn.usage).toEqual({ model: 'm-1', totalTokens: 8 })
    expect(codes).toEqual(['dropped:usage', 'dropped:usage', 'dropped:usage'])
  })

  it('after the finish reason counts, until the chunk that has it alone', () => {
    const late = { ...usage, completion_tokens: 50, total_tokens: 55 }
    const { drafts, turn } = read([
      { ...add({ content: 'x' }, 'stop'), usage },
      { ...base, choices: [], usage: late },
    ])
    expect(turn.usage).toMatchObject({ outputTokens: 50 })
    expect(drafts.at(-1)).toMatchObject({ metadata: { usage: [{ outputTokens: 50 }] } })
  })
})

describe('reasoning is one live thought', () => {
  it.each<[by: string, delta: object]>([
    ['reasoning_content', { reasoning_content: 'Hm' }],
    ['reasoning', { reasoning: 'Hm' }],
    ['both', { reasoning: 'Hm', reasoning_content: 'Hm' }],
    ['reasoning_details', { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] }],
    ['a summary', { reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm' }] }],
    ['thinking parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }],
  ])('by %s', (_, delta) => {
    const result = read([add(delta), add(delta), add({ content: 'So' }, 'stop')])
    expect(short(result)).toEqual([
      ['thought-delta', 'Hm'],
      ['thought-delta', 'Hm'],
      ['thought-stream', 'reasoning'],
      ['content-delta', 'So'],
      ['content-complete', 'So'],
    ])
    expect(result.turn.thoughts).toEqual([{ text: 'HmHm' }])
  })

  it('with its signature', () => {
    const { turn, drafts } = read([
      add({ reasoning_details: [{ text: 'Hm' }] }),
      add({ reasoning_details: [{ text: '', signature: 'sig' }] }),
      add({ content: 'So' }, 'stop'),
    ])
    expect(turn.thoughts).toEqual([{ text: 'Hm', signature: 'sig' }])
    expect(drafts.find(({ kind }) => kind === 'thought-stream')).toMatchObject({
      metadata: { signature: 'sig' },
    })
  })

  it('for each detail, with its own signature', () => {
    const { turn, drafts } = read([
      add({ reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 'S1', index: 0 }] }),
      add({ reasoning_details: [{ type: 'reasoning.text', text: 'b', index: 1 }] }),
      add({
        reasoning_details: [
          { type: 'reasoning.text', signature: 'S2', index: 1 },
          { type: 'reasoning.encrypted', data: 'E1', id: 'call-1' },
          { type: 'reasoning.encrypted', data: 'E2', id: 'call-2' },
        ],
      }),
      add({ content: 'So' }, 'stop'),
    ])
    expect(turn.thoughts).toEqual([
      { text: 'a', signature: 'S1' },
      { text: 'b', signature: 'S2' },
      { text: '', signature: 'E1', redacted: true },
      { text: '', signature: 'E2', redacted: true },
    ])
    expect(drafts.filter(({ kind }) => kind === 'thought-stream')).toHaveLength(4)
  })

  it('without text if it is encrypted', () => {
    const { turn } = read([
      add({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz' }] }, 'stop'),
    ])
    expect(turn.thoughts).toEqual([{ text: '', signature: 'xyz', redacted: true }])
  })

  it('that the token limit cuts off', () => {
    const { drafts } = read([add({ reasoning: 'Hm' }), add({}, 'length')])
    expect(drafts.find(({ kind }) => kind === 'thought-stream')).toMatchObject({
      metadata: { complete: false },
    })
  })

  it('and what the model writes between tags is one on request', () => {
    const chunks = [add({ content: '<thi' }), add({ content: 'nk>Hm</think>So' }), add({}, 'stop')]
    expect(read(chunks).turn.text).toBe('<think>Hm</think>So')
    const result = read(chunks, { thoughts: thoughtEvents({ tags: ['think'] }) })
    expect(result.turn).toMatchObject({ text: 'So', thoughts: [{ text: 'Hm' }] })
    expect(short(result)).toEqual([
      ['thought-delta', 'Hm'],
      ['thought-stream', 'reasoning'],
      ['content-delta', 'So'],
      ['content-complete', 'So'],
    ])
  })
})

describe('tool calls', () => {
  const city = '{"city":"Paris"}'
  const parsed = { city: 'Paris' }

  it('are requests by default', () => {
    const result = read([
      add(call(0, 'call-1', 'weather', '{"city":')),
      add(call(0, '', '', '"Paris"}')),
      add({}, 'tool_calls'),
    ])
    expect(result.drafts.slice(1)).toEqual([
      { kind: 'tool-arguments-delta', toolCallId: 'call-1', toolName: 'weather', delta: '{"city":' },
      { kind: 'tool-arguments-delta', toolCallId: 'call-1', toolName: 'weather', delta: '"Paris"}' },
      { kind: 'content-complete', content: '', finishReason: 'tool_calls' },
    ])
    expect(result.turn.calls).toEqual([
      { toolCallId: 'call-1', toolName: 'weather', text: city, status: 'complete', arguments: parsed },
    ])
  })

  it('start on request', () => {
    const { drafts } = read([add(call(0, 'call-1', 'weather', city)), add({}, 'tool_calls')], {
      calls: 'start',
    })
    expect(drafts[2]).toEqual({
      kind: 'tool-start',
      toolCallId: 'call-1',
      toolName: 'weather',
      arguments: parsed,
    })
  })

  it('run in parallel, in pieces that alternate', () => {
    const { turn } = read([
      add(call(0, 'call-1', 'a', '{')),
      add(call(1, 'call-2', 'b', '{"x"')),
      add(call(0, '', '', '}')),
      add(call(1, '', '', ':1}')),
      add({}, 'tool_calls'),
    ])
    expect(turn.calls.map(({ toolName, text }) => [toolName, text])).toEqual([
      ['a', '{}'],
      ['b', '{"x":1}'],
    ])
  })

  it.each<[what: string, chunks: object[], ids: string[]]>([
    ['the same index for all', [add(call(0, 'c1', 'a', '{}')), add(call(0, 'c2', 'b', '{}'))], ['c1', 'c2']],
    [
      'no index',
      [
        add({ tool_calls: [{ id: 'c1', function: { name: 'a', arguments: '{' } }] }),
        add({ tool_calls: [{ function: { arguments: '}' } }] }),
      ],
      ['c1'],
    ],
    [
      'the name and id with every piece',
      [add(call(0, 'c1', 'a', '{')), add(call(0, 'c1', 'a', '}'))],
      ['c1'],
    ],
    ['no arguments', [add(call(0, 'c1', 'a', ''))], ['c1']],
    ['no id', [add(call(0, '', 'a', '{}'))], ['chat-1-call-0']],
    ['the same id twice', [add(call(0, 'c1', 'a', '{}')), add(call(1, 'c1', 'b', '{}'))], ['c1', 'c1-2']],
    [
      'arguments as an object',
      [add({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'a', arguments: {} } }] })],
      ['c1'],
    ],
    ['a single function_call', [add({ function_call: { name: 'a', arguments: '{}' } })], ['chat-1-call-0']],
  ])('come from servers with %s', (_, chunks, ids) => {
    const { turn } = read([...chunks, add({}, 'tool_calls')], { calls: 'start' })
    expect(turn.calls.map(({ toolCallId, status }) => [toolCallId, status])).toEqual(
      ids.map((id) => [id, 'complete']),
    )
    expect(turn.calls.map((one) => one.arguments)).toEqual(ids.map(() => ({})))
  })

  it('have the signature of Gemini', () => {
    const signed = {
      index: 0,
      id: 'c1',
      function: { name: 'a', arguments: '{}' },
      extra_content: { google: { thought_signature: 'sig' } },
    }
    const { turn, codes } = read([add({ tool_calls: [signed] }), add({}, 'tool_calls')])
    expect(turn.calls[0]).toMatchObject({ toolCallId: 'c1', signature: 'sig' })
    expect(codes).toEqual([])
  })

  it('with the same index go on by their ids', () => {
    const { turn } = read([
      add(call(0, 'A', 'read', '{"p":"a",')),
      add(call(0, 'B', 'delete', '{')),
      add(call(0, 'A', '', '"q":1}')),
      add(call(0, 'B', '', '}')),
      add({}, 'tool_calls'),
    ])
    expect(turn.calls.map(({ toolCallId, text }) => [toolCallId, text])).toEqual([
      ['A', '{"p":"a","q":1}'],
      ['B', '{}'],
    ])
  })

  it('without ids and indexes are as many as their names', () => {
    const named = (name: string, args: string): object => ({ function: { name, arguments: args } })
    const { turn } = read([
      add({ tool_calls: [named('f', ''), named('f', ''), named('g', '{"x":1}'), named('g', '{"x":2}')] }),
      add({ tool_calls: [named('g', '{"x":3}')] }),
      add({}, 'tool_calls'),
    ])
    expect(turn.calls.map(({ toolName, arguments: args }) => [toolName, args])).toEqual([
      ['f', {}],
      ['f', {}],
      ['g', { x: 1 }],
      ['g', { x: 2 }],
      ['g', { x: 3 }],
    ])
  })

  it('take no arguments after their end', () => {
    const { turn, codes } = read([
      add(call(0, 'c1', 'a', '{}'), 'tool_calls'),
      add(call(0, '', '', '{"x":1}')),
      add(call(0, 'c1', '', '{"x":1}')),
    ])
    expect(turn.calls).toMatchObject([{ toolCallId: 'c1', arguments: {} }])
    expect(codes).toEqual(['dropped:arguments', 'dropped:arguments'])
  })

  it('of custom tools have text as input', () => {
    const piece = (input: string): object => ({
      tool_calls: [{ index: 0, id: 'c1', custom: { name: 'sql', input } }],
    })
    const { turn } = read([add(piece('SELECT "')), add(piece('a"\n')), add({}, 'tool_calls')])
    expect(turn.calls[0]?.arguments).toEqual({ input: 'SELECT "a"\n' })
  })

  it.each<[what: string, end: object[], status: string, code: string]>([
    ['cut off by the token limit', [add({}, 'length')], 'incomplete', 'arguments-incomplete'],
    ['cut off by the end of the stream', [], 'incomplete', 'arguments-incomplete'],
    ['not JSON', [add(call(0, '', '', '"}}')), add({}, 'tool_calls')], 'invalid', 'arguments-invalid'],
  ])('do not start if the arguments are %s', (_, end, status, code) => {
    const { turn, drafts, codes } = read([add(call(0, 'c1', 'a', '{"x":"y')), ...end], { calls: 'start' })
    expect(turn.calls[0]).toEqual({ toolCallId: 'c1', toolName: 'a', text: expect.any(String), status })
    expect(codes).toContain(code)
    expect(drafts.some(({ kind }) => kind === 'tool-start')).toBe(false)
    expect(drafts.find(({ kind }) => kind === 'task-error')).toMatchObject({
      error: { scope: 'tool', toolCallId: 'c1', retry: 'retryable' },
    })
    expect(drafts.find(({ kind }) => kind === 'tool-complete')).toMatchObject({
      toolCallId: 'c1',
      success: false,
    })
  })

  it('before the one that the token limit cuts off are whole, beside thoughts, text and usage', () => {
    const result = read(
      [
        add({ reasoning: 'Two.' }),
        add({ content: 'Both.' }),
        add(call(0, 'c1', 'a', '{"x":1}')),
        add(call(1, 'c2', 'b', '')),
        add(call(2, 'c3', 'b', '{"y":')),
        { ...add({}, 'length'), usage },
      ],
      { calls: 'start' },
    )
    expect(result.turn).toMatchObject({
      text: 'Both.',
      thoughts: [{ text: 'Two.' }],
      calls: [{ arguments: { x: 1 } }, { arguments: {} }, { status: 'incomplete', text: '{"y":' }],
      finishReason: 'length',
      usage: tokens,
    })
    expect(result.drafts.map(({ kind }) => kind).slice(-5)).toEqual([
      'tool-start',
      'task-error',
      'tool-complete',
      'tool-start',
      'content-complete',
    ])
  })

  it('whose arguments have not begun at the token limit do not start', () => {
    expect(read([add(call(0, 'c1', 'a', '')), add({}, 'length')]).turn.calls[0]?.status).toBe('incomplete')
  })

  it('that are not an object do not start', () => {
    const { turn } = read([add(call(0, 'c1', 'a', '[1]')), add({}, 'tool_calls')])
    expect(turn.calls[0]?.status).toBe('invalid')
  })

  it('of a stream that ends early do not start, even with whole arguments', () => {
    const { turn, drafts, codes } = read([add(call(0, 'c1', 'a', '{}'))], { calls: 'start' })
    expect(turn.calls[0]?.status).toBe('incomplete')
    expect(drafts.some(({ kind }) => kind === 'tool-start')).toBe(false)
    expect(codes).toEqual(['ended-early', 'arguments-incomplete'])
  })
})

describe('the end', () => {
  it('of a stream without a finish reason completes the text and the thought', () => {
    const result = read([add({ reasoning: 'Hm' }), add({ content: 'So' })])
    expect(result.drafts.slice(-2)).toEqual([
      { kind: 'content-complete', content: 'So' },
      {
        kind: 'task-error',
        error: { code: 'provider_error', message: 'The response was cut off.', retry: 'retryable' },
      },
    ])
    expect(result.codes).toEqual(['ended-early'])
    expect(result.turn.finishReason).toBeUndefined()
  })

  it('is not stated by the usage alone', () => {
    const pieces = [add(call(0, 'c1', 'a', '{"p"')), { ...base, choices: [], usage }]
    const rest = add({ tool_calls: [{ index: '0', function: { arguments: ':1}' } }] }, 'tool_calls')
    expect(read([...pieces, rest], { calls: 'start' }).turn.calls).toMatchObject([{ arguments: { p: 1 } }])
    const result = read(pieces, { calls: 'start' })
    expect(result.codes).toEqual(['ended-early', 'arguments-incomplete'])
    expect(result.turn.calls[0]?.status).toBe('incomplete')
    expect(result.turn.usage).toMatchObject({ inputTokens: tokens.inputTokens })
  })

  it('by the application has its reason', () => {
    const result = readStream(openaiChat(), [add({ content: 'So' })], { reason: 'abort' })
    expect(last(result)).toEqual({ kind: 'content-complete', content: 'So', finishReason: 'abort' })
    expect(result.codes).toEqual([])
  })

  it('of an empty stream is an error', () => {
    const { drafts, codes } = read([])
    expect(drafts.map(({ kind }) => kind)).toEqual(['internal:llm-call', 'task-error'])
    expect(codes).toEqual(['ended-early'])
  })

  it('has one reason', () => {
    const { turn, codes } = read([add({ content: 'x' }, 'stop'), add({}, 'stop'), add({}, 'length')])
    expect(turn.finishReason).toBe('stop')
    expect(codes).toEqual(['dropped:finish-reason'])
  })

  it('is followed by nothing', () => {
    const over = [add({ content: 'x' }, 'stop'), { ...base, choices: [], usage }]
    const { drafts, codes, turn } = read([
      ...over,
      add({ content: 'y' }),
      { ...base, choices: [], usage: {} },
    ])
    expect(drafts).toHaveLength(3)
    expect(codes).toEqual(['dropped:chunk', 'dropped:chunk'])
    expect(turn.usage).toMatchObject(tokens)
  })
})

describe('an error', () => {
  it.each<[error: unknown, code: string, retry: string]>([
    [{ message: 'm', code: 400 }, 'invalid_request', 'terminal'],
    [{ message: 'm', type: 'invalid_request_error', code: 'tool_use_failed' }, 'tool_failed', 'retryable'],
    [{ message: 'm', code: 429 }, 'rate_limited', 'retryable'],
    [{ message: 'm', code: 'insufficient_quota', type: 'rate_limit' }, 'budget_exhausted', 'terminal'],
    [{ message: 'm', code: 'context_length_exceeded' }, 'payload_too_large', 'terminal'],
    [{ message: 'm', type: 'server_error' }, 'provider_error', 'retryable'],
    ['m', 'provider_error', 'retryable'],
  ])('%j in the stream ends the response', (error, code, retry) => {
    const { drafts, turn } = read([add({ content: 'x' }), { ...base, error }, add({ content: 'y' })])
    expect(turn.error).toMatchObject({ code, retry, message: expect.stringMatching(/^The .*model.*\.$/) })
    expect(drafts.slice(2).map(({ kind }) => kind)).toEqual(['content-complete', 'task-error'])
  })

  it('has the names of the provider’s error object, and its text is reported', () => {
    const error = {
      message: 'm',
      code: 'tool_use_failed',
      failed_generation: '<tool>',
      metadata: { raw: '…' },
    }
    const { turn, diagnostics } = read([{ ...base, error }])
    expect(turn.error?.details).toEqual({ code: 'tool_use_failed' })
    expect(diagnostics).toEqual([
      {
        code: 'provider-error',
        message: 'The provider reported an error.',
        detail: { message: 'm', code: 'tool_use_failed', failed_generation: '<tool>' },
      },
    ])
  })

  it('by a refusal follows what the model said', () => {
    const { turn, drafts } = read([add({ refusal: 'I can' }), add({ refusal: 'not.' }), add({}, 'stop')])
    expect(turn.error).toEqual({
      code: 'refused',
      message: 'The model refused to answer.',
      retry: 'terminal',
    })
    expect(turn.text).toBe('I cannot.')
    expect(drafts.map(({ kind }) => kind).slice(-2)).toEqual(['content-complete', 'task-error'])
  })

  it('by a finish reason', () => {
    expect(read([add({ content: 'x' }, 'error')]).turn.error).toMatchObject({ code: 'provider_error' })
  })

  it('by a filter', () => {
    expect(read([add({ content: 'x' }, 'content_filter')]).turn.error?.code).toBe('content_filtered')
  })
})

describe('what the text cites', () => {
  it('by annotations', () => {
    const citation = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 }
    const result = read([
      add({ content: 'Text', annotations: [{ type: 'url_citation', url_citation: citation }] }),
      add({}, 'stop'),
    ])
    expect(last(result)).toMatchObject({
      metadata: { sources: [{ url: 'https://a.example', title: 'A', start: 0, end: 4 }] },
    })
  })

  it('by citations that every chunk repeats, also after the end', () => {
    const citations = ['https://a.example', 'https://b.example']
    const result = read([
      { ...add({ content: 'Te' }), citations },
      { ...add({ content: 'xt' }, 'stop'), citations },
      { ...base, choices: [], usage, citations },
    ])
    expect(last(result)).toMatchObject({
      content: 'Text',
      metadata: { sources: citations.map((url) => ({ url })) },
    })
  })
})

describe('chunks of other servers', () => {
  it.each<[what: string, chunk: unknown, codes: string[]]>([
    ['without model and choices', { id: '', model: '', choices: [], prompt_filter_results: [{}] }, []],
    ['with an unknown field', { ...add({}), mood: 'good' }, ['unknown-field']],
    ['with an unknown field in the delta', add({ mood: 'good' }), ['unknown-field']],
    ['of an unknown type', { object: 'ping' }, ['unknown-type']],
    ['that are not objects', 7, ['invalid-event']],
    [
      'with a second choice',
      { ...base, choices: [{ index: 1, delta: { content: 'no' } }] },
      ['dropped:choice'],
    ],
    ['with audio', add({ audio: { data: 'aGk=', transcript: '' } }), ['dropped:audio']],
    ['with an unknown part', add({ content: [{ type: 'smell' }] }), ['unknown-type']],
  ])('%s do not stop it', (_, chunk, codes) => {
    const result = read([chunk, add({ content: 'x' }), add({}, 'stop')])
    expect(result.turn.text).toBe('x')
    expect(result.codes).toEqual(codes)
  })

  it('report each unknown field once', () => {
    expect(read([add({ mood: 'good' }), add({ mood: 'bad' }), add({}, 'stop')]).codes).toEqual([
      'unknown-field',
    ])
  })

  it('hold images', () => {
    const url = 'data:image/png;base64,aGk='
    const { drafts } = read([add({ images: [{ type: 'image_url', image_url: { url } }] }, 'stop')])
    expect(drafts[1]).toEqual({
      kind: 'file-write',
      artifactId: 'chat-1-image-0',
      data: 'aGk=',
      complete: true,
      encoding: 'base64',
      mimeType: 'image/png',
    })
  })

  it('may be one whole message', () => {
    const message = { role: 'assistant', content: 'Hi' }
    const { turn } = read([{ ...base, choices: [{ index: 0, message, finish_reason: 'stop' }], usage }])
    expect(turn).toMatchObject({ text: 'Hi', finishReason: 'stop' })
  })
})

it('halves of a surrogate pair are joined, and a half alone is replaced', () => {
  expect(read([add({ content: '\ud83d' }), add({ content: '\ude00' }), add({}, 'stop')]).turn.text).toBe('😀')
  expect(read([add({ content: 'a\ud83d' }), add({}, 'stop')]).turn.text).toBe('a\ufffd')
})
