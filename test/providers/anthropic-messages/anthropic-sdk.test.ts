// Proves that the assembled turn is the final message of the `@anthropic-ai/sdk` package, for any stream that it reads.

import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { iterate } from 'turnstream'
import { anthropicMessages } from 'turnstream/providers'
import { encodeMessage } from 'turnstream/sse'
import { expect, it } from 'vitest'
import { jsonValue } from '../../support/json.ts'
import { readStream } from '../../support/providers/agent-loop.ts'
import { runs } from '../../support/runs.ts'

type Chunk = { type: string } & Record<string, unknown>

/** A client whose server answers with chunks. */
const clientOf = (chunks: readonly Chunk[]): Anthropic =>
  new Anthropic({
    apiKey: 'none',
    fetch: async () =>
      new Response(
        chunks.map((chunk) => encodeMessage({ event: chunk.type, data: JSON.stringify(chunk) })).join(''),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  })

const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), { maxLength: 5 })
const count = fc.nat(1000)

/** A block: its start, and its deltas. */
const block: fc.Arbitrary<{ start: object; deltas: object[] }> = fc.oneof(
  pieces.map((texts) => ({
    start: { type: 'text', text: '', citations: null },
    deltas: texts.map((text) => ({ type: 'text_delta', text })),
  })),
  fc.tuple(pieces, fc.base64String({ minLength: 4 })).map(([texts, signature]) => ({
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...texts.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ],
  })),
  fc
    .tuple(fc.uuid(), fc.dictionary(fc.string(), jsonValue({ maxDepth: 1 })), fc.integer({ min: 1, max: 9 }))
    .map(([id, input, size]) => ({
      start: { type: 'tool_use', id, name: 'search', input: {} },
      deltas: (JSON.stringify(input).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      })),
    })),
)

const answer = fc
  .record({ blocks: fc.array(block, { maxLength: 4 }), input: count, cached: count, output: count })
  .map(({ blocks, input, cached, output }): Chunk[] => [
    {
      type: 'message_start',
      message: {
        id: 'msg-1',
        type: 'message',
        role: 'assistant',
        model: 'm-1',
        content: [],
        stop_reason: null,
        usage: { input_tokens: input, cache_read_input_tokens: cached, output_tokens: 1 },
      },
    },
    ...blocks.flatMap(({ start, deltas }, index): Chunk[] => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } },
    { type: 'message_stop' },
  ])

it('give the same text, thoughts, calls, stop reason and usage', async () => {
  await fc.assert(
    fc.asyncProperty(answer, async (chunks) => {
      const request = { model: 'm-1', max_tokens: 1, messages: [] }
      const { content, stop_reason, usage } = await clientOf(chunks).messages.stream(request).finalMessage()
      const { turn, codes } = readStream(anthropicMessages(), chunks)
      expect(turn.text).toBe(content.map((one) => (one.type === 'text' ? one.text : '')).join(''))
      expect(turn.thoughts).toEqual(
        content.flatMap((one) =>
          one.type === 'thinking' ? [{ text: one.thinking, signature: one.signature }] : [],
        ),
      )
      expect(turn.calls.map((one) => [one.toolCallId, one.toolName, one.text])).toEqual(
        content.flatMap((one) =>
          one.type === 'tool_use' ? [[one.id, one.name, JSON.stringify(one.input)]] : [],
        ),
      )
      // The API rejects empty texts.
      expect(turn.content).toEqual(content.filter((one) => one.type !== 'text' || one.text !== ''))
      expect(turn.finishReason).toBe(stop_reason)
      expect(turn.usage).toMatchObject({
        inputTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
        outputTokens: usage.output_tokens,
      })
      expect(codes).toEqual([])
    }),
    { numRuns: runs(40) },
  )
})

it('are read from the iterator of the client', async () => {
  const [chunks] = fc.sample(answer, { numRuns: 1, seed: 1 })
  const stream = await clientOf(chunks ?? []).messages.create({
    model: 'm-1',
    max_tokens: 1,
    messages: [],
    stream: true,
  })
  const kinds: string[] = []
  for await (const draft of iterate(anthropicMessages(), stream)) kinds.push(draft.kind)
  expect([kinds.at(0), kinds.at(-1)]).toEqual(['internal:llm-call', 'content-complete'])
})
