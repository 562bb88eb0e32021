/** Proves how the example adapter converts each part of a chat stream, and that it reports what it ignores. */
import { createEmitter, type EventDraft, run } from 'agentwire'
import type { SseMessage } from 'agentwire/sse'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openaiAdapter } from '../../examples/openai.ts'
import { jsonValue } from '../support/json.ts'
import { expectMachineLaw } from '../support/law.ts'
import { runs } from '../support/runs.ts'

const message = (data: string): SseMessage => ({ event: 'message', data, id: '' })
const deltaChunk = (delta: unknown, finish_reason: string | null = null): unknown => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (piece: unknown): unknown => deltaChunk({ tool_calls: [piece] })
const stop = deltaChunk({}, 'stop')

/** Converts chunks to drafts and the paths of diagnostics; a string is raw data. */
function read(chunks: readonly unknown[]): { drafts: EventDraft[]; ignored: (string | undefined)[] } {
  const ignored: (string | undefined)[] = []
  const adapter = run(openaiAdapter(), { onDiagnostic: ({ code, path }) => ignored.push(path ?? code) })
  const drafts = chunks.flatMap((chunk) =>
    adapter.push(message(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))),
  )
  drafts.push(...adapter.end())
  return { drafts, ignored }
}

const cases: readonly {
  name: string
  chunks: readonly unknown[]
  drafts: readonly object[]
  ignored?: readonly string[]
}[] = [
  {
    name: 'content, with its finish reason',
    chunks: [deltaChunk({ role: 'assistant', content: '' }), deltaChunk({ content: 'Hi' }), stop, '[DONE]'],
    drafts: [
      { kind: 'content-delta', delta: 'Hi' },
      { kind: 'content-complete', content: 'Hi', finishReason: 'stop' },
    ],
  },
  {
    name: 'reasoning_content, ended by the content that follows',
    chunks: [
      deltaChunk({ reasoning_content: 'Hm', content: null }),
      deltaChunk({ reasoning_content: '.' }),
      deltaChunk({ content: '4' }),
      stop,
    ],
    drafts: [
      { kind: 'thought-delta', delta: 'Hm' },
      { kind: 'thought-delta', delta: '.' },
      { kind: 'thought-stream', thoughtType: 'reasoning', content: 'Hm.' },
      { kind: 'content-delta', delta: '4' },
      { kind: 'content-complete', content: '4' },
    ],
  },
  {
    name: 'reasoning cut off by the length limit',
    chunks: [deltaChunk({ reasoning: 'Hm' }), deltaChunk({}, 'length')],
    drafts: [
      { kind: 'thought-delta', delta: 'Hm' },
      { kind: 'thought-stream', content: 'Hm', metadata: { complete: false } },
    ],
  },
  {
    name: 'a tool call in pieces, and one without arguments',
    chunks: [
      call({ index: 0, id: 'a', function: { name: 'add', arguments: '' } }),
      call({ index: 0, function: { arguments: '{"x"' } }),
      call({ index: 0, function: { arguments: ':1}' } }),
      call({ index: 1, id: 'b', function: { name: 'now' } }),
      deltaChunk({}, 'tool_calls'),
    ],
    drafts: [
      { kind: 'tool-arguments-delta', toolCallId: 'a', toolName: 'add', delta: '{"x"' },
      { kind: 'tool-arguments-delta', toolCallId: 'a', toolName: 'add', delta: ':1}' },
      { kind: 'tool-start', toolCallId: 'a', toolName: 'add', arguments: { x: 1 } },
      { kind: 'tool-start', toolCallId: 'b', toolName: 'now', arguments: {} },
    ],
  },
  {
    name: 'calls that share an index but not an id',
    chunks: [
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      call({ index: 0, id: 'b', function: { name: 'f', arguments: '{}' } }),
      deltaChunk({}, 'tool_calls'),
    ],
    drafts: [
      { kind: 'tool-arguments-delta', toolCallId: 'a' },
      { kind: 'tool-arguments-delta', toolCallId: 'b' },
      { kind: 'tool-start', toolCallId: 'a' },
      { kind: 'tool-start', toolCallId: 'b' },
    ],
  },
  {
    name: 'arguments that are not JSON, or not an object',
    chunks: [
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }),
      call({ index: 1, id: 'b', function: { name: 'f', arguments: '[1]' } }),
      deltaChunk({}, 'tool_calls'),
    ],
    drafts: [
      { kind: 'tool-arguments-delta', toolCallId: 'a' },
      { kind: 'tool-arguments-delta', toolCallId: 'b' },
      { kind: 'task-error', error: { scope: 'tool', toolCallId: 'a', details: { arguments: '{"x":' } } },
      { kind: 'task-error', error: { scope: 'tool', toolCallId: 'b', details: { arguments: '[1]' } } },
    ],
  },
  {
    name: 'a stream that ends too early',
    chunks: [
      deltaChunk({ content: 'Hal' }),
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
    ],
    drafts: [
      { kind: 'content-delta', delta: 'Hal' },
      { kind: 'tool-arguments-delta', toolCallId: 'a' },
      { kind: 'content-complete', content: 'Hal' },
      { kind: 'task-error', error: { code: 'provider_error' } },
    ],
    ignored: ['/choices/0/delta/tool_calls'],
  },
  {
    name: 'an error in place of a chunk',
    chunks: [{ error: { message: 'Overloaded', code: 529 } }],
    drafts: [{ kind: 'task-error', error: { message: 'Overloaded', details: { code: 529 } } }],
  },
  {
    name: 'fields without an equivalent event',
    chunks: [
      {
        choices: [
          { index: 0, delta: { content: 'A', refusal: 'No', audio: null } },
          { index: 1, delta: { content: 'B' } },
        ],
      },
      deltaChunk({ content: [{ type: 'text' }] }),
      deltaChunk({ reasoning: { text: 'Hm' } }),
      call({ index: 7, function: { arguments: '{}' } }),
      deltaChunk({ tool_calls: 'none' }),
      stop,
      { choices: [], usage: { total_tokens: 3 } },
    ],
    drafts: [{ kind: 'content-delta', delta: 'A' }, { kind: 'content-complete' }],
    ignored: [
      '/choices/0/delta/refusal',
      '/choices/1',
      '/choices/0/delta/content',
      '/choices/0/delta/reasoning',
      '/choices/0/delta/tool_calls',
      '/choices/0/delta/tool_calls',
      '/usage',
    ],
  },
  {
    name: 'messages of another kind',
    chunks: ['not JSON', '[1]', '"text"', 'null', { type: 'message_start' }],
    drafts: [{ kind: 'task-error', error: { message: 'The stream contains no chat.completion.chunk.' } }],
    ignored: ['', '', '', '', ''],
  },
]

describe('reads', () => {
  test.each(cases)('$name', ({ chunks, drafts, ignored = [] }) => {
    const result = read(chunks)
    expect(result.drafts).toHaveLength(drafts.length)
    expect(result.drafts).toMatchObject(drafts)
    expect(result.ignored).toStrictEqual(ignored)
  })
})

/** Nearly valid chunks: known fields with values of any type. */
const loose = fc.oneof(
  fc.string(),
  fc.constantFrom('', '<think', 'ing>', '</thinking>', '{"a":1}'),
  jsonValue(),
)
const piece = fc.record(
  {
    index: fc.oneof(fc.nat(2), loose),
    id: loose,
    function: fc.record({ name: loose, arguments: loose }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)
const delta = fc.record(
  {
    role: loose,
    content: loose,
    reasoning_content: loose,
    reasoning: loose,
    tool_calls: fc.oneof(fc.array(piece), loose),
    other: loose,
  },
  { requiredKeys: [] },
)
const choice = fc.record(
  { index: fc.oneof(fc.constant(0), loose), delta: fc.oneof(delta, loose), finish_reason: loose },
  { requiredKeys: [] },
)
const anyMessage: fc.Arbitrary<SseMessage> = fc
  .oneof(
    fc.record(
      { choices: fc.oneof(fc.array(choice), loose), usage: loose, error: loose },
      { requiredKeys: [] },
    ),
    jsonValue(),
  )
  .map((chunk) => message(JSON.stringify(chunk)))

test('the adapter is a machine, and never throws', () => {
  expectMachineLaw(openaiAdapter(), anyMessage)
})

test('every draft is a valid event, whatever the chunks contain', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 8 }), (messages) => {
      const adapter = run(openaiAdapter())
      const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
      for (const draft of [...messages.flatMap(adapter.push), ...adapter.end()]) emitter.emit(draft)
    }),
    { numRuns: runs(500) },
  )
})
