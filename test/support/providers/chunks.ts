// Arbitrary streams of model providers: what their servers send, in any order, with anything missing.

import fc from 'fast-check'
import { jsonValue } from '../json.ts'

/** Pieces of text: tags in pieces, halves of surrogate pairs, and nothing. */
const piece = fc.constantFrom(
  '',
  'a',
  'word ',
  '<thi',
  '<thinking>',
  'nking>',
  '</thinking>',
  '\ud83d',
  '\ude00',
  '\n',
  '"',
)
const argumentsPiece = fc.constantFrom(
  '',
  '{',
  '}',
  '{}',
  '{"a":',
  '1',
  '"b\\',
  'n"',
  '{"a":1}',
  '[1]',
  '😀',
  'x',
)
const small = fc.integer({ min: 0, max: 2 })
const count = fc.oneof(fc.nat(100), fc.constantFrom<unknown>(null, -1, 1.5, '7'))

/** A value, now and then replaced by any JSON. */
const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: value, weight: 20 }, { arbitrary: jsonValue({ maxDepth: 2 }), weight: 1 })

const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(fields, { requiredKeys: [] }).map((value) => JSON.parse(JSON.stringify(value)))

const chatUsage = record({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  completion_tokens_details: record({ reasoning_tokens: count }),
})

const chatCall = record({
  index: small,
  id: fc.constantFrom('', 'call-1', 'call-2', 'call-3'),
  type: fc.constant('function'),
  function: mostly(
    record({ name: fc.constantFrom('', 'search', 'read'), arguments: fc.oneof(argumentsPiece, jsonValue()) }),
  ),
  custom: fc.oneof(
    { arbitrary: fc.constant(null), weight: 9 },
    { arbitrary: record({ name: piece, input: piece }), weight: 1 },
  ),
})

const chatDelta = record({
  role: fc.constant('assistant'),
  content: fc.oneof(
    { arbitrary: mostly(piece), weight: 8 },
    {
      arbitrary: fc.array(
        record({ type: fc.constantFrom('text', 'thinking', 'x'), text: piece, thinking: piece }),
      ),
      weight: 1,
    },
  ),
  refusal: fc.oneof({ arbitrary: fc.constant(null), weight: 9 }, { arbitrary: piece, weight: 1 }),
  reasoning: fc.option(piece),
  reasoning_content: fc.option(piece),
  reasoning_details: mostly(
    fc.array(record({ text: piece, signature: fc.constantFrom('', 'sig') }), { maxLength: 2 }),
  ),
  tool_calls: mostly(fc.array(chatCall, { maxLength: 2 })),
  annotations: mostly(
    fc.array(
      record({
        type: fc.constant('url_citation'),
        url_citation: mostly(record({ url: piece, start_index: count })),
      }),
      { maxLength: 2 },
    ),
  ),
})

const chatChoice = record({
  index: fc.constantFrom(0, 0, 0, 1),
  delta: mostly(chatDelta),
  finish_reason: fc.oneof(
    { arbitrary: fc.constant(null), weight: 8 },
    { arbitrary: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'), weight: 1 },
  ),
})

/** Chunks of Chat Completions. */
export const chatChunk: fc.Arbitrary<unknown> = mostly(
  record({
    id: fc.constantFrom('', 'chat-1'),
    model: fc.constantFrom('', 'm-1'),
    choices: mostly(fc.array(chatChoice, { maxLength: 2 })),
    usage: fc.option(chatUsage),
    citations: fc.option(fc.array(piece, { maxLength: 2 })),
    error: fc.oneof(
      { arbitrary: fc.constant(null), weight: 20 },
      { arbitrary: mostly(record({ message: piece, code: count })), weight: 1 },
    ),
  }),
)

const itemTypes = [
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
  'apply_patch_call',
  'shell_call',
  'shell_call_output',
  'web_search_call',
  'code_interpreter_call',
  'mcp_call',
  'image_generation_call',
  'mcp_approval_request',
  'compaction',
  'unheard_of',
]

const part = record({
  type: fc.constantFrom('output_text', 'refusal', 'reasoning_text', 'summary_text', 'x'),
  text: piece,
  refusal: piece,
  annotations: fc.option(
    fc.array(record({ type: fc.constantFrom('url_citation', 'y'), url: piece, start_index: count }), {
      maxLength: 1,
    }),
  ),
})

const item = record({
  type: fc.constantFrom(...itemTypes),
  id: fc.constantFrom('', 'item-1', 'item-2'),
  call_id: fc.constantFrom('', 'call-1', 'call-2'),
  name: fc.constantFrom('', 'search'),
  status: fc.constantFrom('in_progress', 'completed', 'failed'),
  phase: fc.constantFrom('commentary', 'final_answer'),
  arguments: mostly(argumentsPiece),
  input: mostly(piece),
  action: mostly(record({ commands: mostly(fc.array(piece, { maxLength: 2 })) })),
  operation: mostly(record({ type: fc.constant('create_file'), path: piece, diff: piece })),
  output: fc.option(jsonValue({ maxDepth: 1 })),
  result: fc.constantFrom('aGk=', 'no base64!'),
  content: mostly(fc.array(part, { maxLength: 2 })),
  summary: mostly(fc.array(part, { maxLength: 2 })),
  encrypted_content: fc.constantFrom('', 'sig'),
})

const response = record({
  id: fc.constantFrom('', 'resp-1', 'resp-2'),
  model: fc.constantFrom('', 'm-1'),
  status: fc.constantFrom('completed', 'incomplete', 'failed'),
  output: mostly(fc.array(item, { maxLength: 2 })),
  usage: fc.option(record({ input_tokens: count, output_tokens: count, total_tokens: count })),
  incomplete_details: fc.option(record({ reason: fc.constantFrom('max_output_tokens', 'content_filter') })),
  error: fc.oneof(
    { arbitrary: fc.constant(null), weight: 9 },
    { arbitrary: mostly(record({ message: piece })), weight: 1 },
  ),
})

const pieceTypes = [
  'response.output_text.delta',
  'response.output_text.done',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.reasoning_text.done',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.shell_call_command.delta',
  'response.shell_call_command.done',
  'response.shell_call_output_content.delta',
  'response.mcp_call_arguments.done',
  'response.code_interpreter_call_code.done',
  'response.web_search_call.searching',
  'response.output_text.annotation.added',
  'response.content_part.done',
  'response.unheard_of',
]

/** Chunks of Responses. */
export const responsesChunk: fc.Arbitrary<unknown> = fc.oneof(
  {
    arbitrary: record({
      type: fc.constantFrom('response.output_item.added', 'response.output_item.done'),
      output_index: small,
      item: mostly(item),
    }),
    weight: 6,
  },
  {
    arbitrary: record({
      type: fc.constantFrom(...pieceTypes),
      output_index: small,
      content_index: small,
      command_index: small,
      delta: mostly(fc.oneof(piece, argumentsPiece, record({ stdout: piece, stderr: piece }))),
      text: mostly(piece),
      command: mostly(piece),
      code: mostly(piece),
      arguments: mostly(argumentsPiece),
      part: mostly(part),
      annotation: mostly(record({ type: fc.constant('url_citation'), url: piece })),
    }),
    weight: 12,
  },
  {
    arbitrary: record({
      type: fc.constantFrom('response.created', 'response.queued'),
      response: mostly(response),
    }),
    weight: 2,
  },
  {
    arbitrary: record({
      type: fc.constantFrom('response.completed', 'response.incomplete', 'response.failed', 'error'),
      response: mostly(response),
      message: piece,
    }),
    weight: 1,
  },
  { arbitrary: jsonValue(), weight: 1 },
)
