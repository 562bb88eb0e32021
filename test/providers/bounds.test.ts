// Proves that the state of a provider is bounded: what is over a limit is dropped, counted and reported, and the rest is
// legal.

import {
  anthropicMessages,
  bedrockConverse,
  geminiContent,
  geminiInteractions,
  openaiChat,
  openaiResponses,
} from 'turnstream/providers'
import { expect, it } from 'vitest'
import { MAX_ITEMS, MAX_LENGTH } from '../../src/providers/shared/state.ts'
import {
  type Provider,
  type ReadStream,
  readStream,
  taskOf,
  violationsOf,
} from '../support/providers/agent-loop.ts'
import { someOf } from '../support/runs.ts'

/** What was dropped, by limit. */
const droppedOf = ({ diagnostics }: ReadStream): unknown[] =>
  diagnostics.filter(({ code }) => code === 'too-large').map(({ detail }) => detail)

const add = (delta: object): object => ({ model: 'm-1', choices: [{ index: 0, delta }] })
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

it('by the length of texts, thoughts and arguments together', () => {
  const read = readStream(openaiChat(), [
    add({ reasoning: 'x'.repeat(8) }),
    add({ content: 'x'.repeat(MAX_LENGTH) }),
    add({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'a', arguments: '{"x":1}' } }] }),
    end,
  ])
  const { turn, drafts, codes } = read
  const message = JSON.stringify({ role: 'assistant' })
  expect(turn.text).toHaveLength(MAX_LENGTH - 8 - message.length)
  // Without room for its id and its name, a call fails.
  expect(turn.calls).toEqual([])
  expect(codes).toEqual(['inferred:toolCallId', 'tool-unnamed', 'too-large'])
  const dropped = 8 + message.length + 'c1'.length + 'a'.length + '{"x":1}'.length
  expect(droppedOf(read)).toEqual([{ what: 'character', limit: MAX_LENGTH, dropped }])
  expect(violationsOf(taskOf({ drafts, turn }))).toEqual([])
})

it('by the number of calls', () => {
  const calls = Array.from({ length: MAX_ITEMS + 2 }, (_, index) => ({
    index,
    id: `c${index}`,
    function: { name: 'a', arguments: '{}' },
  }))
  const read = readStream(openaiChat(), [add({ tool_calls: calls }), end])
  expect(read.turn.calls).toHaveLength(MAX_ITEMS)
  expect(read.codes).toEqual(['too-large'])
  expect(droppedOf(read)).toEqual([{ what: 'call', limit: MAX_ITEMS, dropped: 4 }])
})

it('by the number of sources of a text', () => {
  const citations = Array.from({ length: MAX_ITEMS + 1 }, (_, i) => `https://${i}.example`)
  const read = readStream(openaiChat(), [{ ...add({ content: 'x' }), citations }, end])
  expect(read.drafts.at(-1)).toMatchObject({ metadata: { sources: { length: MAX_ITEMS } } })
  const dropped = JSON.stringify({ url: citations[MAX_ITEMS] }).length
  expect(droppedOf(read)).toEqual([{ what: 'source', limit: MAX_ITEMS, dropped }])
})

it('by the number of sources that wait for their text', () => {
  const groundingChunks = Array.from({ length: MAX_ITEMS + 3 }, (_, i) => ({
    web: { uri: `https://${i}.example` },
  }))
  const read = readStream(geminiContent(), [
    { candidates: [{ content: { parts: [{ text: 'x' }] }, groundingMetadata: { groundingChunks } }] },
    { candidates: [{ finishReason: 'STOP' }] },
  ])
  expect(read.drafts.at(-1)).toMatchObject({ metadata: { sources: { length: MAX_ITEMS } } })
  expect(droppedOf(read)).toMatchObject([{ what: 'source', limit: MAX_ITEMS }])
})

it('by the number of texts in a result', () => {
  const contentBlockIndex = 0
  const texts = Array.from({ length: MAX_ITEMS + 1 }, () => ({ text: 'ab' }))
  const start = { toolResult: { toolUseId: 'c1', type: 'web_search_tool_result', status: 'success' } }
  const read = readStream(bedrockConverse(), [
    { contentBlockStart: { contentBlockIndex, start } },
    { contentBlockDelta: { contentBlockIndex, delta: { toolResult: texts } } },
    { contentBlockStop: { contentBlockIndex } },
    { messageStop: { stopReason: 'end_turn' } },
  ])
  expect(droppedOf(read)).toEqual([{ what: 'block', limit: MAX_ITEMS, dropped: JSON.stringify('ab').length }])
})

it('in each response of a stream', () => {
  const start = { type: 'message_start', message: { id: 'm', model: 'm-1', content: [] } }
  const blocks = Array.from({ length: MAX_ITEMS + 1 }, (_, index) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: 'ab' } },
    { type: 'content_block_stop', index },
  ]).flat()
  const message = [start, ...blocks, { type: 'message_stop' }]
  const read = readStream(anthropicMessages(), [...message, ...message])
  const each = [
    { what: 'block', limit: MAX_ITEMS, dropped: JSON.stringify({ type: 'text', text: 'ab' }).length },
    { what: 'text', limit: MAX_ITEMS, dropped: 2 },
  ]
  expect(droppedOf(read)).toEqual([...each, ...each])
})

const block = (index: number, content_block: object): object => ({
  type: 'content_block_start',
  index,
  content_block,
})
const redacted = (contentBlockIndex: number, redactedContent: string): object => ({
  contentBlockDelta: { contentBlockIndex, delta: { reasoningContent: { redactedContent } } },
})
const grounded = (title: string): object => ({
  candidates: [{ groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example', title } }] } }],
})

const machines: readonly [name: string, machine: Provider, chunk: (long: string, at: number) => object][] = [
  [
    'citations of Messages',
    anthropicMessages(),
    (cited_text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'citations_delta', citation: { type: 'char_location', cited_text } },
    }),
  ],
  [
    'signatures',
    anthropicMessages(),
    (signature, at) => block(at, { type: 'thinking', thinking: 'x', signature }),
  ],
  ['redacted thinking', anthropicMessages(), (data, at) => block(at, { type: 'redacted_thinking', data })],
  ['ids', anthropicMessages(), (id, at) => block(at, { type: 'tool_use', id, name: 'f' })],
  ['types', anthropicMessages(), (type, at) => block(at, { type })],
  [
    'names',
    openaiChat(),
    (name, index) => add({ tool_calls: [{ index, id: `c${index}`, function: { name } }] }),
  ],
  ['names in pieces', openaiChat(), (name) => add({ tool_calls: [{ index: 0, function: { name } }] })],
  ['ids of Chat', openaiChat(), (id, index) => add({ tool_calls: [{ index, id, function: { name: 'f' } }] })],
  [
    'annotations',
    openaiChat(),
    (url) => add({ content: 'x', annotations: [{ type: 'url_citation', url_citation: { url } }] }),
  ],
  ['details', openaiChat(), (id) => add({ reasoning_details: [{ type: 'reasoning.text', text: 'x', id }] })],
  ['sources of Gemini', geminiContent(), (title) => grounded(title)],
  [
    'annotations of Interactions',
    geminiInteractions(),
    (url) => ({
      event_type: 'step.delta',
      index: 0,
      delta: { type: 'text_annotation_delta', annotations: [{ url }] },
    }),
  ],
  ['redacted reasoning', bedrockConverse(), (_, at) => redacted(at, 'AQID'.repeat(1 << 18))],
  ['redacted reasoning in pieces', bedrockConverse(), () => redacted(0, 'AQID'.repeat(1 << 18))],
  [
    'results',
    bedrockConverse(),
    (toolUseId, contentBlockIndex) => ({
      contentBlockStart: { contentBlockIndex, start: { toolResult: { toolUseId } } },
    }),
  ],
  [
    'items of Responses',
    openaiResponses(),
    (id, output_index) => ({
      type: 'response.output_item.added',
      output_index,
      item: { type: 'reasoning', id },
    }),
  ],
  [
    'ids of items',
    openaiResponses(),
    (item_id, output_index) => ({ type: 'response.reasoning_text.delta', output_index, item_id, delta: 'x' }),
  ],
  [
    'questions',
    openaiResponses(),
    (id, output_index) => ({
      type: 'response.output_item.done',
      output_index,
      item: { type: 'mcp_approval_request', id, name: 'f' },
    }),
  ],
]

it.each(someOf(machines, 2))('by the length of %s', (_, machine, chunk) => {
  const mega = 1 << 20
  let { state } = machine.step(machine.initial, {})
  for (let at = 0; at < 18; at++) ({ state } = machine.step(state, chunk(`${'x'.repeat(mega - 8)}${at}`, at)))
  const length = JSON.stringify(state).length
  // What is emitted and what is sent back may be kept beside each other.
  expect(length).toBeLessThan(2.2 * MAX_LENGTH)
  expect(JSON.stringify(machine.end(state).diagnostics)).toContain('too-large')
})

it('by the length of the ids of earlier responses', () => {
  const machine = anthropicMessages()
  let { state } = machine.step(machine.initial, {})
  for (let at = 0; at < 36; at++) {
    const start = { type: 'message_start', message: { id: `m${at}`, model: 'm-1' } }
    const call = block(0, { type: 'tool_use', id: `${'x'.repeat(1 << 20)}${at}`, name: 'f' })
    for (const chunk of [start, call, { type: 'message_stop' }]) ({ state } = machine.step(state, chunk))
  }
  expect(JSON.stringify(state).length).toBeLessThan(2.2 * MAX_LENGTH)
})
