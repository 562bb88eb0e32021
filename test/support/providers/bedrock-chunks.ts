// Arbitrary Converse streams: what the servers send, in any order, with anything missing.

import fc from 'fast-check'
import { jsonValue } from '../json.ts'

const piece = fc.constantFrom('', 'a', 'word ', '<thinking>', '</thinking>', '\ud83d', '\ude00', '\n')
const argumentsPiece = fc.constantFrom('', '{', '}', '{}', '{"a":', '1', '"b\\', 'n"', '[1]', '😀', 'x')
const count = fc.oneof(fc.nat(100), fc.constantFrom<unknown>(null, -1, 1.5, '7'))
const contentBlockIndex = fc.integer({ min: 0, max: 2 })
const toolUseId = fc.constantFrom('', 'id-1', 'id-2', 'id-3')
const base64 = fc.constantFrom('', 'aGk=', 'aGkh', 'no base64!')

const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 20 }, { arbitrary: jsonValue({ maxDepth: 2 }), weight: 1 })

const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(fields, { requiredKeys: [] }).map((value) => JSON.parse(JSON.stringify(value)))

const start = fc.oneof(
  record({
    toolUse: mostly(
      record({
        toolUseId,
        name: fc.constantFrom('', 'search'),
        type: fc.constantFrom('tool_use', 'server_tool_use'),
      }),
    ),
  }),
  record({
    toolResult: mostly(
      record({
        toolUseId,
        type: fc.constant('search_tool_result'),
        status: fc.constantFrom('success', 'error'),
      }),
    ),
  }),
  record({ image: mostly(record({ format: fc.constant('png') })) }),
)

const delta = fc.oneof(
  { arbitrary: record({ text: mostly(piece) }), weight: 4 },
  { arbitrary: record({ toolUse: mostly(record({ input: mostly(argumentsPiece) })) }), weight: 4 },
  {
    arbitrary: record({
      reasoningContent: mostly(
        record({ text: piece, signature: fc.constant('sig'), redactedContent: base64 }),
      ),
    }),
    weight: 4,
  },
  {
    arbitrary: record({
      citation: mostly(
        record({
          source: fc.constantFrom('', 'https://example.com', 'doc'),
          title: piece,
          location: jsonValue(),
        }),
      ),
    }),
    weight: 1,
  },
  { arbitrary: record({ image: mostly(record({ source: mostly(record({ bytes: base64 })) })) }), weight: 1 },
  {
    arbitrary: record({
      toolResult: mostly(fc.array(record({ text: piece, json: jsonValue() }), { maxLength: 2 })),
    }),
    weight: 2,
  },
)

const stopReason = fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'guardrail_intervened')

/** Chunks of ConverseStream. */
export const bedrockChunk: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: record({ messageStart: mostly(record({ role: fc.constant('assistant') })) }), weight: 1 },
  {
    arbitrary: record({ contentBlockStart: mostly(record({ contentBlockIndex, start: mostly(start) })) }),
    weight: 8,
  },
  {
    arbitrary: record({ contentBlockDelta: mostly(record({ contentBlockIndex, delta: mostly(delta) })) }),
    weight: 14,
  },
  { arbitrary: record({ contentBlockStop: mostly(record({ contentBlockIndex })) }), weight: 5 },
  { arbitrary: record({ messageStop: mostly(record({ stopReason })) }), weight: 1 },
  {
    arbitrary: record({
      metadata: mostly(
        record({
          usage: mostly(record({ inputTokens: count, outputTokens: count, cacheReadInputTokens: count })),
        }),
      ),
    }),
    weight: 1,
  },
  { arbitrary: record({ throttlingException: mostly(record({ message: piece })) }), weight: 1 },
  { arbitrary: jsonValue(), weight: 1 },
)
