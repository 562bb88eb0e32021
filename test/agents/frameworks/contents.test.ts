// Proves that what frameworks send besides text and calls is an event or is reported, once for each kind.

import type { Diagnostic } from 'turnstream'
import { fromClaudeAgent, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import { expect, it } from 'vitest'
import { read, text, thoughts, tools, usage, violations } from './reading.ts'

const metadata = { langgraph_node: 'a', langgraph_step: 1, langgraph_checkpoint_ns: 'a:1' }
const langGraph = (message: object, type = 'AIMessageChunk'): unknown => [
  'messages',
  [{ type, id: 'm', response_metadata: { finish_reason: 'stop' }, ...message }, metadata],
]

it('LangGraph: images are reported once, refusals and calls that are not valid are read', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const { events, codes } = await read(fromLangGraph, [
    langGraph({ content: [{ type: 'text', text: 'A map.' }, image, image] }),
  ])
  expect([text(events), codes]).toEqual(['A map.', ['dropped:image_url']])
  const refused = await read(fromLangGraph, [
    langGraph({ content: '', additional_kwargs: { refusal: 'I may not.' } }),
  ])
  expect(text(refused.events)).toContain('I may not.')
  const invalid_tool_calls = [{ id: 'c1', name: 'pay', args: '{"amount":', error: 'Malformed args.' }]
  const invalid = await read(fromLangGraph, [langGraph({ content: '', invalid_tool_calls }, 'ai')])
  expect(tools(invalid.events)).toMatchObject([['c1', 'pay', false, expect.anything()]])
  const tool_call_chunks = [{ index: 0, id: 'c1', name: 'pay', args: '{}' }]
  const chunk = { content: '', tool_call_chunks, invalid_tool_calls }
  const written = await read(fromLangGraph, [langGraph(chunk)])
  expect(written.events.filter(({ kind }) => kind === 'tool-arguments-delta')).toHaveLength(1)
})

it('LangGraph: the tokens of the cache', async () => {
  const usage_metadata = {
    ...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    input_token_details: { cache_read: 3, cache_creation: 2 },
  }
  const { events } = await read(fromLangGraph, [langGraph({ content: 'Hi.', usage_metadata })])
  expect(usage(events)).toMatchObject([{ cachedInputTokens: 3, cacheWriteInputTokens: 2 }])
})

it.each(['custom', 'values', 'tasks', 'debug'])('LangGraph: the mode %s is reported once', async (mode) => {
  const { codes } = await read(fromLangGraph, [
    [mode, {}],
    [['sub:1'], mode, {}],
  ])
  expect(codes).toEqual([`dropped:${mode}`])
})

it('LangGraph: updates alone, messages alone, and the events of a server', async () => {
  const ai = (id: string, content: string, more: object = {}): object => ({
    type: 'ai',
    id,
    content,
    ...more,
  })
  const call = { id: 'c1', name: 'tide', args: {} }
  const asked = ai('m1', 'I look.', { tool_calls: [call] })
  const result = { type: 'tool', id: 'r1', tool_call_id: 'c1', name: 'tide', content: '14:20' }
  const updates = [{ a: { messages: [asked] } }, { b: { messages: [asked, result, ai('m2', 'At 14:20.')] } }]
  const sources = [
    updates.map((update) => ['updates', update]),
    updates.map((data) => ({ event: 'updates', data })),
    [asked, result, ai('m2', 'At 14:20.')].map((message) => [message, metadata]),
    [asked, result, ai('m2', 'At 14:20.')].map((message) => ({
      event: 'messages|a:1',
      data: [message, metadata],
    })),
  ]
  for (const source of sources) {
    const { events, codes } = await read(fromLangGraph, source)
    expect(text(events)).toBe('I look.|At 14:20.')
    expect(tools(events)).toEqual([['c1', 'tide', true, '14:20']])
    expect(violations(events)).toEqual([])
    expect(codes).toEqual([])
  }
})

it('LangGraph: an error of the server fails the task, and another stream is named', async () => {
  const { events, codes } = await read(fromLangGraph, [
    langGraph({ content: 'Hi.' }),
    { event: 'error', data: { error: 'KeyError', message: 'secret' } },
  ])
  expect(events.at(-1)).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
  expect(codes).toEqual(['provider-error'])
  const reported: Diagnostic[] = []
  const onDiagnostic = (each: Diagnostic): unknown => reported.push(each)
  const source = [
    { event: 'on_chain_start', data: {} },
    { event: 'on_chain_end', data: {} },
  ]
  for await (const _ of fromLangGraph(source, { onDiagnostic }));
  expect(reported).toMatchObject([{ code: 'unknown-type', message: expect.stringContaining('streamMode') }])
})

const claude = (type: string, content: unknown, more: object = {}): object => ({
  ...{ type, session_id: 's', parent_tool_use_id: null, ...more },
  message: { id: 'm1', model: 'm', content },
})
const end = (more: object): object => ({ type: 'result', subtype: 'success', session_id: 's', ...more })

it('Claude: a result without messages, and an output with a schema', async () => {
  const { events, codes } = await read(fromClaudeAgent, [
    end({ result: 'Cost: 0.', structured_output: { port: 'Brest' } }),
  ])
  expect(text(events)).toBe('Cost: 0.')
  expect(events.filter(({ kind }) => kind === 'data-write')).toMatchObject([{ data: { port: 'Brest' } }])
  expect(violations(events)).toEqual([])
  expect(codes).toEqual([])
  const both = await read(fromClaudeAgent, [
    claude('assistant', [{ type: 'text', text: 'At 14:20.' }]),
    end({ result: 'At 14:20.', structured_output: [1] }),
  ])
  expect(text(both.events)).toBe('At 14:20.')
  expect(both.events.filter(({ kind }) => kind === 'data-write')).toMatchObject([{ data: { value: [1] } }])
})

it('Claude: an image in the result of a tool, and a denial without a result', async () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const parts = [{ type: 'text', text: 'A map.' }, image]
  const result = (is_error: boolean): object =>
    claude('user', [{ type: 'tool_result', tool_use_id: 'c1', content: parts, is_error }])
  const call = claude('assistant', [{ type: 'tool_use', id: 'c1', name: 'map', input: {} }])
  const denial = { tool_name: 'map', tool_use_id: 'c1', tool_input: {} }
  const { events, codes } = await read(fromClaudeAgent, [
    call,
    result(false),
    end({ permission_denials: [denial] }),
  ])
  expect(tools(events)).toEqual([['c1', 'map', true, parts]])
  expect(codes).toEqual([])
  const failed = await read(fromClaudeAgent, [call, result(true), end({})])
  expect(failed.codes).toEqual(['dropped:image'])
  const denied = await read(fromClaudeAgent, [call, end({ permission_denials: [denial] })])
  expect(denied.codes).toEqual(['dropped:permission_denials'])
})

it('OpenAI Agents: a model of another package, which the SDK alone states', async () => {
  const raw = (data: object): object => ({ type: 'raw_model_stream_event', data })
  const part = (type: string, more: object = {}): object => raw({ type: 'model', event: { type, ...more } })
  const done = (...output: readonly object[]): object => {
    const usage = {
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
      inputTokensDetails: { cached_tokens: 4 },
    }
    return raw({ type: 'response_done', response: { id: 'r', usage, output } })
  }
  const message = (said: string): object => ({
    type: 'message',
    content: [{ type: 'output_text', text: said }],
  })
  const result = { type: 'function_call_result', callId: 'c1', name: 'tide' }
  const { events, codes } = await read(fromOpenaiAgents, [
    raw({ type: 'response_started' }),
    part('stream-start', { warnings: [] }),
    part('text-delta', { delta: 'I ' }),
    raw({ type: 'output_text_delta', delta: 'I ' }),
    part('text-delta', { delta: 'look.' }),
    raw({ type: 'output_text_delta', delta: 'look.' }),
    part('finish'),
    done(
      { type: 'reasoning', content: [{ type: 'input_text', text: 'The tide table.' }] },
      message('I look.'),
      { type: 'function_call', callId: 'c1', name: 'tide', arguments: '{"port":"Brest"}' },
    ),
    { type: 'run_item_stream_event', name: 'tool_output', item: { rawItem: result, output: '14:20' } },
    raw({ type: 'response_started' }),
    done(message('At 14:20.')),
  ])
  expect(text(events)).toBe('I look.|At 14:20.')
  expect(thoughts(events)).toEqual(['The tide table.'])
  expect(tools(events)).toEqual([['c1', 'tide', true, '14:20']])
  expect(events.filter(({ kind }) => kind === 'tool-start')).toMatchObject([{ arguments: { port: 'Brest' } }])
  expect(usage(events)).toMatchObject([{ totalTokens: 30, cachedInputTokens: 8 }])
  expect(violations(events)).toEqual([])
  expect(codes).toEqual([])
})
