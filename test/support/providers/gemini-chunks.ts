// Arbitrary Gemini streams: what the servers send, in any order, with anything missing.

import fc from 'fast-check'
import { jsonValue } from '../json.ts'

const piece = fc.constantFrom('', 'a', 'wörd ', '<thinking>', '</thinking>', '\ud83d', '\ude00', '\n')
const count = fc.oneof(fc.nat(100), fc.constantFrom<unknown>(null, -1, 1.5, '7'))
const id = fc.constantFrom('', 'id-1', 'id-2')
const url = fc.constantFrom('', 'https://example.com', 'gs://bucket')

const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 20 }, { arbitrary: jsonValue({ maxDepth: 2 }), weight: 1 })

const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(fields, { requiredKeys: [] }).map((value) => JSON.parse(JSON.stringify(value)))

const partial = fc.oneof(
  record({
    jsonPath: fc.constantFrom('$.a', '$.b', '$.c[0]', '$.c[1].d', "$['__proto__'].e", '$', 'x'),
    stringValue: mostly(piece),
    willContinue: fc.boolean(),
  }),
  record({ jsonPath: fc.constantFrom('$.a', '$.n', '$.c[2]'), numberValue: count }),
)

const call = record({
  id,
  name: fc.constantFrom('', 'search', 'read'),
  args: fc.oneof(
    { arbitrary: fc.constant(null), weight: 3 },
    { arbitrary: mostly(record({ a: count })), weight: 1 },
  ),
  partialArgs: mostly(fc.array(partial, { maxLength: 2 })),
  willContinue: fc.boolean(),
})

const part = fc.oneof(
  { arbitrary: record({ text: mostly(piece), thoughtSignature: fc.constantFrom('', 'sig') }), weight: 5 },
  { arbitrary: record({ text: piece, thought: fc.constant(true) }), weight: 3 },
  {
    arbitrary: record({ functionCall: mostly(call), thoughtSignature: fc.constantFrom('', 'sig') }),
    weight: 6,
  },
  { arbitrary: record({ executableCode: mostly(record({ id, code: piece })) }), weight: 1 },
  {
    arbitrary: record({
      codeExecutionResult: mostly(
        record({ id, outcome: fc.constantFrom('OUTCOME_OK', 'OUTCOME_FAILED'), output: piece }),
      ),
    }),
    weight: 1,
  },
  { arbitrary: record({ toolCall: record({ id, toolType: fc.constant('GOOGLE_MAPS') }) }), weight: 1 },
  { arbitrary: record({ toolResponse: record({ id, toolType: fc.constant('GOOGLE_MAPS') }) }), weight: 1 },
  {
    arbitrary: record({
      inlineData: mostly(
        record({ data: fc.constantFrom('aGk=', 'no base64!'), mimeType: fc.constant('image/png') }),
      ),
    }),
    weight: 1,
  },
)

const grounding = record({
  groundingChunks: mostly(fc.array(record({ web: mostly(record({ uri: url })) }), { maxLength: 2 })),
  groundingSupports: mostly(
    fc.array(
      record({
        segment: record({ startIndex: count, endIndex: count }),
        groundingChunkIndices: mostly(fc.array(count)),
      }),
      { maxLength: 2 },
    ),
  ),
})

const candidate = record({
  index: fc.constantFrom(0, 0, 0, 1),
  content: mostly(record({ parts: mostly(fc.array(part, { maxLength: 3 })) })),
  finishReason: fc.oneof(
    { arbitrary: fc.constant(null), weight: 8 },
    { arbitrary: fc.constantFrom('STOP', 'MAX_TOKENS', 'SAFETY', 'OTHER'), weight: 1 },
  ),
  groundingMetadata: mostly(grounding),
  citationMetadata: mostly(
    record({ citations: fc.array(record({ uri: url, endIndex: count }), { maxLength: 2 }) }),
  ),
})

/** Chunks of `streamGenerateContent`. */
export const geminiChunk: fc.Arbitrary<unknown> = mostly(
  record({
    candidates: mostly(fc.array(candidate, { minLength: 1, maxLength: 2 })),
    modelVersion: fc.constantFrom('', 'm-1'),
    responseId: fc.constantFrom('', 'r-1', 'r-1', 'r-2'),
    usageMetadata: mostly(
      record({ promptTokenCount: count, candidatesTokenCount: count, thoughtsTokenCount: count }),
    ),
    promptFeedback: fc.oneof(
      { arbitrary: fc.constant(null), weight: 20 },
      { arbitrary: mostly(record({ blockReason: fc.constant('SAFETY') })), weight: 1 },
    ),
    error: fc.oneof(
      { arbitrary: fc.constant(null), weight: 20 },
      { arbitrary: mostly(record({ code: count, message: piece })), weight: 1 },
    ),
  }),
)
