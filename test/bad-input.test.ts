// Proves that every reader names what is no stream of its own: once, however long the stream is.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Diagnostic, type EventDraft, pipe, run } from 'turnstream'
import { fromA2a } from 'turnstream/a2a'
import { fromAgUi } from 'turnstream/ag-ui'
import { fromAgentEvents } from 'turnstream/agent-event'
import { fromAdk, fromClaudeAgent, fromCodex, fromLangGraph, fromOpenaiAgents } from 'turnstream/agents'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { fromFrames } from 'turnstream/frames'
import { fromLooopy } from 'turnstream/looopy'
import { fromSessionEvents } from 'turnstream/session'
import { jsonDecoder } from 'turnstream/sse'
import { thoughtEvents, thoughtExtractor } from 'turnstream/thoughts'
import { describe, expect, it } from 'vitest'
import { readers as providers } from '../examples/readers.ts'
import { readRecording, recordingOf } from '../examples/recording.ts'
import type { FrameworkOptions } from '../src/agents/frameworks/read-framework.ts'
import { jsonValue } from './support/json.ts'

/** Reads a stream, and returns what is reported. */
type Read = (inputs: readonly unknown[]) => Promise<readonly Diagnostic[]>

const ofMachine =
  (create: () => unknown): Read =>
  async (inputs) => {
    const diagnostics: Diagnostic[] = []
    const { push, end } = run(create() as never, { onDiagnostic: (one) => diagnostics.push(one) })
    for (const input of inputs) push(input as never)
    end()
    return diagnostics
  }

/** That a run without any message has failed is proved with it. */
const ofFramework =
  (from: (source: Iterable<unknown>, options: FrameworkOptions) => AsyncIterable<unknown>): Read =>
  async (inputs) => {
    const diagnostics: Diagnostic[] = []
    const drafts: unknown[] = []
    for await (const draft of from(inputs, { onDiagnostic: (one) => diagnostics.push(one) }))
      drafts.push(draft)
    const failed = { kind: 'task-status', status: 'failed', error: { code: 'protocol_violation' } }
    expect(drafts).toMatchObject([failed])
    return diagnostics
  }

const dialects: Readonly<Record<string, () => unknown>> = {
  a2a: fromA2a,
  'ag-ui': fromAgUi,
  'ai-sdk': fromUiMessageStream,
  'agent-event': fromAgentEvents,
  frames: fromFrames,
  looopy: fromLooopy,
  session: fromSessionEvents,
}
const frameworks: readonly (readonly [
  name: string,
  from: (source: Iterable<unknown>, options: FrameworkOptions) => AsyncIterable<EventDraft | unknown>,
])[] = [
  ['claude-agent', fromClaudeAgent],
  ['codex', fromCodex],
  ['langgraph', fromLangGraph],
  ['openai-agents', fromOpenaiAgents],
  ['adk', fromAdk],
]
const readers: readonly (readonly [name: string, read: Read])[] = [
  ...Object.entries(providers).map(([name, create]) => [name, ofMachine(() => create({}))] as const),
  ...Object.entries(dialects).map(([name, create]) => [name, ofMachine(create)] as const),
  ...frameworks.map(([name, from]) => [name, ofFramework(from)] as const),
]

const valuesOf = (bytes: Uint8Array): readonly unknown[] => {
  const { push, end } = run(jsonDecoder())
  return [...push(bytes), ...end()].map(({ value }) => value)
}
const html = '<html><body><h1>502 Bad Gateway</h1></body></html>'
const sse = new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n')

/** Streams, and what their report names. */
const streams: readonly (readonly [name: string, inputs: readonly unknown[], names: RegExp])[] = [
  ...Object.keys(providers).map(
    (name) => [name, valuesOf(readRecording(recordingOf(name))), /got one of /] as const,
  ),
  ['ag-ui', valuesOf(readFileSync('test/fixtures/recordings/ag-ui.sse')), /got one of AG-UI/],
  ['ai-sdk', valuesOf(readFileSync('test/fixtures/recordings/ai-sdk.sse')), /got one of AI SDK/],
  ['a2a', valuesOf(readFileSync('test/fixtures/recordings/a2a.sse')), /got one of A2A/],
  ['codex', valuesOf(readFileSync('test/fixtures/frameworks/codex.jsonl')), /got one of Codex/],
  [
    'an older Cohere',
    [
      { is_finished: false, event_type: 'stream-start', generation_id: 'g' },
      { is_finished: false, event_type: 'text-generation', text: 'Hi' },
      { is_finished: true, event_type: 'stream-end', finish_reason: 'COMPLETE' },
    ],
    /got one of Cohere v1/,
  ],
  [
    'an older Anthropic',
    [
      { type: 'completion', completion: ' Hi', stop_reason: null, model: 'claude-2' },
      { type: 'completion', completion: ' there', stop_reason: 'stop_sequence', model: 'claude-2' },
    ],
    /got one of Anthropic Text Completions/,
  ],
  ['an older AI SDK', ['0:"Hi"\n', 'd:{"finishReason":"stop"}\n'], /got (text|string)/],
  ['a chunk of another API', [{ choices: [{ delta: { content: 'Hi' } }] }], /got one of Chat Completions/],
  ['HTML', [html], /got (HTML or XML|string)/],
  ['HTML, a character at a time', [...html], /got (HTML or XML|string)/],
  ['half a line', ['{"type":"mess'], /got (text|string)/],
  ['bytes', [sse, sse], /got bytes/],
  ['a broken chunk', [null], /got null/],
  ['a number', [5], /got (5|number)/],
  ['numbers', Array.from({ length: 48 }, (_, i) => i), /got (0|number)/],
  ['nulls', Array.from({ length: 48 }, () => null), /got null/],
  ['lists', Array.from({ length: 48 }, (_, i) => [i, i]), /got (number|array|an array|list)/],
  ['objects of no API', Array.from({ length: 48 }, (_, i) => ({ i })), /./],
]

/** Those that are not foreign to a reader: AgentEvents of unknown types are kept as they are. */
const isOwn = (reader: string, stream: string): boolean =>
  reader === stream ||
  (reader === 'openai' && stream === 'a chunk of another API') ||
  (reader === 'agent-event' && stream === 'ai-sdk')

describe.each(readers)('the reader of %s', (reader, read) => {
  it.each(streams.filter(([stream]) => !isOwn(reader, stream)))('names %s', async (_, inputs, names) => {
    const diagnostics = await read(inputs)
    // That the stream of a model has no end is another fault.
    const reports = diagnostics.filter(({ code }) => code !== 'ended-early')
    expect(reports.map(({ message }) => message)).toEqual([expect.stringMatching(names)])
  })
})

/** Values that are no events of any protocol. */
const nothing = fc.oneof(
  fc.constantFrom(null, true, 0, '', 'text', [], [1], [[]], {}),
  fc.dictionary(fc.constantFrom('i', 'n', 'a-b'), jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
)

describe.each(readers)('the reader of %s', (_, read) => {
  it('reports the same of what is no stream, however often it is repeated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(nothing, { minLength: 1, maxLength: 8 }), async (values) => {
        const once = await read(values)
        expect(await read([...values, ...values, ...values])).toEqual(once)
      }),
    )
  })
})

it.each(Object.entries(providers))('an empty stream of %s has ended early', async (_, create) => {
  const diagnostics = await ofMachine(() => create({}))([])
  expect(diagnostics.map(({ code }) => code)).toEqual(['ended-early'])
})

it.each(frameworks)('a run of %s without a message is named', async (_, from) => {
  const codes = (inputs: string[]): Promise<string[]> =>
    ofFramework(from)(inputs).then((diagnostics) => diagnostics.map(({ code }) => code))
  expect(await codes([])).toEqual(['ended-early'])
  expect(await codes(['', '\n'])).toEqual(['ended-early'])
})

it.each([
  ['thoughtEvents', thoughtEvents],
  ['thoughtExtractor', thoughtExtractor],
] as const)('%s names what is no text once, and leaves it out', async (_, create) => {
  const read = ofMachine(create)
  const reports = await read([sse, sse, 5])
  expect(reports).toMatchObject([{ code: 'invalid-delta', message: expect.stringContaining('got bytes') }])
  expect(await read([null, 'Hi', null])).toMatchObject([{ message: expect.stringContaining('got null') }])
  const { push, end } = run(thoughtEvents())
  expect([...push(sse as never), ...push('Hi'), ...end()]).toMatchObject([{ delta: 'Hi' }, { content: 'Hi' }])
})

const bodies: readonly (readonly [name: string, body: string, code: string])[] = [
  ['HTML', html, 'no-message'],
  ['HTML in lines', '<!doctype html>\n<html>\n<p>data: b</p>\n\n</html>', 'no-message'],
  ['text', 'upstream connect error', 'no-message'],
  ['text with colons', 'Error: a\n  at b: c\n\n', 'no-message'],
  ['half a line', '{"choices":[{"del', 'incomplete-message'],
  ['half an event', 'data: {"choices":[{"del', 'incomplete-message'],
  ['half a list', '[{"choices":[{"del', 'incomplete-message'],
  ['data that is no JSON', 'data: {"a":\n\n', 'invalid-json'],
  ['nothing', '', 'no-message'],
]

describe.each(bodies)('the decoder in front of a reader: %s', (_, body, code) => {
  it.each(['at once', 'byte by byte'])('%s', (how) => {
    const diagnostics: Diagnostic[] = []
    const { push, end } = run(pipe(jsonDecoder(), providers.openai?.({}) as never), {
      onDiagnostic: (one) => diagnostics.push(one),
    })
    const bytes = new TextEncoder().encode(body)
    for (const part of how === 'at once' ? [bytes] : [...bytes].map((byte) => Uint8Array.of(byte))) push(part)
    end()
    expect(diagnostics.map((one) => one.code)).toEqual([code, 'ended-early'])
  })
})
