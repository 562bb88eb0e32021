// Proves what geminiContent makes of the streams of the Gemini API and Vertex AI.

import type { EventDraft } from 'turnstream'
import { type GeminiContentChunk, geminiContent } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import type { ModelOptions } from '../../../src/providers/shared/options.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'

const base = { modelVersion: 'm-1', responseId: 'r-1' }

/** A chunk with parts. */
const add = (...parts: object[]): GeminiContentChunk => ({
  ...base,
  candidates: [{ content: { parts }, index: 0 }],
})
const text = (piece: string): GeminiContentChunk => add({ text: piece })
const call = (functionCall: object, more: object = {}): GeminiContentChunk => add({ functionCall, ...more })
const partial = (jsonPath: string, value: object, willContinue?: boolean): GeminiContentChunk =>
  call({ partialArgs: [{ jsonPath, ...value }], ...(willContinue !== undefined && { willContinue }) })
const stop = (finishReason = 'STOP', more: object = {}): GeminiContentChunk => ({
  ...base,
  candidates: [{ content: { parts: [{ text: '' }] }, finishReason, ...more }],
  usageMetadata: {
    promptTokenCount: 5,
    toolUsePromptTokenCount: 2,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 10,
    totalTokenCount: 20,
  },
})

/** Reads chunks; an agent makes a legal task of what comes out. */
function read(chunks: readonly unknown[], options: ModelOptions = {}): ReadStream {
  const result = readStream(geminiContent(options), chunks)
  expect(violationsOf(taskOf(result))).toEqual([])
  return result
}

/** The drafts of a kind. */
const of = (kind: EventDraft['kind'], { drafts }: ReadStream): EventDraft[] =>
  drafts.filter((draft) => draft.kind === kind)

it('text, with the finish reason and the usage at the end of the stream', () => {
  const result = read([text('Hel'), text('lo'), stop()])
  const usage = {
    model: 'm-1',
    inputTokens: 7,
    outputTokens: 13,
    totalTokens: 20,
    reasoningTokens: 10,
    cachedInputTokens: 4,
  }
  expect(result.drafts.slice(1)).toEqual([
    { kind: 'content-delta', delta: 'Hel' },
    { kind: 'content-delta', delta: 'lo' },
    { kind: 'content-complete', content: 'Hello', finishReason: 'STOP', metadata: { usage: [usage] } },
  ])
  expect(result.turn).toEqual({
    content: [{ text: 'Hello' }],
    text: 'Hello',
    thoughts: [],
    calls: [],
    finishReason: 'STOP',
    usage,
  })
  expect(result.codes).toEqual([])
})

describe('thoughts', () => {
  it('are live, and keep the signature of the part that follows', () => {
    const chunks = [add({ text: 'Let ', thought: true }), add({ text: 'me.', thought: true })]
    const result = read([...chunks, add({ text: 'Yes', thoughtSignature: 'sig' }), stop()])
    expect(of('thought-delta', result)).toHaveLength(2)
    expect(of('thought-stream', result)).toMatchObject([
      { content: 'Let me.', metadata: { signature: 'sig' } },
    ])
    expect(result.turn).toMatchObject({ text: 'Yes', thoughts: [{ text: 'Let me.', signature: 'sig' }] })
    expect(of('thought-stream', read(chunks))).toMatchObject([{ metadata: { complete: false } }])
  })

  it('without text are a signature', () => {
    const { turn } = read([text('Yes'), add({ text: '', thoughtSignature: 'sig' }), stop()])
    expect(turn.thoughts).toEqual([{ text: '', signature: 'sig' }])
  })
})

describe('calls', () => {
  it('come as a whole, in parallel, with their signature', () => {
    const result = read(
      [
        add(
          { functionCall: { id: 'a', name: 'search', args: { q: 'x' } }, thoughtSignature: 'sig' },
          { functionCall: { name: 'read', args: {} } },
        ),
        stop(),
      ],
      { calls: 'start' },
    )
    expect(of('tool-start', result)).toMatchObject([
      { toolCallId: 'a', toolName: 'search', arguments: { q: 'x' }, metadata: { signature: 'sig' } },
      { toolCallId: 'r-1-call-1', toolName: 'read', arguments: {} },
    ])
    expect(result.turn.calls).toMatchObject([{ signature: 'sig' }, { status: 'complete' }])
    expect(result.codes).toEqual([])
  })

  const pieces = [
    call({ id: 'a', name: 'search', willContinue: true }),
    partial('$.q.words[0]', { stringValue: 'on', willContinue: true }, true),
    partial('$.q.words[0]', { stringValue: 'e' }, true),
    partial('$.q.words[1]', { nullValue: 'NULL_VALUE' }, true),
    partial('$.limit', { numberValue: 1.5 }, true),
    partial('$.exact', { boolValue: false }, true),
  ]
  const whole = { q: { words: ['one', null] }, limit: 1.5, exact: false }

  it.each([
    ['an empty part', [call({})]],
    ['the last value', [partial('$.last', { numberValue: 0 })]],
    ['another call', [call({ name: 'read' })]],
    ['a text', [text('So')]],
    ['the end alone', []],
  ])('in pieces are streamed as JSON, and end with %s', (_, end) => {
    const result = read([...pieces, ...end, stop()])
    const deltas = of('tool-arguments-delta', result)
    expect(deltas.slice(0, 3)).toMatchObject([
      { delta: '{"q":{"words":["on' },
      { delta: 'e"' },
      { delta: ',null' },
    ])
    expect(result.turn.calls[0]).toMatchObject({ arguments: whole, status: 'complete' })
  })

  it('in pieces are complete if a value changes that was written before', () => {
    const late = partial('$.q.more', { stringValue: 'x' }, true)
    const { turn } = read([...pieces, late, call({}), stop()])
    expect(turn.calls[0]?.arguments).toEqual({ ...whole, q: { words: ['one', null], more: 'x' } })
  })

  it.each([
    ['by the token limit', [], stop('MAX_TOKENS')],
    ['in a text', [partial('$.r', { stringValue: 'x', willContinue: true }, true)], stop()],
  ])('that are cut off %s are not started', (_, more, end) => {
    const result = read([...pieces, ...more, end], { calls: 'start' })
    expect(of('tool-start', result)).toEqual([])
    expect(result.turn.calls).toMatchObject([{ status: 'incomplete' }])
    expect(result.codes).toEqual(['arguments-incomplete'])
  })

  it('with a value that has no place are not started', () => {
    const result = read([...pieces, partial('$.q.words[9]', { numberValue: 1 }, true), call({}), stop()])
    expect(result.turn.calls).toMatchObject([{ status: 'incomplete' }])
    const other = read([call({ id: 'a', name: 'search', willContinue: true }), partial('q', {}), stop()])
    expect(other.turn.calls).toMatchObject([{ status: 'incomplete' }])
    expect(other.codes).toEqual(['invalid-path', 'arguments-incomplete'])
  })
})

describe('tools at the provider', () => {
  it('run code', () => {
    const result = read([
      add({ executableCode: { language: 'PYTHON', code: 'print(1)', id: 'a' } }),
      add({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n', id: 'a' } }),
      add({ executableCode: { language: 'PYTHON', code: 'x' } }),
      add({ codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'NameError' } }),
      stop(),
    ])
    expect(of('tool-start', result)).toMatchObject([
      { toolCallId: 'a', toolName: 'code_execution', arguments: { language: 'PYTHON', code: 'print(1)' } },
      { toolName: 'code_execution' },
    ])
    expect(of('tool-complete', result)).toMatchObject([
      { toolCallId: 'a', success: true, result: { outcome: 'OUTCOME_OK', output: '1\n' } },
      { success: false, error: 'NameError' },
    ])
    expect(result.turn.calls).toEqual([])
  })

  it('search', () => {
    const result = read([
      add({ toolCall: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['x'] } } }),
      add({ toolResponse: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', response: { n: 1 } } }),
      stop(),
    ])
    expect(of('tool-start', result)).toMatchObject([
      { toolName: 'google_search_web', arguments: { queries: ['x'] } },
    ])
    expect(of('tool-complete', result)).toMatchObject([{ toolCallId: 'a', result: { n: 1 } }])
  })
})

it('images are files', () => {
  const result = read([add({ inlineData: { mimeType: 'image/png', data: 'aGk=' } }), stop()])
  expect(of('file-write', result)).toMatchObject([
    { data: 'aGk=', mimeType: 'image/png', encoding: 'base64' },
  ])
})

it('grounding, citations and fetched pages are sources, at positions in UTF-16 code units', () => {
  const web = (uri: string): object => ({ web: { uri, title: uri.at(-1) } })
  const more = {
    groundingMetadata: {
      groundingChunks: [web('https://example.com/a'), web('https://example.com/b')],
      groundingSupports: [{ segment: { startIndex: 5, endIndex: 8 }, groundingChunkIndices: [1] }],
    },
    citationMetadata: { citations: [{ uri: 'https://example.com/c', endIndex: 4 }] },
    urlContextMetadata: {
      urlMetadata: [
        { retrievedUrl: 'https://example.com/d', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
        { retrievedUrl: 'https://example.com/e', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
      ],
    },
  }
  const result = read([text('😀 '), text('abc'), stop('STOP', more), stop('STOP', more)])
  expect(of('content-complete', result)).toMatchObject([
    {
      content: '😀 abc',
      metadata: {
        sources: [
          { url: 'https://example.com/b', title: 'b', start: 3, end: 6 },
          { url: 'https://example.com/a', title: 'a' },
          { url: 'https://example.com/c', start: 0, end: 2 },
          { url: 'https://example.com/d' },
        ],
      },
    },
  ])
})

describe('the end', () => {
  it.each([
    ['SAFETY', 'content_filtered', 'terminal'],
    ['RECITATION', 'content_filtered', 'terminal'],
    ['IMAGE_SAFETY', 'content_filtered', 'terminal'],
    ['MALFORMED_FUNCTION_CALL', 'tool_failed', 'retryable'],
    ['OTHER', 'provider_error', 'retryable'],
  ])('%s is the error %s', (reason, code, retry) => {
    const result = read([text('I'), stop(reason, { finishMessage: 'Because.' })])
    expect(of('content-complete', result)).toMatchObject([{ finishReason: reason }])
    expect(of('task-error', result)).toMatchObject([{ error: { code, retry } }])
  })

  it('of a request that was blocked is an error', () => {
    const { turn } = read([{ ...base, promptFeedback: { blockReason: 'OTHER' } }])
    expect(turn).toMatchObject({ finishReason: 'OTHER', error: { code: 'content_filtered' } })
  })

  it('of a stream with an error is the error, with the time to wait', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.5s' }]
    const error = { code: 429, message: 'Slow.', status: 'RESOURCE_EXHAUSTED', details }
    const result = read([text('I'), { error }])
    expect(of('task-error', result)).toMatchObject([
      { error: { code: 'rate_limited', retry: 'retryable', retryAfterMs: 1500 } },
    ])
    expect(read([text('I')]).codes).toEqual(['ended-early'])
  })
})

it('another response after the end starts over', () => {
  const result = read([
    text('a'),
    stop(),
    { ...text('b'), responseId: 'r-2' },
    { ...stop(), responseId: 'r-2' },
  ])
  expect(result.turn.text).toBe('b')
  expect(of('content-complete', result)).toMatchObject([
    { content: 'a', finishReason: 'STOP' },
    { content: 'b' },
  ])
})

it('other candidates, unknown chunks, parts and fields are reported, and the rest is read', () => {
  const result = read([
    { event_type: 'step.delta' },
    { ...base, candidates: [{ index: 1, content: { parts: [{ text: 'x' }] } }] },
    add({ text: 'a', more: 1 }, { fileData: { fileUri: 'gs://b' } }),
    stop(),
  ])
  expect(result.codes).toEqual(['unknown-type', 'dropped:candidate', 'unknown-field', 'dropped:fileData'])
  expect(result.turn.text).toBe('a')
})
