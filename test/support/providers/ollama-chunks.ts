// Arbitrary Ollama streams: what the servers send, in any order, with anything missing.

import fc from 'fast-check'
import { jsonValue } from '../json.ts'

const piece = fc.constantFrom('', 'a', 'word ', '<thinking>', '</thinking>', '\ud83d', '\ude00', '\n')
const count = fc.oneof(fc.nat(100), fc.constantFrom<unknown>(null, -1, 1.5, '7'))

const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 20 }, { arbitrary: jsonValue({ maxDepth: 2 }), weight: 1 })

const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(fields, { requiredKeys: [] }).map((value) => JSON.parse(JSON.stringify(value)))

const call = record({
  id: fc.constantFrom('', 'id-1', 'id-2'),
  function: mostly(
    record({
      name: fc.constantFrom('', 'search'),
      arguments: mostly(fc.dictionary(fc.string(), jsonValue({ maxDepth: 2 }), { maxKeys: 2 })),
    }),
  ),
})

const message = record({
  role: fc.constant('assistant'),
  content: mostly(piece),
  thinking: mostly(piece),
  tool_calls: mostly(fc.array(mostly(call), { maxLength: 2 })),
})

/** Chunks of Ollama. */
export const ollamaChunk: fc.Arbitrary<unknown> = fc.oneof(
  {
    arbitrary: record({ model: fc.constant('m'), message: mostly(message), done: fc.constant(false) }),
    weight: 20,
  },
  {
    arbitrary: record({
      done: fc.constant(true),
      done_reason: mostly(fc.constantFrom('stop', 'length', 'load')),
      prompt_eval_count: count,
      eval_count: count,
      message: mostly(message),
    }),
    weight: 2,
  },
  { arbitrary: record({ error: jsonValue() }), weight: 1 },
  { arbitrary: jsonValue(), weight: 1 },
)
