// Proves what geminiInteractions makes of the streams of Gemini.

import type { EventDraft } from 'turnstream'
import { type GeminiInteractionsChunk, geminiInteractions } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import type { ModelOptions } from '../../../src/providers/shared/options.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'

const created: GeminiInteractionsChunk = {
  event_type: 'interaction.created',
  interaction: { id: 'int-1', model: 'm-1', status: 'in_progress' },
}
const usage = {
  total_tokens: 100,
  total_input_tokens: 20,
  total_tool_use_tokens: 10,
  total_output_tokens: 30,
  total_thought_tokens: 40,
  total_cached_tokens: 5,
}
const completed = (status = 'completed', more: object = {}): GeminiInteractionsChunk => ({
  event_type: 'interaction.completed',
  interaction: { id: 'int-1', status, usage, ...more },
})
const open = (index: number, type: string, more: object = {}): GeminiInteractionsChunk => {
  return { event_type: 'step.start', index, step: { type, ...more } }
}
const add = (index: number, type: string, more: object): GeminiInteractionsChunk => {
  return { event_type: 'step.delta', index, delta: { type, ...more } }
}
const stop = (index: number): GeminiInteractionsChunk => ({ event_type: 'step.stop', index })

/** Reads chunks; an agent makes a legal task of what comes out. */
function read(chunks: readonly unknown[], options: ModelOptions = {}): ReadStream {
  const result = readStream(geminiInteractions(options), chunks)
  expect(violationsOf(taskOf(result))).toEqual([])
  return result
}

const of = <K extends EventDraft['kind']>(kind: K, { drafts }: ReadStream): (EventDraft & { kind: K })[] =>
  drafts.filter((draft): draft is EventDraft & { kind: K } => draft.kind === kind)

it('thoughts with signatures, text and usage', () => {
  const summary = (text: string): object => ({ content: { type: 'text', text } })
  const result = read([
    created,
    { event_type: 'interaction.status_update', interaction_id: 'int-1', status: 'in_progress' },
    open(0, 'thought'),
    add(0, 'thought_summary', summary('Hm')),
    add(0, 'thought_summary', summary('.')),
    add(0, 'thought_signature', { signature: 'sig' }),
    stop(0),
    open(1, 'model_output'),
    add(1, 'text', { text: 'Hi' }),
    stop(1),
    completed(),
  ])
  expect(result.turn).toEqual({
    content: [
      { type: 'thought', summary: [{ type: 'text', text: 'Hm.' }], signature: 'sig' },
      { type: 'model_output', content: [{ type: 'text', text: 'Hi' }] },
    ],
    text: 'Hi',
    thoughts: [{ text: 'Hm.', signature: 'sig' }],
    calls: [],
    finishReason: 'completed',
    usage: {
      model: 'm-1',
      inputTokens: 30,
      outputTokens: 70,
      totalTokens: 100,
      reasoningTokens: 40,
      cachedInputTokens: 5,
    },
  })
  expect(result.drafts[0]).toMatchObject({ model: 'm-1', metadata: { responseId: 'int-1' } })
  expect(result.codes).toEqual([])
})

it('steps that are whole at their start', () => {
  const result = read([
    created,
    open(0, 'thought', {
      summary: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      signature: 'sig',
    }),
    open(1, 'model_output', {
      content: [{ type: 'text', text: 'Hi', annotations: [{ url: 'u', end_index: 2 }] }],
    }),
    open(2, 'function_call', { id: 'c1', name: 'search', arguments: { q: 1 }, signature: 's2' }),
    stop(2),
    completed('requires_action'),
  ])
  expect(of('content-complete', result)[0]?.metadata?.sources).toEqual([{ url: 'u', start: 0, end: 2 }])
  expect(result.turn).toMatchObject({
    text: 'Hi',
    thoughts: [{ text: 'ab', signature: 'sig' }],
    calls: [
      { toolCallId: 'c1', toolName: 'search', arguments: { q: 1 }, signature: 's2', status: 'complete' },
    ],
  })
})

describe('calls of functions', () => {
  const start = open(0, 'function_call', { id: 'c1', name: 'search', arguments: {} })

  it('grow with their arguments', () => {
    const pieces = ['{"q":', '1}'].map((text) => add(0, 'arguments_delta', { arguments: text }))
    const result = read([created, start, ...pieces, stop(0), completed('requires_action')], {
      calls: 'start',
    })
    expect(of('tool-arguments-delta', result).map(({ delta }) => delta)).toEqual(['{"q":', '1}'])
    expect(of('tool-start', result)).toMatchObject([{ toolCallId: 'c1', arguments: { q: 1 } }])
  })

  it.each([
    ['requires_action', 'complete'],
    ['completed', 'complete'],
    ['incomplete', 'incomplete'],
  ])('without arguments are, if the status is %s, %s', (status, verdict) => {
    const { turn } = read([created, start, stop(0), completed(status)])
    expect(turn.calls).toMatchObject([{ status: verdict }])
  })
})

describe('tools at the provider', () => {
  const search = open(0, 'google_search_call', { id: 's1' })
  const queries = { queries: ['a'] }

  it('start and are complete', () => {
    const result = read([
      created,
      search,
      add(0, 'google_search_call', { arguments: queries }),
      stop(0),
      open(1, 'google_search_result', { call_id: 's1' }),
      add(1, 'google_search_result', { result: [1], is_error: false }),
      stop(1),
      open(2, 'mcp_server_tool_call', { id: 'm1', name: 'lookup', arguments: { a: 1 } }),
      stop(2),
      open(3, 'mcp_server_tool_result', { call_id: 'm1', result: 'No.', is_error: true }),
      stop(3),
      completed(),
    ])
    expect(of('tool-start', result)).toMatchObject([
      { toolCallId: 's1', toolName: 'google_search', arguments: queries, metadata: { provider: 'provider' } },
      { toolCallId: 'm1', toolName: 'lookup', metadata: { provider: 'provider' } },
    ])
    expect(of('tool-complete', result)).toMatchObject([
      { toolCallId: 's1', success: true, result: [1] },
      { toolCallId: 'm1', success: false, error: 'No.' },
    ])
    expect(result.turn.calls).toEqual([])
    expect(result.codes).toEqual([])
  })

  it('without a call start with their result, and say why they failed', () => {
    const result = read([
      created,
      open(0, 'google_search_result', { call_id: 's1', result: { a: 1 }, is_error: true }),
      completed(),
    ])
    expect(of('tool-complete', result)).toMatchObject([
      { toolCallId: 's1-result', toolName: 'google_search', success: false, error: 'The tool failed.' },
    ])
    expect(result.codes).toEqual(['inferred:tool-start'])
  })
})

describe('annotations', () => {
  const annotation = (more: object): object => ({
    annotations: [{ url: 'https://a.example', title: 'A', ...more }],
  })
  const text = 'Créac’h 🌊32'

  it.each([
    ['ends', [stop(1), completed()]],
    ['is followed by another with its number', [open(1, 'model_output'), stop(1), completed()]],
    ['is cut off by the end of the interaction', [completed()]],
    ['is cut off by another interaction', [{ ...created, interaction: { id: 'int-2', model: 'm-1' } }]],
    ['is cut off by the end of the stream', []],
  ])('count bytes of the whole text, when the step %s', (_, rest) => {
    const result = read([
      created,
      open(1, 'model_output'),
      add(1, 'text', { text: text.slice(0, 4) }),
      add(1, 'text_annotation_delta', annotation({ start_index: 15, end_index: 17 })),
      add(1, 'text_annotation_delta', annotation({ end_index: 6 })),
      add(1, 'text_annotation_delta', annotation({ start_index: 7, end_index: 13 })),
      ...[18, 19, 20, 21].map((end_index) => add(1, 'text_annotation_delta', annotation({ end_index }))),
      add(1, 'text_annotation_delta', {
        annotations: [{ file_name: 'f.pdf', source: 'd-1' }, { start_index: 1 }],
      }),
      add(1, 'text', { text: text.slice(4) }),
      ...rest,
    ])
    expect(of('content-complete', result)[0]?.metadata?.sources).toStrictEqual([
      { url: 'https://a.example', title: 'A', start: 10, end: 12 },
      { url: 'https://a.example', title: 'A', start: 0, end: 5 },
      { url: 'https://a.example', title: 'A' },
      { title: 'f.pdf', documentId: 'd-1' },
    ])
  })
})

it('each text may have as many sources as there is room for', () => {
  const many = Array.from({ length: 1024 }, (_, i) => ({ url: `https://a.example/${i}` }))
  const cited = (index: number, annotations: readonly object[]): object[] => [
    open(index, 'model_output', { content: [{ type: 'text', text: 'Hi', annotations }] }),
    stop(index),
  ]
  const result = read([
    created,
    ...cited(0, [...many, { url: 'u' }]),
    ...cited(1, [{ url: 'v' }]),
    completed(),
  ])
  const texts = of('content-complete', result).map(({ metadata }) => metadata?.sources ?? [])
  expect(texts.map((sources) => sources.length)).toEqual([1024, 1])
})

it('another interaction has steps of its own', () => {
  const second = { ...created, interaction: { id: 'int-2', model: 'm-1' } }
  const result = read([created, open(0, 'model_output'), second, add(0, 'text', { text: 'Hi' }), completed()])
  expect(result.codes).toEqual(['ended-early', 'inferred:step.start'])
})

it('images are files', () => {
  const result = read([
    created,
    open(0, 'model_output'),
    add(0, 'image', { data: 'aGk=', mime_type: 'image/png' }),
    add(0, 'image', { data: 'no base64!' }),
    stop(0),
    completed(),
  ])
  expect(of('file-write', result)).toMatchObject([{ data: 'aGk=', mimeType: 'image/png' }])
  expect(result.codes).toEqual(['dropped:file'])
})

describe('the end', () => {
  it('that failed is an error', () => {
    const failed = completed('failed', { error: { code: 'RESOURCE_EXHAUSTED', message: 'Later.' } })
    expect(read([created, failed]).turn.error).toMatchObject({ code: 'rate_limited' })
    expect(read([created, completed('failed')]).turn.error).toMatchObject({ code: 'provider_error' })
    expect(read([created, completed('completed', { error: 'No.' })]).turn.error).toMatchObject({
      code: 'provider_error',
    })
  })

  it('may be an error in the stream', () => {
    const error = { code: 503, message: 'Later.' }
    expect(read([created, { event_type: 'error', error }]).turn.error).toMatchObject({ code: 'unavailable' })
  })

  it('is followed by nothing but another interaction', () => {
    const update = { event_type: 'interaction.status_update' }
    const result = read([created, completed(), open(0, 'thought'), update, created, completed()])
    expect(result.codes).toEqual(['dropped:chunk'])
    expect(of('internal:llm-call', result)).toHaveLength(2)
  })
})

it('what is not known is reported once, and a delta without a step opens one', () => {
  const result = read([
    created,
    { event_type: 'unheard_of' },
    { event_type: 'unheard_of' },
    open(0, 'unheard_of'),
    add(0, 'unheard_of', {}),
    { ...add(1, 'text', { text: 'Hi' }), unheardOf: 1 },
    stop(7),
    completed(),
  ])
  expect(result.turn.text).toBe('Hi')
  expect(result.codes).toEqual([
    'unknown-type',
    'unknown-type',
    'unknown-type',
    'inferred:step.start',
    'unknown-field',
  ])
})
