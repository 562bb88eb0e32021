// Arbitrary Interactions streams: what the servers send, in any order, with anything missing.

import fc from 'fast-check'
import { jsonValue } from '../json.ts'

const piece = fc.constantFrom('', 'a', 'wörd ', '<thinking>', '</thinking>', '\ud83d', '\ude00', '\n')
const argumentsPiece = fc.constantFrom('', '{', '}', '{}', '{"a":', '1', '"b\\', 'n"', '[1]', '😀', 'x')
const count = fc.oneof(fc.nat(100), fc.constantFrom<unknown>(null, -1, 1.5, '7'))
const small = fc.nat(6)
const index = fc.integer({ min: 0, max: 2 })
const id = fc.constantFrom('', 'id-1', 'id-2', 'id-3')

const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 20 }, { arbitrary: jsonValue({ maxDepth: 2 }), weight: 1 })

const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(fields, { requiredKeys: [] }).map((value) => JSON.parse(JSON.stringify(value)))

const annotation = record({
  url: fc.constantFrom('', 'https://example.com'),
  title: piece,
  start_index: small,
  end_index: small,
})

const part = record({
  type: fc.constantFrom('text', 'text', 'image', 'unheard_of'),
  text: mostly(piece),
  data: fc.constantFrom('aGk=', 'no base64!'),
  mime_type: fc.constant('image/png'),
})

const fields = {
  id,
  call_id: id,
  name: fc.constantFrom('', 'search'),
  signature: fc.constantFrom('', 'sig'),
  text: mostly(piece),
  content: mostly(fc.oneof(part, fc.array(part, { maxLength: 2 }))),
  arguments: mostly(fc.oneof(argumentsPiece, record({ a: count }))),
  result: fc.option(jsonValue({ maxDepth: 1 })),
  is_error: fc.boolean(),
  annotations: mostly(fc.array(annotation, { maxLength: 2 })),
  data: fc.constantFrom('aGk=', 'no base64!'),
}

const calls = ['function_call', 'google_search_call', 'mcp_server_tool_call', 'google_search_result']
const step = record({ ...fields, type: fc.constantFrom('thought', 'model_output', ...calls, 'unheard_of') })
const delta = record({
  ...fields,
  type: fc.constantFrom(
    'text',
    'text_annotation_delta',
    'thought_summary',
    'thought_signature',
    'arguments_delta',
    ...calls,
    'unheard_of',
  ),
})
const interaction = record({
  id,
  model: fc.constantFrom('', 'm-1'),
  status: fc.constantFrom('completed', 'requires_action', 'failed', 'incomplete'),
  error: fc.option(record({ message: piece })),
  usage: mostly(record({ total_input_tokens: count, total_output_tokens: count, total_tokens: count })),
})

const chunk = (
  types: readonly string[],
  more: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<unknown> => record({ event_type: fc.constantFrom(...types), index, ...more })

/** Chunks of Interactions. */
export const interactionsChunk: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: chunk(['step.start'], { step: mostly(step) }), weight: 8 },
  { arbitrary: chunk(['step.delta'], { delta: mostly(delta) }), weight: 14 },
  { arbitrary: chunk(['step.stop'], {}), weight: 6 },
  {
    arbitrary: chunk(
      ['interaction.created', 'interaction.completed', 'interaction.status_update', 'error', 'x'],
      {
        interaction: mostly(interaction),
        error: mostly(record({ code: count, message: piece })),
      },
    ),
    weight: 2,
  },
  { arbitrary: jsonValue(), weight: 1 },
)
