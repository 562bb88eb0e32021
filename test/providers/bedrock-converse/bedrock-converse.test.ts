// Proves what bedrockConverse makes of the streams of Bedrock.

import type { EventDraft } from 'turnstream'
import { type BedrockConverseChunk, bedrockConverse } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import type { NamedModelOptions } from '../../../src/providers/shared/options.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'

const start: BedrockConverseChunk = { messageStart: { role: 'assistant' } }
const open = (contentBlockIndex: number, block: object): BedrockConverseChunk => ({
  contentBlockStart: { contentBlockIndex, start: block },
})
const add = (contentBlockIndex: number, delta: object): BedrockConverseChunk => ({
  contentBlockDelta: { contentBlockIndex, delta },
})
const close = (contentBlockIndex: number): BedrockConverseChunk => ({
  contentBlockStop: { contentBlockIndex },
})
const stop = (stopReason: string): BedrockConverseChunk => ({ messageStop: { stopReason } })
const metadata: BedrockConverseChunk = {
  metadata: { usage: { inputTokens: 5, outputTokens: 3, totalTokens: 28, cacheReadInputTokens: 20 } },
}
const usage = { model: 'm-1', inputTokens: 25, outputTokens: 3, totalTokens: 28, cachedInputTokens: 20 }
const tool = (index: number, toolUseId: string, ...pieces: string[]): BedrockConverseChunk[] => [
  open(index, { toolUse: { toolUseId, name: 'search' } }),
  ...pieces.map((input) => add(index, { toolUse: { input } })),
]

/** Reads chunks; an agent makes a legal task of what comes out. */
function read(chunks: readonly unknown[], options: NamedModelOptions = {}): ReadStream {
  const result = readStream(bedrockConverse({ model: 'm-1', ...options }), chunks)
  expect(violationsOf(taskOf(result))).toEqual([])
  return result
}

/** The drafts of a kind. */
const of = (kind: EventDraft['kind'], { drafts }: ReadStream): EventDraft[] =>
  drafts.filter((draft) => draft.kind === kind)

it.each([
  ['after', [stop('end_turn'), metadata]],
  ['before', [metadata, stop('end_turn')]],
])('text, with the usage %s the stop reason', (_, end) => {
  const result = read([start, add(0, { text: 'Hel' }), add(0, { text: 'lo' }), close(0), ...end])
  expect(result.drafts).toEqual([
    { kind: 'internal:llm-call', iteration: 0, model: 'm-1', messageCount: 0, toolCount: 0 },
    { kind: 'content-delta', delta: 'Hel' },
    { kind: 'content-delta', delta: 'lo' },
    { kind: 'content-complete', content: 'Hello', finishReason: 'end_turn', metadata: { usage: [usage] } },
  ])
  expect(result.turn).toEqual({
    content: [{ text: 'Hello' }],
    text: 'Hello',
    thoughts: [],
    calls: [],
    finishReason: 'end_turn',
    usage,
  })
  expect(result.codes).toEqual([])
})

it('a stream without a start, and a model that is not known', () => {
  const { drafts } = readStream(bedrockConverse(), [add(0, { text: 'a' }), stop('end_turn')])
  expect(drafts).toMatchObject([{ model: 'unknown' }, { delta: 'a' }, { finishReason: 'end_turn' }])
})

describe('reasoning', () => {
  it('is live, with a signature that comes alone', () => {
    const result = read([
      start,
      add(0, { reasoningContent: { text: 'Let me ' } }),
      add(0, { reasoningContent: { text: 'see.' } }),
      add(0, { reasoningContent: { text: '' } }),
      add(0, { reasoningContent: { signature: 'sig' } }),
      close(0),
      add(1, { text: 'Yes' }),
      close(1),
      stop('end_turn'),
      metadata,
    ])
    expect(of('thought-delta', result)).toHaveLength(2)
    expect(of('thought-stream', result)).toMatchObject([
      { content: 'Let me see.', metadata: { signature: 'sig' } },
    ])
  })

  it.each([
    ['bytes', [Uint8Array.of(1, 2), Uint8Array.of(3)]],
    ['Base64', ['AQI=', 'Aw==']],
  ])('that is redacted is an empty thought with its %s, also in pieces', (_, pieces) => {
    const deltas = pieces.map((redactedContent) => add(0, { reasoningContent: { redactedContent } }))
    const { turn } = read([start, ...deltas, close(0), stop('end_turn'), metadata])
    expect(turn.thoughts).toEqual([{ text: '', signature: 'AQID', redacted: true }])
  })
})

describe('calls', () => {
  it('in parallel', () => {
    const chunks = [...tool(0, 'a', '{"x":', '1}'), close(0), ...tool(1, 'b', '{}'), close(1)]
    const result = read([start, ...chunks, stop('tool_use'), metadata], { calls: 'start' })
    expect(of('tool-start', result)).toMatchObject([
      { toolCallId: 'a', toolName: 'search', arguments: { x: 1 } },
      { toolCallId: 'b', arguments: {} },
    ])
  })

  it('without arguments are complete', () => {
    const { turn } = read([start, ...tool(0, 'a'), close(0), stop('tool_use'), metadata])
    expect(turn.calls).toMatchObject([{ arguments: {}, status: 'complete' }])
  })

  it.each([
    ['before its arguments', []],
    ['in its arguments', ['{"a":']],
  ])('that the token limit cuts off %s are not started', (_, pieces) => {
    const chunks = [start, ...tool(0, 'a', ...pieces), close(0), stop('max_tokens'), metadata]
    const result = read(chunks, { calls: 'start' })
    expect(of('tool-start', result)).toEqual([])
    expect(result.turn.calls).toMatchObject([{ status: 'incomplete' }])
    expect(result.codes).toEqual(['arguments-incomplete'])
  })
})

describe('tools at the provider', () => {
  const use = [
    open(0, { toolUse: { toolUseId: 'a', name: 'grounding', type: 'server_tool_use' } }),
    add(0, { toolUse: { input: '{"q":1}' } }),
    close(0),
  ]

  it.each([
    ['success', [{ text: 'on' }, { text: 'e' }], { success: true, result: 'one' }],
    ['success', [{ json: { n: 1 } }], { success: true, result: { n: 1 } }],
    ['success', [{ json: 1 }, { text: 'x' }], { success: true, result: [1, 'x'] }],
    ['error', [{ text: 'No' }], { success: false, error: 'No' }],
  ])('end with the status %s and %j', (status, toolResult, outcome) => {
    const result = read([
      start,
      ...use,
      open(1, { toolResult: { toolUseId: 'a', type: 'grounding_tool_result', status } }),
      ...toolResult.map((piece) => add(1, { toolResult: [piece] })),
      close(1),
      stop('end_turn'),
      metadata,
    ])
    expect(of('tool-start', result)).toMatchObject([{ toolCallId: 'a', arguments: { q: 1 } }])
    expect(of('tool-complete', result)).toMatchObject([
      { toolCallId: 'a', toolName: 'grounding', ...outcome },
    ])
    expect(result.turn.calls).toEqual([])
  })

  it('end where another block starts at their place', () => {
    const place = open(1, { toolResult: { toolUseId: 'a', type: 'grounding_tool_result' } })
    const result = read([start, ...use, place, add(1, { toolResult: [{ text: 'one' }] }), open(1, {})])
    expect(of('tool-complete', result)).toMatchObject([{ toolCallId: 'a', success: true, result: 'one' }])
  })

  it('without a call start one', () => {
    const orphan = [open(0, { toolResult: { toolUseId: 'a', type: 'grounding_tool_result' } }), close(0)]
    const result = read([start, ...orphan, stop('end_turn'), metadata])
    expect(of('tool-complete', result)).toMatchObject([{ toolCallId: 'a-result', toolName: 'grounding' }])
    expect(result.codes).toEqual(['inferred:tool-start'])
  })
})

it('citations are sources of the text', () => {
  const web = {
    title: 'A',
    source: 'x',
    sourceContent: [{ text: 'b' }],
    location: { web: { url: 'https://a.example' } },
  }
  const document = (type: string): object => ({
    citation: { title: 'C', location: { [type]: { documentIndex: 2, start: 0, end: 4 } } },
  })
  const deltas = [add(0, { text: 'Yes' }), add(0, { citation: web })]
  for (const type of ['documentChar', 'documentPage', 'documentChunk']) deltas.push(add(0, document(type)))
  const result = read([start, ...deltas, close(0), stop('end_turn'), metadata])
  const [text] = of('content-complete', result) as { metadata?: { sources?: unknown } }[]
  expect(text?.metadata?.sources).toEqual([
    { url: 'https://a.example', title: 'A', quote: 'b' },
    { documentId: '2', title: 'C', passage: { unit: 'character', start: 0, end: 4 } },
    { documentId: '2', title: 'C', passage: { unit: 'page', start: 0, end: 4 } },
    { documentId: '2', title: 'C', passage: { unit: 'block', start: 0, end: 4 } },
  ])
})

it('images are files', () => {
  const image = { image: { source: { bytes: new TextEncoder().encode('hi') } } }
  const result = read([
    start,
    open(0, { image: { format: 'png' } }),
    add(0, image),
    close(0),
    stop('end_turn'),
  ])
  expect(of('file-write', result)).toMatchObject([{ data: 'aGk=', mimeType: 'image/png' }])
  const failed = read([
    start,
    open(0, { image: { format: 'png' } }),
    add(0, { image: { error: { message: 'No' } } }),
  ])
  expect(failed.codes).toEqual(['dropped:image', 'ended-early'])
})

it('what has no index is of the block that was opened last', () => {
  const chunks = [
    ...tool(0, 'c0', '{"a":'),
    ...tool(1, 'c1'),
    { contentBlockDelta: { delta: { toolUse: { input: '{}' } } } },
    { contentBlockStop: {} },
  ]
  const { turn } = read([
    start,
    ...chunks,
    add(0, { toolUse: { input: '1}' } }),
    close(0),
    stop('tool_use'),
    metadata,
  ])
  expect(turn.calls.map((call) => [call.toolCallId, call.arguments])).toEqual([
    ['c0', { a: 1 }],
    ['c1', {}],
  ])
})

describe('the end', () => {
  it.each([
    ['guardrail_intervened', 'content_filtered', 'terminal'],
    ['content_filtered', 'content_filtered', 'terminal'],
    ['malformed_tool_use', 'tool_failed', 'retryable'],
    ['model_context_window_exceeded', 'payload_too_large', 'terminal'],
  ])('%s is the error %s', (reason, code, retry) => {
    const result = read([start, add(0, { text: 'I' }), close(0), stop(reason), metadata])
    expect(of('content-complete', result)).toMatchObject([{ finishReason: reason }])
    expect(of('task-error', result)).toMatchObject([{ error: { code, retry } }])
  })

  it.each([
    ['throttlingException', 'rate_limited', 'retryable'],
    ['serviceUnavailableException', 'unavailable', 'retryable'],
    ['validationException', 'invalid_request', 'terminal'],
    ['modelStreamErrorException', 'provider_error', 'retryable'],
    ['internalServerException', 'provider_error', 'retryable'],
  ])('of a stream with a %s is the error %s', (name, code, retry) => {
    const result = read([start, add(0, { text: 'I' }), { [name]: { message: 'No.' } }])
    expect(of('content-complete', result)).toMatchObject([{ content: 'I' }])
    expect(of('task-error', result)).toMatchObject([{ error: { code, retry } }])
    const { diagnostics } = read([start, { [name]: { message: 1, originalStatusCode: '1' } }])
    const paths = diagnostics.flatMap((one) => (one.code === 'invalid-event' ? [one.path] : []))
    expect(paths).toEqual([`/${name}/message`, `/${name}/originalStatusCode`])
  })
})

it('another message starts over; what follows an end is dropped', () => {
  const one = [start, add(0, { text: 'a' }), close(0), stop('end_turn'), metadata]
  expect(read([...one, ...one]).codes).toEqual([])
  expect(read([...one, close(0)]).codes).toEqual(['dropped:chunk'])
  const spliced = read([...one.slice(0, 2), ...one])
  expect(spliced.codes).toEqual(['ended-early'])
  expect(spliced.turn.text).toBe('a')
})

it('unknown members and fields are reported once, and the rest is read', () => {
  const deltas = [add(0, { text: 'a', y: 1 }), add(0, { y: 1 })]
  const result = read([start, { x: {} }, { x: {} }, ...deltas, close(0), stop('end_turn'), metadata])
  expect(result.codes).toEqual(['unknown-type', 'unknown-field'])
  expect(result.turn.text).toBe('a')
})
