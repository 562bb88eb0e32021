// Proves that each diagnostic of each reader has its code, its path and its detail, and names what came.

import fc from 'fast-check'
import type { Diagnostic } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { readers } from '../../examples/readers.ts'
import { readStream } from '../support/providers/agent-loop.ts'
import { mutationsOf } from '../support/providers/mutations.ts'
import { recordedChunks } from '../support/providers/readers.ts'
import { runs } from '../support/runs.ts'

type Expected = (name: string) => Diagnostic
type Case = readonly [what: string, chunks: (name: string) => readonly unknown[], expected: Expected]

const type =
  (path: string): Expected =>
  (name) => ({
    code: 'unknown-type',
    message: `Expected a known type of chunk, part or item, got ${name}.`,
    path,
    detail: { type: name },
  })
const field =
  (path: string): Expected =>
  (name) => ({
    code: 'unknown-field',
    message: `Expected a known field, got ${name}; its value is dropped.`,
    path: `${path}/${name}`,
  })
const dropped =
  (what: string, reason: string, message: (name: string) => string): Expected =>
  (name) => ({ code: `dropped:${what}`, message: message(name), detail: { reason } })
const inferred =
  (what: string, message: (name: string) => string): Expected =>
  (name) => ({ code: `inferred:${what}`, message: message(name) })
const failed: Expected = (name) => ({
  code: 'provider-error',
  message: 'The provider reported an error.',
  detail: { code: name, message: `Because of ${name}.` },
})
const failure = (name: string): object => ({ code: name, message: `Because of ${name}.`, request: { a: 1 } })
const cut: Expected = (name) => ({
  code: 'arguments-incomplete',
  message: 'The arguments were cut off.',
  detail: { toolCallId: 'c1', toolName: name, arguments: '{"a' },
})
const invalid: Expected = (name) => ({
  code: 'arguments-invalid',
  message: 'The arguments are not a JSON object.',
  detail: { toolCallId: 'c1', toolName: name, arguments: '[1]' },
})
const reasons: Expected = dropped(
  'finish-reason',
  'repeated',
  (name) => `Expected one finish reason, got stop and ${name}. The first one counts.`,
)
const stray: Expected = inferred(
  'tool-start',
  (name) => `Expected the call of a result, got none. It is one of the tool ${name}.`,
)
const unread = dropped(
  'arguments',
  'after-end',
  () => 'Expected no arguments of a call that has all of them.',
)
const noFile = (artifactId: (name: string) => string): Expected =>
  dropped('file', 'invalid-content', (name) => `Expected Base64 as the data of file ${artifactId(name)}.`)
const noCount: Expected = (name) => ({
  code: 'dropped:usage',
  message: `Expected an integer from 0 as ${name}_tokens, got a text.`,
  detail: { reason: 'invalid-content' },
})
const differs =
  (detail: object): Expected =>
  (name) => ({
    code: 'done-differs',
    message: 'The text differs from the deltas, which are kept.',
    detail: { ...detail, done: name },
  })
const argumentsDiffer: Expected = (name) => ({
  code: 'done-differs',
  message: 'Expected the arguments that the deltas have, got others.',
  detail: { toolCallId: 'c1', done: `{"${name}":1}` },
})

// Anthropic
const block = (content_block: object, index = 0): object => ({
  type: 'content_block_start',
  index,
  content_block,
})
const blockDelta = (delta: object, index = 0): object => ({ type: 'content_block_delta', index, delta })
const text = { type: 'text', text: '' }
const stopped = { type: 'message_stop' }
const messageDelta = (delta: object): object => ({ type: 'message_delta', delta })
// Chat
const choice = (fields: object): object => ({ model: 'm-1', choices: [{ index: 0, ...fields }] })
const chatDelta = (delta: object): object => choice({ delta })
// Responses
const item = (fields: object, output_index = 0): object => ({
  type: 'response.output_item.done',
  output_index,
  item: fields,
})
const part = (fields: object): object => ({
  type: 'response.content_part.done',
  output_index: 0,
  part: fields,
})
const responded = { type: 'response.completed', response: { status: 'completed' } }
// Gemini
const candidate = (fields: object): object => ({ responseId: 'r', candidates: [{ index: 0, ...fields }] })
const parts = (...list: readonly object[]): object => candidate({ content: { parts: list } })
// Interactions
const step = (fields: object): object => ({ event_type: 'step.start', index: 0, step: fields })
const stepDelta = (delta: object): object => ({ event_type: 'step.delta', index: 0, delta })
const interacted = { event_type: 'interaction.completed', interaction: { status: 'completed' } }
// Bedrock
const bedrockStart = (start: object): object => ({ contentBlockStart: { contentBlockIndex: 0, start } })
const bedrockDelta = (delta: object): object => ({ contentBlockDelta: { contentBlockIndex: 0, delta } })
const bedrockStop = { contentBlockStop: { contentBlockIndex: 0 } }
const bedrockEnd = [{ messageStop: { stopReason: 'stop' } }, { metadata: { usage: { inputTokens: 1 } } }]
const ollama = (message: object, more: object = {}): object => ({ message, done: false, ...more })

// Cohere
const cohere = (type: string, message: object): object => ({ type, index: 0, delta: { message } })
const cohereEnd = { type: 'message-end', delta: { finish_reason: 'COMPLETE' } }

/** By the names of their recordings. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  anthropic: [
    ['a chunk', (name) => [{ type: name }], type('')],
    ['a block', (name) => [block({ type: name })], type('/content_block')],
    ['a delta', (name) => [block(text), blockDelta({ type: name })], type('/delta')],
    [
      'a citation',
      (name) => [block(text), blockDelta({ type: 'citations_delta', citation: { type: name } })],
      type('/delta/citation'),
    ],
    ['a field of a chunk', (name) => [{ type: 'ping', [name]: 1 }], field('')],
    ['a field of a block', (name) => [block({ ...text, [name]: 1 })], field('/content_block')],
    [
      'a field of a delta',
      (name) => [block(text), blockDelta({ type: 'text_delta', text: 'x', [name]: 1 })],
      field('/delta'),
    ],
    ['a field of the end', (name) => [messageDelta({ [name]: 1 })], field('/delta')],
    [
      'a chunk after the end',
      (name) => [block(text), stopped, { type: name }],
      dropped('chunk', 'after-end', (name) => `Expected no chunk after the end of the message, got ${name}.`),
    ],
    [
      'a message that starts again',
      (name) => [
        { type: 'message_start', message: { id: name, model: 'm' } },
        { type: 'message_start', message: { id: name, model: 'm' } },
      ],
      dropped(
        'message_start',
        'repeated',
        (name) => `Expected one message_start of message ${name}, got another one.`,
      ),
    ],
    [
      'a stop sequence without a text',
      (name) => [messageDelta({ stop_reason: 'stop_sequence', stop_sequence: name })],
      dropped(
        'stop_sequence',
        'no-equivalent',
        () => 'The stop sequence of a message without text has no equivalent.',
      ),
    ],
    [
      'two reasons',
      (name) => [messageDelta({ stop_reason: 'stop' }), messageDelta({ stop_reason: name })],
      reasons,
    ],
    [
      'a delta without a block',
      () => [blockDelta({ type: 'text_delta', text: 'x' })],
      inferred('content_block_start', () => 'Expected the start of a block before its delta.'),
    ],
    [
      'another model',
      (name) => [
        { type: 'message_start', message: { id: 'm', model: 'm-1' } },
        block({ type: 'fallback', to: { model: name } }),
      ],
      (name) => ({
        code: 'model-changed',
        message: `Expected an answer of model m-1, got one of ${name}.`,
        detail: { from: 'm-1', to: name },
      }),
    ],
    [
      'a call that starts again',
      (name) => [
        block({ type: 'tool_use', id: name, name: 'f' }),
        block({ type: 'tool_use', id: name, name: 'f' }),
      ],
      dropped('call', 'repeated', (name) => `Expected call ${name} to start once, got it again.`),
    ],
    [
      'arguments after all of them',
      () => [
        block({ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }),
        blockDelta({ type: 'input_json_delta', partial_json: '{' }),
      ],
      unread,
    ],
    [
      'arguments that are cut off',
      (name) => [
        block({ type: 'tool_use', id: 'c1', name }),
        blockDelta({ type: 'input_json_delta', partial_json: '{"a' }),
      ],
      cut,
    ],
    [
      'arguments that are no object',
      (name) => [
        block({ type: 'tool_use', id: 'c1', name }),
        blockDelta({ type: 'input_json_delta', partial_json: '[1]' }),
        { type: 'content_block_stop', index: 0 },
      ],
      invalid,
    ],
    [
      'a call without an id',
      (name) => [
        { type: 'message_start', message: { id: name, model: 'm' } },
        block({ type: 'tool_use', name: 'f', input: { a: 1 } }),
        { type: 'content_block_stop', index: 0 },
      ],
      inferred('toolCallId', (name) => `Expected an id of the call, got none. It is ${name}-call-0.`),
    ],
    [
      'a result without a call',
      (name) => [
        block({ type: 'text', text: 'x' }),
        block({ type: `${name}_tool_result`, tool_use_id: 'c1', content: 'x' }, 1),
      ],
      stray,
    ],
    [
      'an image that is no Base64',
      (name) => [
        { type: 'message_start', message: { id: name, model: 'm' } },
        block({ type: 'image', source: { data: '?' } }),
      ],
      noFile((name) => `${name}-block-0`),
    ],
    [
      'tokens that are no count',
      (name) => [{ type: 'message_delta', delta: {}, usage: { [`${name}_tokens`]: '5' } }],
      noCount,
    ],
    ['an error', (name) => [{ type: 'error', error: failure(name) }], failed],
  ],
  openai: [
    ['a chunk', (name) => [{ object: name }], type('')],
    [
      'a part of the content',
      (name) => [chatDelta({ content: [{ type: 'text', text: 'x' }, { type: name }] })],
      type('/choices/0/delta/content/1'),
    ],
    [
      'an annotation',
      (name) => [chatDelta({ content: 'x', annotations: [{ type: name }] })],
      type('/choices/0/delta/annotations/0'),
    ],
    ['a citation', (name) => [{ ...chatDelta({}), citations: [{ type: name }] }], type('/citations')],
    ['a field of a chunk', (name) => [{ ...chatDelta({}), [name]: 1 }], field('')],
    ['a field of a choice', (name) => [choice({ delta: {}, [name]: 1 })], field('/choices/0')],
    ['a field of a delta', (name) => [chatDelta({ content: 'x', [name]: 1 })], field('/choices/0/delta')],
    [
      'a field of a call',
      (name) => [chatDelta({ tool_calls: [{ index: 0, [name]: 1 }] })],
      field('/choices/0/delta/tool_calls'),
    ],
    [
      'a chunk after the end',
      (name) => [{ error: failure(name) }, chatDelta({ content: 'x' })],
      dropped('chunk', 'after-end', () => 'Expected no choice and no usage after the end of the response.'),
    ],
    [
      'several choices',
      () => [{ choices: [{ index: 0 }, { index: 1 }] }],
      dropped('choice', 'no-equivalent', () => 'Expected one choice, got several. The first one is read.'),
    ],
    [
      'audio',
      () => [chatDelta({ audio: { transcript: 'x' } })],
      dropped('audio', 'no-equivalent', () => 'Audio has no equivalent. Its transcript is read.'),
    ],
    ['two reasons', (name) => [choice({ finish_reason: 'stop' }), choice({ finish_reason: name })], reasons],
    [
      'a reason of more than one word',
      (name) => [choice({ delta: { content: 'x' }, finish_reason: `${name} x` })],
      (name) => ({
        code: 'lossy:finishReason',
        message: 'Expected a finish reason of one word, got other text.',
        detail: `${name} x`,
      }),
    ],
    [
      'a message that differs',
      (name) => [chatDelta({ content: 'x' }), choice({ message: { content: name } })],
      differs({}),
    ],
    [
      'arguments that differ',
      (name) => [
        chatDelta({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '{"x":1}' } }] }),
        choice({ message: { tool_calls: [{ id: 'c1', function: { arguments: `{"${name}":1}` } }] } }),
      ],
      argumentsDiffer,
    ],
    [
      'arguments that are cut off',
      (name) => [
        chatDelta({ tool_calls: [{ index: 0, id: 'c1', function: { name, arguments: '{"a' } }] }),
        choice({ finish_reason: 'stop' }),
      ],
      cut,
    ],
    [
      'an image that is no Base64',
      (name) => [{ ...chatDelta({ images: [{ image_url: { url: 'data:image/png;base64,?' } }] }), id: name }],
      noFile((name) => `${name}-image-0`),
    ],
    ['tokens that are no count', (name) => [{ choices: [], usage: { [`${name}_tokens`]: '5' } }], noCount],
    ['an error', (name) => [{ error: failure(name) }], failed],
  ],
  responses: [
    ['a chunk', (name) => [{ type: name }], type('')],
    ['an item', (name) => [item({ type: name })], type('/item')],
    ['a part', (name) => [part({ type: name })], type('/part')],
    [
      'an annotation',
      (name) => [part({ type: 'output_text', text: 'x', annotations: [{ type: name }] })],
      type('/annotation'),
    ],
    ['a field of a chunk', (name) => [{ type: 'response.created', [name]: 1 }], field('')],
    [
      'a chunk after the end',
      (name) => [responded, { type: name }],
      dropped(
        'chunk',
        'after-end',
        (name) => `Expected no chunk after the end of the response, got ${name}.`,
      ),
    ],
    [
      'a number again',
      () => [0, 1, 1].map((sequence_number) => ({ type: 'response.in_progress', sequence_number })),
      dropped('chunk', 'repeated', () => 'Expected each sequence_number once, got 1 again.'),
    ],
    [
      'an item that begins after its end',
      () => [
        item({ type: 'message', id: 'i', content: [] }, 3),
        { type: 'response.output_item.added', output_index: 3, item: { type: 'message', id: 'i' } },
      ],
      dropped('item', 'repeated', () => 'Expected item 3 once, got it again.'),
    ],
    [
      'a question again',
      (name) => {
        const request = { type: 'mcp_approval_request', id: name, name: 'f', arguments: '{}' }
        return [item(request), item({ ...request }, 1)]
      },
      dropped(
        'mcp_approval_request',
        'repeated',
        (name) => `Expected approval request ${name} once, got it again.`,
      ),
    ],
    [
      'a question without a name',
      (name) => [item({ type: 'mcp_approval_request', id: name })],
      dropped(
        'mcp_approval_request',
        'invalid-content',
        () => 'Expected an approval request with an id and a name.',
      ),
    ],
    [
      'a text that differs',
      (name) => [
        { type: 'response.output_text.delta', output_index: 2, content_index: 1, delta: 'x' },
        { type: 'response.output_text.done', output_index: 2, content_index: 1, text: name },
      ],
      differs({ outputIndex: 2 }),
    ],
    [
      'arguments that differ',
      (name) => {
        const call = { type: 'function_call', id: 'i', call_id: 'c1', name: 'f' }
        return [
          { type: 'response.output_item.added', output_index: 0, item: call },
          { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x":1}' },
          item({ ...call, arguments: `{"${name}":1}` }),
        ]
      },
      argumentsDiffer,
    ],
    [
      'an image that is no Base64',
      (name) => [item({ type: 'image_generation_call', id: name, result: '?' })],
      noFile((name) => name),
    ],
    [
      'tokens that are no count',
      (name) => [{ type: 'response.completed', response: { usage: { [`${name}_tokens`]: '5' } } }],
      noCount,
    ],
    ['an error', (name) => [{ type: 'response.failed', response: { error: failure(name) } }], failed],
  ],
  gemini: [
    ['a chunk by its type', (name) => [{ type: name }], type('')],
    ['a chunk by its event', (name) => [{ event_type: name, type: 'x' }], type('')],
    ['a field of a chunk', (name) => [{ ...parts(), [name]: 1 }], field('')],
    ['a field of a candidate', (name) => [candidate({ [name]: 1 })], field('/candidates/0')],
    ['a field of a part', (name) => [parts({ text: 'x', [name]: 1 })], field('/candidates/0/content/parts')],
    [
      'a chunk after the end',
      (name) => [{ error: failure(name) }, parts({ text: 'x' })],
      dropped('chunk', 'after-end', () => 'Expected no chunk after the end of the response.'),
    ],
    [
      'several candidates',
      () => [{ candidates: [{ index: 0 }, { index: 1 }] }],
      dropped('candidate', 'no-equivalent', () => 'Expected one candidate, got several; the first is read.'),
    ],
    ...['fileData', 'functionResponse', 'audioTranscription'].map(
      (what): Case => [
        what,
        () => [parts({ [what]: { a: 1 } })],
        dropped(what, 'no-equivalent', () => `A part with ${what} has no equivalent.`),
      ],
    ),
    [
      'an image in a thought',
      () => [parts({ thought: true, text: 'x', inlineData: {} })],
      dropped('thought-image', 'no-equivalent', () => 'An image in a thought has no equivalent.'),
    ],
    [
      'arguments of no call',
      () => [parts({ functionCall: { args: { a: 1 } } })],
      dropped('arguments', 'after-end', () => 'Expected arguments of a call that continues.'),
    ],
    [
      'a call again',
      (name) => [
        parts({ functionCall: { id: name, name: 'f', args: { a: 1 } } }),
        parts({ functionCall: { id: name, name: 'f', args: { a: 1 } } }),
      ],
      dropped('call', 'repeated', (name) => `Expected call ${name} once, got it again.`),
    ],
    [
      'a value without a place',
      (name) => [
        parts({
          functionCall: {
            id: 'c1',
            name: 'f',
            partialArgs: [{ jsonPath: name, stringValue: 'x' }],
            willContinue: true,
          },
        }),
      ],
      (name) => ({
        code: 'invalid-path',
        message: 'Expected a value at a JSON path that has a place in the arguments.',
        path: '/functionCall/partialArgs',
        detail: { jsonPath: name },
      }),
    ],
    [
      'a result without a call',
      (name) => [parts({ toolResponse: { toolType: name, id: 'c1', response: {} } })],
      stray,
    ],
    [
      'two reasons',
      (name) => [candidate({ finishReason: 'stop' }), candidate({ finishReason: name })],
      reasons,
    ],
    ['tokens that are no count', (name) => [{ usageMetadata: { [`${name}_tokens`]: '5' } }], noCount],
    ['an error', (name) => [{ error: failure(name) }], failed],
  ],
  interactions: [
    ['a chunk', (name) => [{ event_type: name }], type('')],
    ['a step', (name) => [step({ type: name })], type('/step')],
    ['a delta', (name) => [step({ type: 'model_output' }), stepDelta({ type: name })], type('/delta')],
    ['a field of a chunk', (name) => [{ event_type: 'interaction.status_update', [name]: 1 }], field('')],
    [
      'a chunk after the end',
      (name) => [interacted, { event_type: name }],
      dropped('chunk', 'after-end', (name) => `Expected no ${name} after the end of the interaction.`),
    ],
    [
      'a delta without a step',
      () => [stepDelta({ type: 'text', text: 'x' })],
      inferred('step.start', () => 'Expected the start of a step before its delta.'),
    ],
    [
      'a result without a call',
      (name) => [step({ type: `${name}_result`, call_id: 'c1', result: 'x' })],
      stray,
    ],
    [
      'tokens that are no count',
      (name) => [
        {
          event_type: 'interaction.completed',
          interaction: { status: 'completed', usage: { [`${name}_tokens`]: '5' } },
        },
      ],
      noCount,
    ],
    ['an error', (name) => [{ event_type: 'error', error: failure(name) }], failed],
  ],
  bedrock: [
    ['a chunk', (name) => [{ [name]: {} }], type('')],
    [
      'a field of a start',
      (name) => [bedrockStart({ toolUse: { toolUseId: 'c1', name: 'f' }, [name]: 1 })],
      field('/contentBlockStart/start'),
    ],
    [
      'a field of a delta',
      (name) => [bedrockDelta({ text: 'x', [name]: 1 })],
      field('/contentBlockDelta/delta'),
    ],
    [
      'a field of the reasoning',
      (name) => [bedrockDelta({ reasoningContent: { text: 'x', [name]: 1 } })],
      field('/contentBlockDelta/delta/reasoningContent'),
    ],
    ['a field of the end', (name) => [{ messageStop: { [name]: 1 } }], field('/messageStop')],
    [
      'a chunk after the end',
      (name) => [...bedrockEnd, { [name]: {} }],
      dropped('chunk', 'after-end', (name) => `Expected no ${name} after the end of the message.`),
    ],
    [
      'two reasons',
      (name) => [{ messageStop: { stopReason: 'stop' } }, { messageStop: { stopReason: name } }],
      reasons,
    ],
    [
      'an image elsewhere',
      () => [bedrockDelta({ image: { source: { s3Location: { uri: 's3://a' } } } })],
      dropped('image', 'no-equivalent', () => 'Expected the bytes of an image.'),
    ],
    [
      'an image that failed',
      (name) => [bedrockDelta({ image: { error: { message: name } } })],
      dropped('image', 'invalid-content', (name) => name),
    ],
    [
      'redacted reasoning that is no Base64',
      () => [bedrockDelta({ reasoningContent: { redactedContent: '?' } })],
      dropped('signature', 'invalid-content', () => 'Expected Base64 as redacted reasoning.'),
    ],
    [
      'arguments that are cut off',
      (name) => [
        bedrockStart({ toolUse: { toolUseId: 'c1', name } }),
        bedrockDelta({ toolUse: { input: '{"a' } }),
      ],
      cut,
    ],
    [
      'arguments that are no object',
      (name) => [
        bedrockStart({ toolUse: { toolUseId: 'c1', name } }),
        bedrockDelta({ toolUse: { input: '[1]' } }),
        bedrockStop,
      ],
      invalid,
    ],
    ['tokens that are no count', (name) => [{ metadata: { usage: { [`${name}_tokens`]: '5' } } }], noCount],
    [
      'an exception',
      (name) => [{ throttlingException: { message: `Because of ${name}.` } }],
      (name) => ({
        code: 'provider-error',
        message: 'The provider reported an error.',
        detail: { type: 'throttlingException', message: `Because of ${name}.` },
      }),
    ],
    ['an error', (name) => [{ error: failure(name) }], failed],
  ],
  cohere: [
    ['a chunk', (name) => [{ type: name }], type('')],
    [
      'content',
      (name) => [cohere('content-start', { content: { type: name } })],
      type('/delta/message/content'),
    ],
    ['a field of a chunk', (name) => [{ type: 'debug', [name]: 1 }], field('')],
    ['a field of a message', (name) => [cohere('debug', { [name]: 1 })], field('/delta/message')],
    [
      'a chunk after the end',
      (name) => [cohereEnd, { type: name }],
      dropped('chunk', 'after-end', (name) => `Expected no ${name} after the end of the message.`),
    ],
    [
      'arguments after all of them',
      () => {
        const call = { id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }
        return [
          cohere('tool-call-start', { tool_calls: call }),
          { type: 'tool-call-end', index: 0 },
          cohere('tool-call-delta', { tool_calls: { function: { arguments: '{' } } }),
        ]
      },
      unread,
    ],
    [
      'arguments that are cut off',
      (name) => [
        cohere('tool-call-start', { tool_calls: { id: 'c1', function: { name, arguments: '{"a' } } }),
        { type: 'tool-call-end', index: 0 },
      ],
      cut,
    ],
    [
      'tokens that are no count',
      (name) => [
        { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: { [`${name}_tokens`]: '5' } } },
      ],
      noCount,
    ],
    [
      'an error at the end',
      (name) => [{ type: 'message-end', delta: { finish_reason: 'ERROR', error: name } }],
      (name) => ({
        code: 'provider-error',
        message: 'The provider reported an error.',
        detail: { message: name },
      }),
    ],
    ['an error that was thrown', (name) => [{ error: failure(name) }], failed],
  ],
  ollama: [
    ['a chunk', (name) => [{ type: name }], type('')],
    ['a field of a chunk', (name) => [ollama({}, { [name]: 1 })], field('')],
    ['a field of a message', (name) => [ollama({ [name]: 1 })], field('/message')],
    ['a field of a call', (name) => [ollama({ tool_calls: [{ [name]: 1 }] })], field('/message/tool_calls')],
    [
      'images',
      () => [ollama({ images: ['x'] })],
      dropped('images', 'no-equivalent', () => 'Images of a message have no type, which files need.'),
    ],
    [
      'a chunk after the end',
      (name) => [ollama({}, { done: true }), ollama({ content: name })],
      dropped('chunk', 'after-end', () => 'Expected no chunk after the end of the response.'),
    ],
    ['an error', (name) => [{ error: failure(name) }], failed],
  ],
}

/** A name that no reader knows. */
const name = fc.stringMatching(/^zz_[a-z]{1,8}_zz$/)
const all = Object.entries(readers)

it('every reader has cases', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(readers).sort())
})

describe.each(all)('the diagnostics of %s', (reader, create) => {
  it.each(cases[reader] as Case[])('state what came: %s', (_, chunks, expected) => {
    fc.assert(
      fc.property(name, (what) => {
        const wanted = expected(what)
        const { diagnostics } = readStream(create({}), chunks(what))
        expect(diagnostics.filter(({ code }) => code === wanted.code)).toStrictEqual([wanted])
      }),
      { numRuns: runs(10) },
    )
  })

  it('state that the stream ended early, and nothing else about it', () => {
    const { diagnostics } = readStream(create({}), [])
    expect(diagnostics).toStrictEqual([
      { code: 'ended-early', message: 'The stream ended before the response was complete.' },
    ])
  })

  it('state values of another type: each once, with its place and both types', () => {
    const { diagnostics } = readStream(create({}), [7, [{}, 'x']])
    const issue = (path: string, type: string): Diagnostic => ({
      code: 'invalid-event',
      message: `Dropped an invalid event. ${path && `${path}: `}Expected an object, got ${type}.`,
      path,
      detail: [{ code: 'invalid-type', path, message: `Expected an object, got ${type}.` }],
    })
    expect(diagnostics.filter(({ code }) => code === 'invalid-event')).toStrictEqual([
      issue('', 'number'),
      issue('/1', 'string'),
    ])
  })

  it('have the fields of their code, whatever is wrong with a stream', () => {
    fc.assert(
      fc.property(mutationsOf(recordedChunks(reader)), (faulty) => {
        for (const diagnostic of readStream(create({}), faulty).diagnostics) expectForm(diagnostic)
      }),
      { numRuns: runs(60) },
    )
  })
})

const pointer = expect.stringMatching(/^(\/.*)?$/s)
const aText = expect.any(String)

/** What each code has besides its message. Those of `dropped:`, `lossy:` and `inferred:` have the same, whatever follows. */
const forms: Readonly<Record<string, object>> = {
  'arguments-incomplete': { detail: { toolCallId: aText, toolName: aText, arguments: aText } },
  'arguments-invalid': { detail: { toolCallId: aText, toolName: aText, arguments: aText } },
  'done-differs': { detail: expect.objectContaining({ done: aText }) },
  'dropped:': {
    detail: { reason: expect.stringMatching(/^(after-end|invalid-content|no-equivalent|repeated)$/) },
  },
  'ended-early': {},
  'inferred:': {},
  'invalid-event': { path: pointer, detail: [{ code: 'invalid-type', path: pointer, message: aText }] },
  'invalid-path': { path: '/functionCall/partialArgs', detail: { jsonPath: aText } },
  'lossy:': { path: pointer },
  'lossy:finishReason': { detail: aText },
  'model-changed': { detail: { from: aText, to: aText } },
  'provider-error': { detail: expect.any(Object) },
  'unknown-field': { path: pointer },
  'unknown-type': { path: pointer, detail: { type: aText } },
}

function expectForm(diagnostic: Diagnostic): void {
  const { code, message, ...rest } = diagnostic
  const form = forms[code] ?? forms[code.replace(/:.*/, ':')]
  expect(form, code).toBeDefined()
  expect(message).toMatch(/[.]$/)
  // The value that is lost, or the path that is empty.
  const { detail: _, ...others } = rest
  const isOptional = code.startsWith('lossy:') && code !== 'lossy:finishReason'
  if (isOptional || (code === 'invalid-path' && rest.detail === undefined)) {
    expect(others).toEqual({ path: (form as Diagnostic).path })
  } else expect(rest).toEqual(form)
}
