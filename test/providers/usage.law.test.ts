// Proves that the usage adds up to what is billed, however a server counts it: parts are contained in their totals.

import fc from 'fast-check'
import type { Usage } from 'turnstream'
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
import { runs } from '../support/runs.ts'

/** What is billed, each token once. */
interface Billed {
  /** Of the input, without the cache. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Of the output, without the reasoning. */
  readonly output: number
  readonly reasoning: number
}

const none: Billed = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
const inputOf = ({ input, cacheRead, cacheWrite }: Billed): number => input + cacheRead + cacheWrite
const outputOf = ({ output, reasoning }: Billed): number => output + reasoning
const totalOf = (billed: Billed): number => inputOf(billed) + outputOf(billed)

/** How a server counts: which parts a provider has, and the chunks that state them. */
type Counting = readonly [
  name: string,
  create: () => Provider,
  parts: readonly (keyof Billed)[],
  chunksOf: (billed: Billed) => readonly object[],
]

const chat = (usage: object): object[] => [
  { model: 'm-1', choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] },
  { choices: [], usage },
]
const chatDetails = ({ cacheRead, cacheWrite, reasoning }: Billed): object => ({
  prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
  completion_tokens_details: { reasoning_tokens: reasoning },
})
const anthropicTokens = (billed: Billed): object => ({
  input_tokens: billed.input,
  cache_read_input_tokens: billed.cacheRead,
  cache_creation_input_tokens: billed.cacheWrite,
  output_tokens: outputOf(billed),
})
const anthropic = (first: object, last: object): object[] => [
  { type: 'message_start', message: { id: 'msg-1', model: 'm-1', content: [], usage: first } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last },
  { type: 'message_stop' },
]
/** A part of what is billed, and the rest. */
const split = (billed: Billed): [Billed, Billed] => {
  const entries = Object.entries(billed) as [keyof Billed, number][]
  const half = Object.fromEntries(entries.map(([name, count]) => [name, count >> 1]))
  const rest = Object.fromEntries(entries.map(([name, count]) => [name, count - (count >> 1)]))
  return [
    { ...none, ...half },
    { ...none, ...rest },
  ]
}

const input = ['input', 'cacheRead', 'cacheWrite'] as const
const all = [...input, 'output', 'reasoning'] as const

const countings: readonly Counting[] = [
  [
    'openaiChat',
    openaiChat,
    all,
    (billed) =>
      chat({
        prompt_tokens: inputOf(billed),
        completion_tokens: outputOf(billed),
        total_tokens: totalOf(billed),
        ...chatDetails(billed),
      }),
  ],
  [
    'openaiChat, the reasoning in the total alone',
    openaiChat,
    ['input', 'output', 'reasoning'],
    (billed) =>
      chat({
        prompt_tokens: inputOf(billed),
        completion_tokens: billed.output,
        total_tokens: totalOf(billed),
        ...chatDetails(billed),
      }),
  ],
  [
    'openaiChat, the cache in the total alone',
    openaiChat,
    [...input, 'output'],
    (billed) =>
      chat({
        prompt_tokens: billed.input,
        completion_tokens: outputOf(billed),
        total_tokens: totalOf(billed),
        ...chatDetails(billed),
      }),
  ],
  [
    'openaiChat, more reasoning than output, in no total',
    openaiChat,
    ['input', 'output', 'reasoning'],
    (billed) => {
      const { output, reasoning } = billed
      const isApart = reasoning > output
      const completion_tokens = isApart ? output : outputOf(billed)
      return chat({
        prompt_tokens: billed.input,
        completion_tokens,
        total_tokens: billed.input + completion_tokens,
        ...chatDetails(billed),
      })
    },
  ],
  [
    'openaiChat, more of the cache than input, in no total',
    openaiChat,
    ['input', 'cacheRead', 'output'],
    (billed) => {
      const prompt_tokens = billed.cacheRead > billed.input ? billed.input : inputOf(billed)
      return chat({
        prompt_tokens,
        completion_tokens: billed.output,
        total_tokens: prompt_tokens + billed.output,
        ...chatDetails(billed),
      })
    },
  ],
  [
    'openaiResponses',
    openaiResponses,
    all,
    (billed) => [
      {
        type: 'response.completed',
        response: {
          id: 'resp-1',
          model: 'm-1',
          status: 'completed',
          usage: {
            input_tokens: inputOf(billed),
            output_tokens: outputOf(billed),
            total_tokens: totalOf(billed),
            input_tokens_details: { cached_tokens: billed.cacheRead, cache_write_tokens: billed.cacheWrite },
            output_tokens_details: { reasoning_tokens: billed.reasoning },
          },
        },
      },
    ],
  ],
  [
    'anthropicMessages',
    anthropicMessages,
    all,
    (billed) =>
      anthropic({ ...anthropicTokens(billed), output_tokens: 1 }, { output_tokens: outputOf(billed) }),
  ],
  ...(['compaction', 'advisor_message'] as const).map(
    (type): Counting => [
      `anthropicMessages, a ${type} apart`,
      anthropicMessages,
      all,
      (billed) => {
        const [further, message] = split(billed)
        const iterations = [
          { type, ...anthropicTokens(further) },
          { type: 'message', ...anthropicTokens(message) },
        ]
        return anthropic(anthropicTokens(further), { ...anthropicTokens(message), iterations })
      },
    ],
  ),
  [
    'anthropicMessages, several iterations that the message includes',
    anthropicMessages,
    all,
    (billed) => {
      const iterations = split(billed).map((each) => ({ type: 'message', ...anthropicTokens(each) }))
      return anthropic(anthropicTokens(none), { ...anthropicTokens(billed), iterations })
    },
  ],
  [
    'bedrockConverse',
    bedrockConverse,
    all,
    (billed) => [
      { messageStop: { stopReason: 'end_turn' } },
      {
        metadata: {
          usage: {
            inputTokens: billed.input,
            cacheReadInputTokens: billed.cacheRead,
            cacheWriteInputTokens: billed.cacheWrite,
            outputTokens: outputOf(billed),
            totalTokens: totalOf(billed),
          },
        },
      },
    ],
  ],
  [
    'geminiContent',
    geminiContent,
    ['input', 'cacheRead', 'output', 'reasoning'],
    (billed) => [
      {
        candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: inputOf(billed),
          cachedContentTokenCount: billed.cacheRead,
          candidatesTokenCount: billed.output,
          thoughtsTokenCount: billed.reasoning,
          totalTokenCount: totalOf(billed),
        },
      },
    ],
  ],
  [
    'geminiInteractions',
    geminiInteractions,
    ['input', 'cacheRead', 'output', 'reasoning'],
    (billed) => [
      { event_type: 'interaction.created', interaction: { id: 'int-1', model: 'm-1' } },
      {
        event_type: 'interaction.completed',
        interaction: {
          status: 'completed',
          usage: {
            total_input_tokens: inputOf(billed),
            total_cached_tokens: billed.cacheRead,
            total_output_tokens: billed.output,
            total_thought_tokens: billed.reasoning,
            total_tokens: totalOf(billed),
          },
        },
      },
    ],
  ],
  [
    'cohereChat',
    cohereChat,
    ['input', 'cacheRead', 'output'],
    (billed) => [
      { type: 'message-start', id: 'm' },
      {
        type: 'message-end',
        delta: {
          finish_reason: 'COMPLETE',
          usage: {
            tokens: { input_tokens: inputOf(billed), output_tokens: billed.output },
            cached_tokens: billed.cacheRead,
          },
        },
      },
    ],
  ],
]

const count = fc.integer({ min: 1, max: 100_000 })

describe.each(countings)('the usage of %s', (_, create, parts, chunksOf) => {
  const billed = fc
    .record<Record<keyof Billed, number>>({
      input: count,
      cacheRead: count,
      cacheWrite: count,
      output: count,
      reasoning: count,
    })
    .map((counts): Billed => ({ ...none, ...Object.fromEntries(parts.map((part) => [part, counts[part]])) }))

  it('adds up to what is billed', () => {
    fc.assert(
      fc.property(billed, (what) => {
        const { turn, codes } = readStream(create(), chunksOf(what))
        const { inputTokens, outputTokens, totalTokens, ...rest }: Usage = turn.usage ?? {}
        expect({ inputTokens, outputTokens, totalTokens }).toEqual({
          inputTokens: inputOf(what),
          outputTokens: outputOf(what),
          totalTokens: totalOf(what),
        })
        // What a provider does not state apart is unknown.
        expect(what.cacheRead).toBe(rest.cachedInputTokens ?? what.cacheRead)
        expect(what.cacheWrite).toBe(rest.cacheWriteInputTokens ?? what.cacheWrite)
        expect(what.reasoning).toBe(rest.reasoningTokens ?? what.reasoning)
        expect(codes).toEqual([])
      }),
      { numRuns: runs(100) },
    )
  })
})

it('a compaction is counted, as recorded: 60,385 tokens of the summary, and 612 of the answer', () => {
  const tokens = (input_tokens: number, output_tokens: number): object => ({
    input_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens,
  })
  const iterations = [
    { type: 'compaction', ...tokens(60_385, 522) },
    { type: 'message', ...tokens(612, 2819) },
  ]
  const chunks = anthropic(tokens(60_385, 5), { ...tokens(612, 2819), iterations })
  expect(readStream(anthropicMessages(), chunks).turn.usage).toEqual({
    model: 'm-1',
    inputTokens: 60_997,
    outputTokens: 3341,
    totalTokens: 64_338,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
  })
})

it('counts of a compaction that are no counts are reported', () => {
  const iterations = [{ type: 'compaction', input_tokens: '5', output_tokens: 2 }]
  const { turn, diagnostics } = readStream(
    anthropicMessages(),
    anthropic({}, { input_tokens: 1, output_tokens: 1, iterations }),
  )
  expect(turn.usage).toMatchObject({ inputTokens: 1, outputTokens: 3 })
  expect(diagnostics).toMatchObject([
    { code: 'dropped:usage', message: 'Expected an integer from 0 as input_tokens, got a text.' },
  ])
})
