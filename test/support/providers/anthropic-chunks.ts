// Arbitrary Messages streams: what the servers send, in any order, with anything missing.

import fc from 'fast-check'
import { jsonValue } from '../json.ts'

const piece = fc.constantFrom('', 'a', 'word ', '<thinking>', '</thinking>', '\ud83d', '\ude00', '\n')
const argumentsPiece = fc.constantFrom('', '{', '}', '{}', '{"a":', '1', '"b\\', 'n"', '[1]', '😀', 'x')
const count = fc.oneof(fc.nat(100), fc.constantFrom<unknown>(null, -1, 1.5, '7'))
const index = fc.integer({ min: 0, max: 2 })
const id = fc.constantFrom('', 'id-1', 'id-2', 'id-3')

const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 20 }, { arbitrary: jsonValue({ maxDepth: 2 }), weight: 1 })

const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(fields, { requiredKeys: [] }).map((value) => JSON.parse(JSON.stringify(value)))

const usage = record({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  output_tokens_details: mostly(record({ thinking_tokens: count })),
})

const citation = record({
  type: fc.constantFrom('web_search_result_location', 'char_location', 'x'),
  url: fc.constantFrom('', 'https://example.com'),
  document_index: count,
  cited_text: piece,
})

const block = record({
  type: fc.constantFrom(
    'text',
    'text',
    'thinking',
    'redacted_thinking',
    'tool_use',
    'tool_use',
    'server_tool_use',
    'mcp_tool_use',
    'web_search_tool_result',
    'mcp_tool_result',
    'fallback',
    'image',
    'compaction',
    'unheard_of',
  ),
  text: piece,
  thinking: piece,
  signature: fc.constantFrom('', 'sig'),
  data: fc.constantFrom('aGk=', 'no base64!'),
  id,
  name: fc.constantFrom('', 'search'),
  input: mostly(record({ a: count })),
  tool_use_id: id,
  content: mostly(record({ type: fc.constantFrom('x_result', 'x_error') })),
  is_error: fc.boolean(),
  citations: mostly(fc.array(citation, { maxLength: 1 })),
  to: record({ model: fc.constantFrom('m-1', 'm-2') }),
  source: record({ data: fc.constantFrom('aGk=', 'no base64!'), media_type: fc.constant('image/png') }),
})

const blockDelta = record({
  type: fc.constantFrom(
    'text_delta',
    'thinking_delta',
    'signature_delta',
    'input_json_delta',
    'input_json_delta',
    'citations_delta',
    'unheard_of',
  ),
  text: mostly(piece),
  thinking: mostly(piece),
  signature: fc.constant('sig'),
  partial_json: mostly(argumentsPiece),
  citation: mostly(citation),
})

const message = record({
  id: fc.constantFrom('', 'msg-1', 'msg-2'),
  model: fc.constantFrom('', 'm-1'),
  content: mostly(fc.array(block, { maxLength: 2 })),
  usage: mostly(usage),
})

const stopReason = fc.constantFrom('end_turn', 'max_tokens', 'tool_use', 'refusal', 'pause_turn')

/** Chunks of Messages. */
export const anthropicChunk: fc.Arbitrary<unknown> = fc.oneof(
  {
    arbitrary: record({ type: fc.constant('content_block_start'), index, content_block: mostly(block) }),
    weight: 8,
  },
  {
    arbitrary: record({ type: fc.constant('content_block_delta'), index, delta: mostly(blockDelta) }),
    weight: 12,
  },
  { arbitrary: record({ type: fc.constant('content_block_stop'), index }), weight: 5 },
  { arbitrary: record({ type: fc.constant('message_start'), message: mostly(message) }), weight: 2 },
  {
    arbitrary: record({
      type: fc.constant('message_delta'),
      delta: mostly(record({ stop_reason: fc.oneof(stopReason, fc.constant(null)) })),
      usage: mostly(usage),
    }),
    weight: 1,
  },
  { arbitrary: record({ type: fc.constantFrom('message_stop', 'ping', 'unheard_of') }), weight: 1 },
  {
    arbitrary: record({
      type: fc.constant('error'),
      error: mostly(record({ type: fc.constant('overloaded_error'), message: piece })),
    }),
    weight: 1,
  },
  { arbitrary: jsonValue(), weight: 1 },
)
