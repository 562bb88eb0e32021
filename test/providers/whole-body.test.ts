// Proves that the body of a server that does not stream is read as its stream would be.

import { pipe, run } from 'turnstream'
import { modelTurn } from 'turnstream/providers'
import { jsonDecoder } from 'turnstream/sse'
import { expect, it } from 'vitest'
import { readers } from '../../examples/readers.ts'

const geminiPart = (parts: readonly object[], more: object = {}): object => ({
  candidates: [{ content: { parts, role: 'model' }, ...more }],
  modelVersion: 'm',
  responseId: 'r',
})

const bodies: readonly (readonly [name: string, finishReason: string, body: unknown])[] = [
  [
    'openai',
    'tool_calls',
    {
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            reasoning_content: 'Hm.',
            content: 'Hi',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    },
  ],
  [
    'responses',
    'completed',
    {
      id: 'r',
      object: 'response',
      model: 'm',
      status: 'completed',
      output: [
        { type: 'reasoning', id: 'w', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        {
          type: 'message',
          id: 'x',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
        },
        {
          type: 'function_call',
          id: 'y',
          call_id: 'a',
          name: 'f',
          arguments: '{"a":1}',
          status: 'completed',
        },
      ],
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    },
  ],
  [
    'anthropic',
    'tool_use',
    {
      id: 'r',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 2 },
    },
  ],
  [
    'gemini',
    'STOP',
    [
      geminiPart([{ text: 'Hm.', thought: true }, { text: 'H' }]),
      geminiPart([{ text: 'i' }, { functionCall: { name: 'f', args: { a: 1 } } }], { finishReason: 'STOP' }),
      { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 } },
    ],
  ],
  [
    'interactions',
    'requires_action',
    {
      id: 'i',
      object: 'interaction',
      model: 'm',
      status: 'requires_action',
      steps: [
        { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }], signature: 's' },
        { type: 'model_output', content: [{ type: 'text', text: 'Hi' }] },
        { type: 'function_call', id: 'a', name: 'f', arguments: { a: 1 } },
      ],
      usage: { total_input_tokens: 1, total_output_tokens: 2, total_tokens: 3 },
    },
  ],
  [
    'bedrock',
    'tool_use',
    {
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } },
            { text: 'H' },
            { citationsContent: { content: [{ text: 'i' }], citations: [] } },
            { toolUse: { toolUseId: 'a', name: 'f', input: { a: 1 } } },
          ],
        },
      },
      stopReason: 'tool_use',
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
      metrics: { latencyMs: 1 },
    },
  ],
  [
    'cohere',
    'TOOL_CALL',
    {
      id: 'c',
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        tool_plan: 'Hm.',
        content: [{ type: 'text', text: 'Hi' }],
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      usage: { tokens: { input_tokens: 1, output_tokens: 2 } },
    },
  ],
  [
    'ollama',
    'stop',
    {
      model: 'm',
      message: {
        role: 'assistant',
        thinking: 'Hm.',
        content: 'Hi',
        tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }],
      },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 1,
      eval_count: 2,
    },
  ],
]

it('of every reader', () => {
  expect(bodies.map(([name]) => name).sort()).toEqual(Object.keys(readers).sort())
})

it.each(bodies)('of %s', (name, finishReason, body) => {
  const codes: string[] = []
  const reader = pipe(jsonDecoder(), readers[name]?.({}) as never)
  const runner = run(reader, { onDiagnostic: ({ code }) => codes.push(code) })
  runner.push(JSON.stringify(body, null, 1))
  runner.end()
  const turn = modelTurn((runner.state as readonly unknown[])[1] as never)
  expect(turn).toMatchObject({
    text: 'Hi',
    thoughts: [{ text: 'Hm.' }],
    calls: [{ toolName: 'f', arguments: { a: 1 }, status: 'complete' }],
    finishReason,
    usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
  })
  expect(codes).toEqual([])
})
