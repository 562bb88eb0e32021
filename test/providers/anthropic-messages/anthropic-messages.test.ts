// Proves what anthropicMessages makes of the streams of Anthropic.

import type { EventDraft } from 'turnstream'
import { type AnthropicMessagesChunk, anthropicMessages } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import type { ModelOptions } from '../../../src/providers/shared/options.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'

const start = (usage: object = { input_tokens: 5, output_tokens: 1 }): object => ({
  type: 'message_start',
  message: { id: 'msg-1', type: 'message', role: 'assistant', model: 'm-1', content: [], usage },
})
const open = (index: number, content_block: object): object => ({
  type: 'content_block_start',
  index,
  content_block,
})
const add = (index: number, delta: object): object => ({ type: 'content_block_delta', index, delta })
const close = (index: number): AnthropicMessagesChunk => ({ type: 'content_block_stop', index })
const json = (index: number, partial_json: string): object =>
  add(index, { type: 'input_json_delta', partial_json })
const text = (index: number, ...pieces: string[]): object[] => [
  open(index, { type: 'text', text: '' }),
  ...pieces.map((piece) => add(index, { type: 'text_delta', text: piece })),
  close(index),
]
const tool = (index: number, id: string, ...pieces: string[]): object[] => [
  open(index, { type: 'tool_use', id, name: 'search', input: {} }),
  ...pieces.map((piece) => json(index, piece)),
]
const stop = (stop_reason: string, more: object = {}): object[] => [
  {
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null, ...more },
    usage: { output_tokens: 3 },
  },
  { type: 'message_stop' },
]

/** Reads chunks; an agent makes a legal task of what comes out. */
function read(chunks: readonly unknown[], options: ModelOptions = {}): ReadStream {
  const result = readStream(anthropicMessages(options), chunks)
  expect(violationsOf(taskOf(result))).toEqual([])
  return result
}

/** The drafts of a kind. */
const of = (kind: EventDraft['kind'], { drafts }: ReadStream): EventDraft[] =>
  drafts.filter((draft) => draft.kind === kind)

it('text, with the stop reason and the usage at the end of the last block', () => {
  const result = read([
    start(),
    { type: 'ping' },
    ...text(0, 'Hel', 'lo'),
    ...text(1, '!'),
    ...stop('end_turn'),
  ])
  const usage = { model: 'm-1', inputTokens: 5, outputTokens: 3, totalTokens: 8 }
  expect(result.drafts.slice(1)).toEqual([
    { kind: 'content-delta', delta: 'Hel' },
    { kind: 'content-delta', delta: 'lo' },
    { kind: 'content-complete', content: 'Hello' },
    { kind: 'content-delta', delta: '!' },
    { kind: 'content-complete', content: '!', finishReason: 'end_turn', metadata: { usage: [usage] } },
  ])
  expect(result.turn).toEqual({
    content: [
      { type: 'text', text: 'Hello' },
      { type: 'text', text: '!' },
    ],
    text: 'Hello!',
    thoughts: [],
    calls: [],
    finishReason: 'end_turn',
    usage,
  })
  expect(result.codes).toEqual([])
})

it('a message that is not streamed, as its stream', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
    { type: 'text', text: 'Hello' },
    { type: 'tool_use', id: 'call-1', name: 'search', input: { q: 'x' } },
  ]
  const usage = { input_tokens: 5, output_tokens: 3 }
  const whole = { type: 'message', id: 'msg-1', model: 'm-1', content, stop_reason: 'tool_use', usage }
  const streamed = [
    start(),
    open(0, { type: 'thinking', thinking: '', signature: '' }),
    add(0, { type: 'thinking_delta', thinking: 'Hm.' }),
    add(0, { type: 'signature_delta', signature: 'sig' }),
    close(0),
    ...text(1, 'Hello'),
    ...tool(2, 'call-1', '{"q":', '"x"}'),
    close(2),
    ...stop('tool_use'),
  ]
  expect(read([whole]).turn).toEqual(read(streamed).turn)
  expect(read([whole]).turn.calls).toMatchObject([{ arguments: { q: 'x' }, status: 'complete' }])
})

describe('thinking', () => {
  it('is live, with its signature at the end', () => {
    const chunks = [
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      add(0, { type: 'thinking_delta', thinking: 'Let me ' }),
      add(0, { type: 'thinking_delta', thinking: 'see.' }),
      add(0, { type: 'signature_delta', signature: 'sig' }),
    ]
    const result = read([start(), ...chunks, close(0), ...text(1, 'Yes'), ...stop('end_turn')])
    expect(of('thought-delta', result)).toHaveLength(2)
    expect(of('thought-stream', result)).toMatchObject([
      { content: 'Let me see.', metadata: { signature: 'sig' } },
    ])
    const cut = read([start(), ...chunks.slice(0, 2)])
    expect(of('thought-stream', cut)).toMatchObject([{ content: 'Let me ', metadata: { complete: false } }])
    expect(cut.codes).toEqual(['ended-early'])
  })

  it('that is redacted is an empty thought with the encrypted text', () => {
    const block = { type: 'redacted_thinking', data: 'c2VjcmV0' }
    const result = read([start(), open(0, block), close(0), ...text(1, 'Yes'), ...stop('end_turn')])
    expect(of('thought-stream', result)).toMatchObject([
      { content: '', metadata: { signature: 'c2VjcmV0', redacted: true } },
    ])
    expect(result.turn.thoughts).toEqual([{ text: '', signature: 'c2VjcmV0', redacted: true }])
  })
})

describe('calls', () => {
  it('in parallel, also with blocks that overlap', () => {
    const chunks = [...tool(0, 'a', '{"x":'), ...tool(1, 'b', '{}'), json(0, '1}'), close(0), close(1)]
    const { turn } = read([start(), ...chunks, ...stop('tool_use')])
    expect(turn.calls).toMatchObject([
      { toolCallId: 'a', arguments: { x: 1 } },
      { toolCallId: 'b', arguments: {} },
    ])
  })

  it('without arguments are complete', () => {
    const result = read([start(), ...tool(0, 'a', ''), close(0), ...stop('tool_use')], { calls: 'start' })
    expect(of('tool-start', result)).toMatchObject([{ toolCallId: 'a', arguments: {} }])
  })

  it.each([
    ['before its arguments', ['']],
    ['in its arguments', ['{"a":']],
  ])('that the token limit cuts off %s are not started', (_, pieces) => {
    for (const end of [[close(0)], []]) {
      const chunks = [start(), ...tool(0, 'a', ...pieces), ...end, ...stop('max_tokens')]
      const result = read(chunks, { calls: 'start' })
      expect(of('tool-start', result)).toEqual([])
      expect(result.turn.calls).toMatchObject([{ status: 'incomplete' }])
      expect(result.codes).toEqual(['arguments-incomplete'])
    }
  })

  it('that came as a whole ignore deltas', () => {
    const block = { type: 'tool_use', id: 'a', name: 'search', input: { q: 1 } }
    const result = read([start(), open(0, block), json(0, '{"q":2}'), close(0), ...stop('tool_use')])
    expect(result.turn.calls).toMatchObject([{ arguments: { q: 1 } }])
    expect(result.codes).toEqual(['dropped:arguments'])
  })
})

describe('tools at the provider', () => {
  const use = (index: number, id: string): object[] => [
    open(index, { type: 'server_tool_use', id, name: 'web_search', input: {} }),
    json(index, '{"query":"x"}'),
    close(index),
  ]
  const result = (index: number, tool_use_id: string, content: unknown, more: object = {}): object[] => [
    open(index, { type: 'web_search_tool_result', tool_use_id, content, ...more }),
    close(index),
  ]

  it('are complete with start and result, in any order', () => {
    const found = [{ type: 'web_search_result', url: 'https://example.com', title: 'Example' }]
    const error = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
    const outcome = read([
      start(),
      ...use(0, 'a'),
      ...use(1, 'b'),
      ...result(2, 'b', error),
      ...result(3, 'a', found),
      ...stop('end_turn'),
    ])
    expect(of('tool-start', outcome)).toMatchObject([
      {
        toolCallId: 'a',
        toolName: 'web_search',
        arguments: { query: 'x' },
        metadata: { provider: 'provider' },
      },
      { toolCallId: 'b' },
    ])
    expect(of('tool-complete', outcome)).toMatchObject([
      { toolCallId: 'b', success: false, error: 'max_uses_exceeded' },
      { toolCallId: 'a', success: true, result: found },
    ])
    expect(outcome.turn.calls).toEqual([])
  })

  it('of MCP servers fail with the text of the error', () => {
    const outcome = read([
      start(),
      open(0, { type: 'mcp_tool_use', id: 'a', name: 'echo', server_name: 's', input: {} }),
      close(0),
      open(1, {
        type: 'mcp_tool_result',
        tool_use_id: 'a',
        is_error: true,
        content: [{ type: 'text', text: 'No' }],
      }),
      close(1),
      ...stop('end_turn'),
    ])
    expect(of('tool-start', outcome)).toMatchObject([{ metadata: { provider: 'provider' } }])
    expect(of('tool-complete', outcome)).toMatchObject([{ success: false, error: 'No' }])
  })

  it('without a result fail, and a result without a call starts one', () => {
    const paused = read([start(), ...use(0, 'a'), ...stop('pause_turn')])
    expect(of('tool-complete', paused)).toMatchObject([{ toolCallId: 'a', success: false }])
    const results = [...result(0, 'a', []), ...result(1, 'b', [])]
    const resumed = read([start(), ...results, ...stop('end_turn')])
    expect(of('tool-complete', resumed)).toMatchObject([
      { toolCallId: 'a-result', success: true, result: [] },
      { toolCallId: 'b-result', success: true, result: [] },
    ])
    // A response begins with the results of the one before.
    expect(resumed.codes).toEqual([])
    const others = [...text(0, 'Hi'), ...result(1, 'a', [])]
    expect(read([start(), ...others, ...stop('end_turn')]).codes).toEqual(['inferred:tool-start'])
    const other = [...use(0, 'a'), ...result(1, 'b', [])]
    expect(read([start(), ...other, ...stop('end_turn')]).codes).toEqual(['inferred:tool-start'])
  })
})

it('citations are sources of the text that they stand in', () => {
  const web = { type: 'web_search_result_location', url: 'https://example.com', title: 'A', cited_text: 'b' }
  const document = { document_index: 2, document_title: 'C' }
  const page = { type: 'page_location', ...document, start_page_number: 1, end_page_number: 3 }
  const block = { type: 'content_block_location', ...document, start_block_index: 0, end_block_index: 1 }
  const characters = { type: 'char_location', ...document, start_char_index: 0, end_char_index: 9 }
  const unknown = { type: 'page_location', file_id: 'f', start_page_number: 1 }
  const result = read([
    start(),
    open(0, { type: 'text', text: '', citations: [] }),
    add(0, { type: 'text_delta', text: 'Yes' }),
    add(0, { type: 'citations_delta', citation: web }),
    ...[page, block, characters, unknown].map((citation) => add(0, { type: 'citations_delta', citation })),
    close(0),
    ...stop('end_turn'),
  ])
  const [text] = of('content-complete', result) as { metadata?: { sources?: unknown } }[]
  expect(text?.metadata?.sources).toEqual([
    { url: 'https://example.com', title: 'A', quote: 'b' },
    { documentId: '2', title: 'C', passage: { unit: 'page', start: 1, end: 3 } },
    { documentId: '2', title: 'C', passage: { unit: 'block', start: 0, end: 1 } },
    { documentId: '2', title: 'C', passage: { unit: 'character', start: 0, end: 9 } },
    { documentId: 'f' },
  ])
})

describe('the end', () => {
  it.each([
    ['refusal', 'refused', 'terminal'],
    ['model_context_window_exceeded', 'payload_too_large', 'terminal'],
  ])('%s is the error %s', (reason, code, retry) => {
    const details = { stop_details: { explanation: 'Because.' } }
    const result = read([start(), ...text(0, 'I'), ...stop(reason, details)])
    expect(of('content-complete', result)).toMatchObject([{ finishReason: reason }])
    expect(of('task-error', result)).toMatchObject([{ error: { code, retry } }])
  })

  it.each([
    ['overloaded_error', 'overloaded', 'retryable'],
    ['rate_limit_error', 'rate_limited', 'retryable'],
    ['api_error', 'provider_error', 'retryable'],
    ['invalid_request_error', 'invalid_request', 'terminal'],
    ['authentication_error', 'unauthenticated', 'terminal'],
  ])('%s in the stream is the error %s', (type, code, retry) => {
    const error = { type: 'error', error: { type, message: 'No.' } }
    const result = read([start(), open(0, { type: 'text', text: 'Hel' }), error, ...stop('end_turn')])
    expect(of('content-complete', result)).toMatchObject([{ content: 'Hel' }])
    expect(of('task-error', result)).toMatchObject([{ error: { code, retry } }])
    expect(result.turn.error).toMatchObject({ code, retry })
    expect(result.codes).toEqual(['provider-error', 'dropped:chunk', 'dropped:chunk'])
  })
})

it('counts cached tokens as input, and keeps what later chunks leave out', () => {
  const { turn } = read([
    start({
      input_tokens: 2,
      cache_read_input_tokens: 30,
      cache_creation_input_tokens: 400,
      output_tokens: 1,
    }),
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 3, output_tokens: 7 },
    },
    { type: 'message_stop' },
  ])
  expect(turn.usage).toEqual({
    model: 'm-1',
    inputTokens: 433,
    outputTokens: 7,
    totalTokens: 440,
    cachedInputTokens: 30,
    cacheWriteInputTokens: 400,
  })
})

it('another message starts over; the same one again is dropped', () => {
  const again = read([start(), start(), ...text(0, 'a'), ...stop('end_turn')])
  expect(again.codes).toEqual(['dropped:message_start'])
  expect(again.turn.text).toBe('a')
  const spliced = read([start(), ...text(0, 'a'), start(), ...text(0, 'b'), ...stop('end_turn')])
  expect(spliced.codes).toEqual(['ended-early'])
  expect(spliced.turn.text).toBe('b')
  expect(of('internal:llm-call', spliced)).toHaveLength(2)
})

it('another model that continues is another call of a model', () => {
  const fallback = { type: 'fallback', from: { model: 'm-1' }, to: { model: 'm-2' } }
  const result = read([start(), open(0, fallback), close(0), ...text(1, 'a'), ...stop('end_turn')])
  expect(of('internal:llm-call', result)).toMatchObject([{ model: 'm-1' }, { model: 'm-2' }])
  expect(result.codes).toEqual(['model-changed'])
})

it('unknown chunks, blocks, deltas and fields are reported once, and the rest is read', () => {
  const result = read([
    start(),
    { type: 'x' },
    { type: 'x' },
    open(0, { type: 'y' }),
    add(0, { type: 'z' }),
    close(0),
    { ...close(0), more: 1 },
    ...text(1, 'a'),
    ...stop('end_turn'),
  ])
  expect(result.codes).toEqual(['unknown-type', 'unknown-type', 'unknown-type', 'unknown-field'])
  expect(result.turn.text).toBe('a')
})

it('the stop sequence is metadata of the last text', () => {
  const result = read([start(), ...text(0, 'Hi'), ...stop('stop_sequence', { stop_sequence: 'END' })])
  expect(result.drafts.at(-1)).toMatchObject({ kind: 'content-complete', metadata: { stopSequence: 'END' } })
  const silent = read([start(), ...stop('stop_sequence', { stop_sequence: 'END' })])
  expect(silent.codes).toEqual(['dropped:stop_sequence'])
})

it('a result that is nested too deep for readers is cut', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
  for (const [depth, codes] of [
    [60, []],
    [5000, ['lossy:content', 'lossy:result']],
  ] as const) {
    const block = { type: 'web_search_tool_result', tool_use_id: 's1', content: nested(depth) }
    const result = read([start(), open(0, block), close(0), ...stop('end_turn')])
    expect(result.codes).toEqual(codes)
    // The innermost level that is kept is empty.
    expect(JSON.stringify(result.drafts).split('{"a":').length - 1).toBe(Math.min(depth, 63))
  }
})
