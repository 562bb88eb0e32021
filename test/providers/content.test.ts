// Proves that the content of a turn is what the provider wants back with the next request.

import {
  anthropicMessages,
  bedrockConverse,
  cohereChat,
  geminiContent,
  geminiInteractions,
  openaiChat,
  openaiResponses,
} from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import { type Provider, readStream } from '../support/providers/agent-loop.ts'

const contentOf = (machine: Provider, chunks: readonly unknown[]): unknown[] =>
  readStream(machine, chunks).turn.content

describe('the content', () => {
  const block = (index: number, content_block: object, ...deltas: object[]): object[] => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
  const stop = (stop_reason: string): object[] => [
    { type: 'message_delta', delta: { stop_reason } },
    { type: 'message_stop' },
  ]
  const citation = { type: 'web_search_result_location', url: 'https://a.example', encrypted_index: 'x' }
  const result = {
    type: 'web_search_tool_result',
    tool_use_id: 's1',
    content: [{ type: 'web_search_result', encrypted_content: 'y' }],
  }
  const paused = [
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: 'sig' },
    ),
    ...block(1, { type: 'redacted_thinking', data: 'zzz' }),
    ...block(
      2,
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      { type: 'input_json_delta', partial_json: '{"q":"x"}' },
    ),
    ...block(3, result),
    ...block(
      4,
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'So' },
      { type: 'citations_delta', citation },
    ),
    ...block(5, { type: 'text', text: '' }),
    ...block(6, { type: 'compaction', content: null }, { type: 'compaction_delta', content: 'Short.' }),
    ...block(
      7,
      { type: 'server_tool_use', id: 's2', name: 'web_search', input: {} },
      { type: 'input_json_delta', partial_json: '{"q":"y"}' },
    ),
  ]

  it('of a message that pauses has its blocks in order', () => {
    expect(contentOf(anthropicMessages(), [...paused, ...stop('pause_turn')])).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'zzz' },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { q: 'x' } },
      result,
      { type: 'text', text: 'So', citations: [citation] },
      { type: 'compaction', content: 'Short.' },
      { type: 'server_tool_use', id: 's2', name: 'web_search', input: { q: 'y' } },
    ])
  })

  it('leaves out thoughts that are cut off, and arguments that are not whole', () => {
    const cut = [
      ...block(
        0,
        { type: 'tool_use', id: 'c1', name: 'f', input: {} },
        { type: 'input_json_delta', partial_json: '{"q":' },
      ),
      { type: 'content_block_start', index: 1, content_block: { type: 'thinking', thinking: 'Hm' } },
    ]
    const rest = [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }]
    expect(contentOf(anthropicMessages(), [...cut, ...stop('max_tokens')])).toEqual(rest)
    expect(contentOf(anthropicMessages(), cut)).toEqual(rest)
  })

  it('of a response has its items, as they end', () => {
    const items = [
      { type: 'reasoning', id: 'rs-1', summary: [], encrypted_content: 'e' },
      { type: 'message', id: 'm-1', phase: 'final_answer', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'shell_call', id: 'sh-1', call_id: 'c2', action: { commands: ['ls'] } },
      { type: 'function_call', id: 'fc-1', call_id: 'c1', name: 'f', arguments: '{}' },
    ]
    const added = [...items, { type: 'message', id: 'cut' }].map((item, output_index) => ({
      type: 'response.output_item.added',
      output_index,
      item: { type: item.type, id: item.id },
    }))
    const done = items.map((item, output_index) => ({
      type: 'response.output_item.done',
      output_index,
      item,
    }))
    // Items may end in another order.
    expect(contentOf(openaiResponses(), [...added, ...done.reverse()])).toEqual(items)
    expect(
      contentOf(openaiResponses(), [{ object: 'response', status: 'completed', output: items }]),
    ).toEqual(items)
  })

  it('of Gemini has its parts, with their signatures', () => {
    const add = (...parts: object[]): object => ({ candidates: [{ content: { parts } }] })
    const file = { inlineData: { data: 'aGk=', mimeType: 'image/png' }, thoughtSignature: 's2' }
    const chunks = [
      add({ text: 'H', thought: true }),
      add({ text: 'm', thought: true }),
      add({ text: 'a' }, { text: '' }),
      add({ text: 'b' }, {}),
      add({ text: 'c', thoughtSignature: 's1' }, { text: 'd' }, file),
      add({ functionCall: { id: 'c1', name: 'f', willContinue: true }, thoughtSignature: 's3' }),
      add({ functionCall: { partialArgs: [{ jsonPath: '$.x', numberValue: 1 }] } }),
      add({ text: '', thoughtSignature: 's4' }),
      { candidates: [{ finishReason: 'STOP' }] },
    ]
    expect(contentOf(geminiContent(), chunks)).toEqual([
      { thought: true, text: 'Hm' },
      { text: 'ab' },
      { text: 'c', thoughtSignature: 's1' },
      { text: 'd' },
      file,
      { functionCall: { id: 'c1', name: 'f', args: { x: 1 } }, thoughtSignature: 's3' },
      { text: '', thoughtSignature: 's4' },
    ])
  })

  it('of Interactions has its steps', () => {
    const step = (index: number, start: object, ...deltas: object[]): object[] => [
      { event_type: 'step.start', index, step: start },
      ...deltas.map((delta) => ({ event_type: 'step.delta', index, delta })),
      { event_type: 'step.stop', index },
    ]
    const chunks = [
      ...step(0, { type: 'model_output' }, { type: 'text', text: 'Hi' }),
      ...step(
        1,
        { type: 'function_call', id: 'c1', name: 'f' },
        { type: 'arguments_delta', arguments: '{"x":1}' },
      ),
      ...step(2, { type: 'google_search_result', call_id: 's1', result: [] }),
    ]
    expect(contentOf(geminiInteractions(), chunks)).toEqual([
      { type: 'model_output', content: [{ type: 'text', text: 'Hi' }] },
      // Its end is that of the interaction.
      { type: 'function_call', id: 'c1', name: 'f', arguments: { x: 1 } },
      { type: 'google_search_result', call_id: 's1', result: [] },
    ])
  })

  it('of Converse has its blocks', () => {
    const add = (contentBlockIndex: number, delta: object): object => ({
      contentBlockDelta: { contentBlockIndex, delta },
    })
    const toolUse = { toolUseId: 'c1', name: 'f' }
    const chunks = [
      add(0, { reasoningContent: { text: 'Hm.' } }),
      add(0, { reasoningContent: { signature: 'sig' } }),
      { contentBlockStop: { contentBlockIndex: 0 } },
      add(1, { reasoningContent: { redactedContent: 'aGk=' } }),
      { contentBlockStop: { contentBlockIndex: 1 } },
      add(2, { text: 'Hi' }),
      { contentBlockStart: { contentBlockIndex: 3, start: { toolUse } } },
      add(3, { toolUse: { input: '{"x":1}' } }),
      { contentBlockStop: { contentBlockIndex: 3 } },
      { messageStop: { stopReason: 'tool_use' } },
    ]
    expect(contentOf(bedrockConverse(), chunks)).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'sig' } } },
      { reasoningContent: { redactedContent: 'aGk=' } },
      { text: 'Hi' },
      { toolUse: { ...toolUse, input: { x: 1 } } },
    ])
  })

  const chat = (delta: object, finish_reason: string | null = null): object => ({
    choices: [{ index: 0, delta, finish_reason }],
  })

  it('of Chat Completions is one message', () => {
    const signed = { google: { thought_signature: 's' } }
    const calls = [
      { index: 0, id: 'c1', function: { name: 'f', arguments: '{"x":1}' }, extra_content: signed },
      { index: 1, id: 'c2', custom: { name: 'sql', input: 'SELECT' } },
      { index: 2, id: 'c3', function: { name: 'g', arguments: '' } },
    ]
    const chunks = [
      chat({ role: 'assistant', content: '' }),
      chat({ reasoning_content: 'Hm.' }),
      chat({ content: 'Hi' }),
      chat({ tool_calls: calls }, 'tool_calls'),
    ]
    expect(contentOf(openaiChat(), chunks)).toEqual([
      {
        role: 'assistant',
        content: 'Hi',
        reasoning_content: 'Hm.',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'f', arguments: '{"x":1}' },
            extra_content: signed,
          },
          { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'SELECT' } },
          { id: 'c3', type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      },
    ])
    expect(contentOf(openaiChat(), [chat({ reasoning: 'Hm.' }, 'stop')])).toEqual([])
  })

  it('of OpenRouter has the details of the reasoning, whole', () => {
    const text = { type: 'reasoning.text', index: 0 }
    const encrypted = { type: 'reasoning.encrypted', data: 'e', id: 'c1', index: 1 }
    const chunks = [
      chat({ reasoning: 'H', reasoning_details: [{ ...text, text: 'H', signature: null }] }),
      chat({ reasoning: 'm', reasoning_details: [{ ...text, text: 'm' }] }),
      chat({ reasoning_details: [{ ...text, signature: 'sig' }, encrypted] }),
      chat({ content: 'Hi' }, 'stop'),
    ]
    expect(contentOf(openaiChat(), chunks)).toEqual([
      {
        role: 'assistant',
        content: 'Hi',
        reasoning_details: [{ ...text, text: 'Hm', signature: 'sig' }, encrypted],
      },
    ])
  })

  it('of Cohere is one message, with the plan', () => {
    const delta = (message: object): object => ({ delta: { message } })
    const chunks = [
      { type: 'message-start', id: 'm' },
      { type: 'tool-plan-delta', ...delta({ tool_plan: 'Look.' }) },
      {
        type: 'tool-call-start',
        index: 0,
        ...delta({ tool_calls: { id: 'c1', function: { name: 'f', arguments: '{}' } } }),
      },
      { type: 'tool-call-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
    ]
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
    expect(contentOf(cohereChat(), chunks)).toEqual([
      { role: 'assistant', content: '', tool_plan: 'Look.', tool_calls: [call] },
    ])
  })

  it('shares nothing with the state', () => {
    const state = readStream(anthropicMessages(), [...paused, ...stop('pause_turn')])
    const before = JSON.stringify(state.state)
    for (const item of state.turn.content) item.type = 'changed'
    expect(JSON.stringify(state.state)).toBe(before)
  })

  it('of more than 64 levels is cut, which is reported', () => {
    let deep: object = {}
    for (let level = 0; level < 100; level++) deep = { deep }
    const item = { type: 'program', id: 'p', deep }
    const { turn, codes } = readStream(openaiResponses(), [
      { object: 'response', status: 'completed', output: [item] },
    ])
    expect(turn.content).toMatchObject([{ type: 'program', deep: { deep: { deep: {} } } }])
    expect(codes).toContain('lossy:content')
  })
})
