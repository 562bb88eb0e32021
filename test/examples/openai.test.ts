/** Proves what the example adapter makes of each thing a chat stream can say, and that it loses nothing unsaid. */
import { createEmitter, type EventDraft, run } from 'agentwire'
import type { SseMessage } from 'agentwire/sse'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openaiAdapter } from '../../examples/openai.ts'
import { jsonValue } from '../support/json.ts'
import { expectMachineLaw } from '../support/law.ts'
import { runs } from '../support/runs.ts'

const message = (data: string): SseMessage => ({ event: 'message', data, id: '' })
const says = (delta: unknown, finish_reason: string | null = null): unknown => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (piece: unknown): unknown => says({ tool_calls: [piece] })
const stop = says({}, 'stop')

/** Drafts and places of diagnostics that come of chunks; a string is data as it is. */
function read(chunks: readonly unknown[]): { drafts: EventDraft[]; leftOut: (string | undefined)[] } {
  const leftOut: (string | undefined)[] = []
  const adapter = run(openaiAdapter(), { onDiagnostic: ({ code, path }) => leftOut.push(path ?? code) })
  const drafts = chunks.flatMap((chunk) =>
    adapter.push(message(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))),
  )
  drafts.push(...adapter.end())
  return { drafts, leftOut }
}

const cases: readonly {
  name: string
  chunks: readonly unknown[]
  drafts: readonly object[]
  leftOut?: readonly string[]
}[] = [
  {
    name: 'content, with its finish reason',
    chunks: [says({ role: 'assistant', content: '' }), says({ content: 'Hi' }), stop, '[DONE]'],
    drafts: [
      { kind: 'content-delta', delta: 'Hi' },
      { kind: 'content-complete', content: 'Hi', finishReason: 'stop' },
    ],
  },
  {
    name: 'reasoning_content, which the content after it ends',
    chunks: [
      says({ reasoning_content: 'Hm', content: null }),
      says({ reasoning_content: '.' }),
      says({ content: '4' }),
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
    name: 'reasoning that the length limit cuts off',
    chunks: [says({ reasoning: 'Hm' }), says({}, 'length')],
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
      says({}, 'tool_calls'),
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
      says({}, 'tool_calls'),
    ],
    drafts: [
      { kind: 'tool-arguments-delta', toolCallId: 'a' },
      { kind: 'tool-arguments-delta', toolCallId: 'b' },
      { kind: 'tool-start', toolCallId: 'a' },
      { kind: 'tool-start', toolCallId: 'b' },
    ],
  },
  {
    name: 'arguments that are no JSON, or no object',
    chunks: [
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }),
      call({ index: 1, id: 'b', function: { name: 'f', arguments: '[1]' } }),
      says({}, 'tool_calls'),
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
    chunks: [says({ content: 'Hal' }), call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } })],
    drafts: [
      { kind: 'content-delta', delta: 'Hal' },
      { kind: 'tool-arguments-delta', toolCallId: 'a' },
      { kind: 'content-complete', content: 'Hal' },
      { kind: 'task-error', error: { code: 'provider_error' } },
    ],
    leftOut: ['/choices/0/delta/tool_calls'],
  },
  {
    name: 'an error in place of a chunk',
    chunks: [{ error: { message: 'Overloaded', code: 529 } }],
    drafts: [{ kind: 'task-error', error: { message: 'Overloaded', details: { code: 529 } } }],
  },
  {
    name: 'fields no event tells of',
    chunks: [
      {
        choices: [
          { index: 0, delta: { content: 'A', refusal: 'No', audio: null } },
          { index: 1, delta: { content: 'B' } },
        ],
      },
      says({ content: [{ type: 'text' }] }),
      says({ reasoning: { text: 'Hm' } }),
      call({ index: 7, function: { arguments: '{}' } }),
      says({ tool_calls: 'none' }),
      stop,
      { choices: [], usage: { total_tokens: 3 } },
    ],
    drafts: [{ kind: 'content-delta', delta: 'A' }, { kind: 'content-complete' }],
    leftOut: [
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
    name: 'messages of another kind, of which nothing comes',
    chunks: ['not JSON', '[1]', '"text"', 'null', { type: 'message_start' }],
    drafts: [{ kind: 'task-error', error: { message: 'The stream contains no chat.completion.chunk.' } }],
    leftOut: ['', '', '', '', ''],
  },
]

describe('reads', () => {
  test.each(cases)('$name', ({ chunks, drafts, leftOut = [] }) => {
    const result = read(chunks)
    expect(result.drafts).toHaveLength(drafts.length)
    expect(result.drafts).toMatchObject(drafts)
    expect(result.leftOut).toStrictEqual(leftOut)
  })
})

/** Chunks that are nearly right: known fields with values of any type. */
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

test('every draft is an event, whatever the chunks hold', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 8 }), (messages) => {
      const adapter = run(openaiAdapter())
      const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
      for (const draft of [...messages.flatMap(adapter.push), ...adapter.end()]) emitter.emit(draft)
    }),
    { numRuns: runs(500) },
  )
})
