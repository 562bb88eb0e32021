// Arbitrary Cohere streams: what the servers send, in any order, with anything missing.

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

const source = record({
  type: fc.constantFrom('document', 'tool'),
  id,
  document: mostly(record({ id, title: piece, url: fc.constant('https://example.com'), snippet: piece })),
})

const citation = record({
  start: count,
  end: count,
  type: fc.constantFrom('TEXT_CONTENT', 'PLAN'),
  content_index: index,
  sources: mostly(fc.array(source, { maxLength: 2 })),
})

const message = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  mostly(record({ message: mostly(record(fields)) }))

const content = mostly(
  record({ type: fc.constantFrom('text', 'thinking', 'x'), text: mostly(piece), thinking: mostly(piece) }),
)
const call = mostly(
  record({
    id,
    function: mostly(record({ name: fc.constantFrom('', 'search'), arguments: mostly(argumentsPiece) })),
  }),
)
const end = record({
  finish_reason: fc.constantFrom('COMPLETE', 'MAX_TOKENS', 'TOOL_CALL', 'ERROR', 'TIMEOUT'),
  usage: mostly(
    record({ tokens: mostly(record({ input_tokens: count, output_tokens: count })), cached_tokens: count }),
  ),
  error: mostly(piece),
})

const chunk = (types: readonly string[], delta: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  record({ type: fc.constantFrom(...types), index, id, delta })

/** Chunks of Cohere v2. */
export const cohereChunk: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: chunk(['content-start', 'content-delta', 'content-delta'], message({ content })), weight: 8 },
  { arbitrary: chunk(['tool-call-start', 'tool-call-delta'], message({ tool_calls: call })), weight: 8 },
  { arbitrary: chunk(['content-end', 'tool-call-end', 'citation-end'], jsonValue()), weight: 4 },
  { arbitrary: chunk(['tool-plan-delta'], message({ tool_plan: mostly(piece) })), weight: 3 },
  {
    arbitrary: chunk(['citation-start'], message({ citations: fc.oneof(citation, fc.array(citation)) })),
    weight: 2,
  },
  { arbitrary: chunk(['message-start', 'message-end', 'unheard_of'], end), weight: 1 },
  { arbitrary: jsonValue(), weight: 1 },
)
