// Proves that a call is complete only with the arguments that the provider stated, and starts once.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readStream } from '../support/providers/agent-loop.ts'
import { createReader } from '../support/providers/readers.ts'
import { runs } from '../support/runs.ts'

/** No piece can be lost, repeated or moved so that the rest is a JSON object. */
const piecesOf = (index: number): string[] => ['{"k":', `{"n":${index}`, '}}']

const dialects: readonly [name: string, call: (index: number) => object[], end: object[]][] = [
  [
    'anthropic',
    (index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `c${index}`, name: 'f' },
      },
      ...piecesOf(index).map((partial_json) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index },
    ],
    [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }],
  ],
  [
    'bedrock',
    (i) => [
      {
        contentBlockStart: { contentBlockIndex: i, start: { toolUse: { toolUseId: `c${i}`, name: 'f' } } },
      },
      ...piecesOf(i).map((input) => ({
        contentBlockDelta: { contentBlockIndex: i, delta: { toolUse: { input } } },
      })),
      { contentBlockStop: { contentBlockIndex: i } },
    ],
    [{ messageStop: { stopReason: 'tool_use' } }],
  ],
  [
    'cohere',
    (index) => [
      {
        type: 'tool-call-start',
        index,
        delta: { message: { tool_calls: { id: `c${index}`, function: { name: 'f', arguments: '' } } } },
      },
      ...piecesOf(index).map((text) => ({
        type: 'tool-call-delta',
        index,
        delta: { message: { tool_calls: { function: { arguments: text } } } },
      })),
      { type: 'tool-call-end', index },
    ],
    [{ type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } }],
  ],
  [
    'gemini',
    (index) => {
      const part = (functionCall: object): object => ({
        candidates: [{ content: { parts: [{ functionCall: { id: `c${index}`, ...functionCall } }] } }],
      })
      // The name and the arguments come together, as their pieces are values and not text.
      return [part({ name: 'f', args: { k: { n: index } } })]
    },
    [{ candidates: [{ finishReason: 'STOP' }] }],
  ],
  [
    'interactions',
    (index) => [
      { event_type: 'step.start', index, step: { type: 'function_call', id: `c${index}`, name: 'f' } },
      ...piecesOf(index).map((text) => ({
        event_type: 'step.delta',
        index,
        delta: { type: 'arguments_delta', arguments: text },
      })),
      { event_type: 'step.stop', index },
    ],
    [{ event_type: 'interaction.completed', interaction: { status: 'requires_action' } }],
  ],
  [
    'openai',
    (index) =>
      [
        { index, id: `c${index}`, function: { name: 'f', arguments: '' } },
        ...piecesOf(index).map((text) => ({ index, function: { arguments: text } })),
      ].map((piece) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] })),
    [
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: 1 } },
    ],
  ],
  [
    'responses',
    (output_index) => {
      const item = { type: 'function_call', id: `f${output_index}`, call_id: `c${output_index}`, name: 'f' }
      const pieces = piecesOf(output_index)
      const whole = pieces.join('')
      return [
        { type: 'response.output_item.added', output_index, item },
        ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index, delta })),
        { type: 'response.function_call_arguments.done', output_index, arguments: whole },
        { type: 'response.output_item.done', output_index, item: { ...item, arguments: whole } },
      ]
    },
    [{ type: 'response.completed', response: { status: 'completed' } }],
  ],
]

it.each(dialects)(
  'of %s, if one chunk is lost, repeated, late, or swapped with the next one',
  (name, call, end) => {
    const create = () => createReader(name, { calls: 'start' })
    const chunks = [...call(0), ...call(1), ...end]
    expect(readStream(create(), chunks).turn.calls.map(({ status }) => status)).toEqual([
      'complete',
      'complete',
    ])
    const fault = fc.constantFrom('lost', 'repeated', 'late', 'swapped')
    fc.assert(
      fc.property(fault, fc.nat(chunks.length - 1), fc.nat(chunks.length - 1), (kind, at, to) => {
        const faulty = [...chunks]
        const [chunk] = kind === 'repeated' ? [chunks[at]] : faulty.splice(at, 1)
        const place = kind === 'swapped' ? at + 1 : Math.max(at, to)
        if (kind !== 'lost') faulty.splice(place, 0, chunk as object)
        const { drafts, turn } = readStream(create(), faulty)
        const started = drafts.flatMap((draft) =>
          draft.kind === 'tool-start' ? [[draft.toolCallId, draft.arguments]] : [],
        )
        const complete = turn.calls.flatMap(({ status, toolCallId, arguments: args }) =>
          status === 'complete' ? [[toolCallId, args]] : [],
        )
        expect([...started].sort()).toEqual([...complete].sort())
        expect(new Set(started.map(([id]) => id)).size).toBe(started.length)
        for (const [id, args] of complete) expect(args).toEqual({ k: { n: Number(String(id).slice(1)) } })
      }),
      { numRuns: runs(300) },
    )
  },
)
