// Proves that the UI message streams of frameworks, as their packages wrote them, become legal tasks from which nothing is missing.
import { readFileSync } from 'node:fs'
import { type ContextAnyEvent, pipe, run } from 'turnstream'
import { fromUiMessageStream } from 'turnstream/ai-sdk'
import { jsonDecoder } from 'turnstream/sse'
import { emptyView, foldEvents, taskOf, verifier } from 'turnstream/streams'
import { expect, it } from 'vitest'

const tide = { toolCallId: 'call_1', toolName: 'tide', success: true, result: { high: '14:20' } }
const broken = { toolCallId: 'call_2', success: false, error: expect.stringContaining('No connection.') }
const thought = { type: 'thought', text: 'The tide table.' }
const texts = [
  { type: 'text', text: 'I look it up.' },
  { type: 'text', text: 'At 14:20.' },
]
const whole = {
  tools: [tide, broken],
  texts,
  thoughts: [thought],
  codes: [] as string[],
  usage: [] as object[],
}

it.each([
  ['ai-sdk', { ...whole, usage: [{ model: 'fake-1', inputTokens: 20, outputTokens: 10, totalTokens: 30 }] }],
  ['mastra', { ...whole, thoughts: [] }],
  // It writes no whole arguments, and results as text.
  [
    'langchain',
    { ...whole, tools: [{ ...tide, result: '{"high":"14:20"}' }, broken], codes: ['inferred:tool-start'] },
  ],
  // It writes a tool that fails as one that succeeds, and waits for an approval before it answers.
  [
    'openai-agents',
    { ...whole, thoughts: [], texts: [], tools: [tide, { toolCallId: 'call_2', success: true }] },
  ],
])('%s', (name, expected) => {
  const codes: string[] = []
  const reader = run(
    pipe(jsonDecoder(), fromUiMessageStream({ contextId: 'c', taskId: 't', now: () => 0 })),
    {
      onDiagnostic: ({ code }) => codes.push(code),
    },
  )
  const events: ContextAnyEvent[] = [
    ...reader.push(readFileSync(`test/fixtures/frameworks/ui-${name}.jsonl`, 'utf8')),
    ...reader.end(),
  ]
  const { push } = run(verifier())
  expect(events.flatMap((event) => push(event))).toEqual([])
  expect(codes).toEqual(expected.codes)
  const usage = events.flatMap((event) =>
    event.kind === 'task-complete' ? (event.metadata?.usage ?? []) : [],
  )
  expect(usage).toEqual(expected.usage)
  const tools = events.filter(({ kind }) => kind === 'tool-complete')
  expect(tools).toHaveLength(2)
  for (const tool of expected.tools) expect(tools).toContainEqual(expect.objectContaining(tool))
  const parts = taskOf(foldEvents(emptyView, events), 't')?.parts ?? []
  expect(parts.filter(({ type }) => type === 'text')).toMatchObject(expected.texts)
  expect(parts.filter(({ type }) => type === 'thought')).toMatchObject(expected.thoughts)
})
