// Proves what cohereChat makes of the streams of Cohere.

import type { EventDraft } from 'turnstream'
import { type CohereChatChunk, cohereChat } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import type { NamedModelOptions } from '../../../src/providers/shared/options.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'

const start: CohereChatChunk = {
  type: 'message-start',
  id: 'msg-1',
  delta: { message: { role: 'assistant' } },
}
const chunk = (type: string, index: number, message: object): CohereChatChunk => ({
  type,
  index,
  delta: { message },
})
const text = (index: number, piece: string): CohereChatChunk => {
  return chunk('content-delta', index, { content: { text: piece } })
}
const plan = (piece: string): CohereChatChunk => ({
  type: 'tool-plan-delta',
  delta: { message: { tool_plan: piece } },
})
const call = (index: number, id: string, name: string, pieces: readonly string[]): CohereChatChunk[] => [
  chunk('tool-call-start', index, {
    tool_calls: { id, type: 'function', function: { name, arguments: '' } },
  }),
  ...pieces.map((piece) => {
    return chunk('tool-call-delta', index, { tool_calls: { function: { arguments: piece } } })
  }),
  { type: 'tool-call-end', index },
]
const end = (finish_reason: string, more: object = {}): CohereChatChunk => ({
  type: 'message-end',
  delta: { finish_reason, ...more },
})

/** Reads chunks; an agent makes a legal task of what comes out. */
function read(chunks: readonly unknown[], options: NamedModelOptions = {}): ReadStream {
  const result = readStream(cohereChat(options), chunks)
  expect(violationsOf(taskOf(result))).toEqual([])
  return result
}

const of = <K extends EventDraft['kind']>(kind: K, { drafts }: ReadStream): (EventDraft & { kind: K })[] =>
  drafts.filter((draft): draft is EventDraft & { kind: K } => draft.kind === kind)

it('text and thinking, with the usage of the tokens and not of the bill', () => {
  const usage = {
    billed_units: { input_tokens: 1, output_tokens: 1 },
    tokens: { input_tokens: 20, output_tokens: 5 },
    cached_tokens: 16,
  }
  const result = read(
    [
      start,
      chunk('content-start', 0, { content: { type: 'thinking', thinking: '' } }),
      chunk('content-delta', 0, { content: { thinking: 'Hm.' } }),
      { type: 'content-end', index: 0 },
      chunk('content-start', 1, { content: { type: 'text', text: '' } }),
      text(1, 'Hi'),
      { type: 'content-end', index: 1 },
      end('COMPLETE', { usage }),
    ],
    { model: 'm-1' },
  )
  expect(result.turn).toEqual({
    content: [{ role: 'assistant', content: 'Hi' }],
    text: 'Hi',
    thoughts: [{ text: 'Hm.' }],
    calls: [],
    details: { usage: { billed_units: { input_tokens: 1, output_tokens: 1 } } },
    finishReason: 'COMPLETE',
    usage: { model: 'm-1', inputTokens: 20, outputTokens: 5, totalTokens: 25, cachedInputTokens: 16 },
  })
  expect(result.drafts[0]).toMatchObject({ model: 'm-1', metadata: { responseId: 'msg-1' } })
  expect(result.codes).toEqual([])
})

describe('the plan', () => {
  it.each([
    ['a call', call(0, 'c1', 'search', ['{}'])],
    ['text', [text(0, 'Hi')]],
  ])('is a thought that ends where %s begins', (_, next) => {
    const { drafts } = read([start, plan('I '), plan('search.'), ...next, end('COMPLETE')])
    expect(drafts.slice(1, 4)).toEqual([
      { kind: 'thought-delta', delta: 'I ', thoughtType: 'planning', verbosity: 'normal' },
      { kind: 'thought-delta', delta: 'search.', thoughtType: 'planning', verbosity: 'normal' },
      { kind: 'thought-stream', thoughtType: 'planning', verbosity: 'normal', content: 'I search.' },
    ])
  })

  it('that is empty is no thought', () => {
    expect(of('thought-stream', read([start, plan(''), text(0, 'Hi'), end('COMPLETE')]))).toEqual([])
  })
})

it('texts and thoughts end with their content', () => {
  const thinking = (index: number, piece: string): object => {
    return chunk('content-delta', index, { content: { thinking: piece } })
  }
  const stop = (index: number): object => ({ type: 'content-end', index })
  const { drafts } = read([
    start,
    thinking(0, 'a'),
    stop(0),
    thinking(1, 'b'),
    text(2, 'c'),
    stop(2),
    text(3, 'd'),
    end('COMPLETE'),
  ])
  expect(drafts.slice(1).map(({ kind }) => kind)).toEqual([
    'thought-delta',
    'thought-stream',
    'thought-delta',
    'content-delta',
    'content-complete',
    'content-delta',
    'thought-stream',
    'content-complete',
  ])
  expect(drafts.filter((draft) => 'contentId' in draft)).toEqual([])
})

it('an index that is missing is 0', () => {
  const { index: _, ...opening } = call(0, 'c1', 'search', [])[0] as CohereChatChunk
  const result = read([start, opening, ...call(0, '', '', ['{"q":1}']).slice(1), end('TOOL_CALL')])
  expect(result.turn.calls).toMatchObject([{ toolCallId: 'c1', arguments: { q: 1 } }])
})

it('calls are numbered apart from content', () => {
  const { turn } = read([
    start,
    ...call(0, 'c1', 'search', ['{"q":', '1}']),
    ...call(1, 'c2', 'now', []),
    text(0, 'Hi'),
    end('TOOL_CALL'),
  ])
  expect(turn.calls.map(({ toolCallId, toolName, arguments: args }) => [toolCallId, toolName, args])).toEqual(
    [
      ['c1', 'search', { q: 1 }],
      ['c2', 'now', {}],
    ],
  )
  expect(turn.text).toBe('Hi')
})

it('citations are sources of the text, and those of the plan are none', () => {
  const citation = (more: object): object => ({
    start: 0,
    end: 2,
    content_index: 0,
    sources: [
      {
        type: 'document',
        id: 'doc:0',
        document: { id: 'd-0', title: 'A', url: 'https://a.example', snippet: 'b' },
      },
      { type: 'tool', id: 'tool:1', tool_output: {} },
      { type: 'tool' },
    ],
    ...more,
  })
  const result = read([
    start,
    text(0, 'Hi there'),
    chunk('citation-start', 0, { citations: citation({}) }),
    chunk('citation-start', 1, {
      citations: [citation({ type: 'PLAN', start: 5 }), citation({ start: null })],
    }),
    { type: 'citation-end', index: 0 },
    { type: 'content-end', index: 0 },
    end('COMPLETE'),
  ])
  const source = { url: 'https://a.example', title: 'A', documentId: 'd-0', quote: 'b' }
  expect(of('content-complete', result)[0]?.metadata?.sources).toEqual([
    { ...source, start: 0, end: 2 },
    { documentId: 'tool:1', start: 0, end: 2 },
    { ...source, end: 2 },
    { documentId: 'tool:1', end: 2 },
  ])
})

describe('the end', () => {
  it.each([
    ['ERROR', { error: 'Broken.' }, 'provider_error', 'retryable'],
    ['ERROR_TOXIC', {}, 'content_filtered', 'terminal'],
    ['ERROR_LIMIT', {}, 'payload_too_large', 'terminal'],
    ['TIMEOUT', {}, 'timeout', 'retryable'],
  ])('%s is an error', (reason, more, code, retry) => {
    const { turn } = read([start, text(0, 'Hi'), end(reason, more)])
    expect(turn).toMatchObject({ finishReason: reason, error: { code, retry } })
  })

  it.each([
    ['MAX_TOKENS', 'incomplete'],
    ['TOOL_CALL', 'complete'],
  ])('with the reason %s leaves a call without arguments %s', (reason, status) => {
    const [opening] = call(0, 'c1', 'now', [])
    expect(read([start, opening, end(reason)]).turn.calls).toMatchObject([{ status }])
  })

  it('may state only the billed tokens', () => {
    const usage = { billed_units: { input_tokens: 2, output_tokens: 3 } }
    expect(read([start, end('COMPLETE', { usage })]).turn.usage).toEqual({
      inputTokens: 2,
      outputTokens: 3,
      totalTokens: 5,
    })
  })

  it('by the token limit leaves the last call incomplete', () => {
    const pieces = call(0, 'c1', 'search', ['{"q":']).slice(0, -1)
    const result = read([start, ...pieces, end('MAX_TOKENS')])
    expect(result.turn.calls).toMatchObject([{ status: 'incomplete' }])
    expect(result.codes).toEqual(['arguments-incomplete'])
  })

  it('without a reason is one', () => {
    const { codes, turn } = read([start, text(0, 'Hi'), { type: 'message-end', delta: {} }])
    expect({ codes, turn }).toEqual({
      codes: [],
      turn: { content: [{ role: 'assistant', content: 'Hi' }], text: 'Hi', thoughts: [], calls: [] },
    })
  })

  it('is followed by nothing but another message', () => {
    const result = read([
      start,
      end('COMPLETE'),
      text(0, 'a'),
      { type: 'debug' },
      start,
      text(0, 'b'),
      end('COMPLETE'),
    ])
    expect(result.codes).toEqual(['dropped:chunk'])
    expect(of('internal:llm-call', result)).toHaveLength(2)
    expect(result.turn.text).toBe('b')
  })
})

it('what is not known is reported once', () => {
  const strange = { content: { type: 'image' }, mood: 'good' }
  const result = read([
    start,
    { type: 'unheard-of' },
    { type: 'unheard-of' },
    { ...text(0, 'Hi'), unheardOf: 1 },
    chunk('content-start', 1, strange),
    end('COMPLETE'),
  ])
  expect(result.codes).toEqual(['unknown-type', 'unknown-field', 'unknown-type', 'unknown-field'])
})
