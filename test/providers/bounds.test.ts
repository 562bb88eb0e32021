// Proves that the state of a provider is bounded: what is over a limit is dropped, counted and reported, and the rest is
// legal.

import { anthropicMessages, bedrockConverse, geminiContent, openaiChat } from 'agentwire/providers'
import { expect, it } from 'vitest'
import { MAX_ITEMS, MAX_LENGTH } from '../../src/providers/shared/state.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../support/providers/agent-loop.ts'

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
  expect(turn.calls).toEqual([{ toolCallId: 'c1', toolName: 'a', text: '', status: 'incomplete' }])
  expect(codes).toEqual(['arguments-incomplete', 'too-large'])
  const dropped = 8 + message.length + '{"x":1}'.length
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
