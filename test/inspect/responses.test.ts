// Proves that responses which follow each other in a recording are tasks of their own, and that one response is one.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspectRecording, type Report, type TaskReport } from '../../src/inspect/index.ts'
import { repeated, responses, textOf } from '../support/responses.ts'
import { runs } from '../support/runs.ts'

/** What a task shows, without its name and place. */
const shown = ({ status, textLength, tools, thoughts, usage }: TaskReport): unknown => ({
  status,
  textLength,
  tools: tools.map((tool) => [tool.toolName, tool.status, tool.arguments]),
  thoughts: thoughts.map(({ text }) => text),
  usage,
})

const namesIn = ({ tasks }: Report): string[] => tasks.map(({ taskId }) => taskId)

describe.each(Object.keys(responses))('%s', (file) => {
  it('several times is as many tasks, each as if it were alone', async () => {
    const alone = (await inspectRecording([textOf(file)])).tasks[0] as TaskReport
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), async (times) => {
        const { tasks, diagnostics } = await inspectRecording([repeated(file, times)])
        expect(tasks.map(shown)).toEqual(Array(times).fill(shown(alone)))
        expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(times)
        expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
      }),
      { numRuns: runs(5) },
    )
  })
})

/** What states that a response has failed. */
const failures: readonly (readonly [file: string, failure: object])[] = [
  ['openai-chat.sse', { error: { message: 'boom' } }],
  ['openai-responses.jsonl', { type: 'error', code: 'server_error', message: 'boom', param: null }],
  ['anthropic.sse', { type: 'error', error: { type: 'overloaded_error', message: 'boom' } }],
  ['gemini.sse', { error: { code: 503, message: 'boom', status: 'UNAVAILABLE' } }],
  ['gemini-interactions.jsonl', { event_type: 'error', error: { message: 'boom' } }],
  ['bedrock.jsonl', { internalServerException: { message: 'boom' } }],
]

it.each(failures)('%s: a response after one that failed is a task of its own', async (file, failure) => {
  const alone = (await inspectRecording([textOf(file)])).tasks[0] as TaskReport
  const [text, second = ''] = [textOf(file), repeated(file, 2).slice(textOf(file).length)]
  const isSse = file.endsWith('.sse')
  const values = text.split(isSse ? '\n\n' : '\n')
  // Before what ends it.
  const begun = values.slice(0, Math.ceil(values.length / 3))
  const failed = `${isSse ? 'data: ' : ''}${JSON.stringify(failure)}`
  const { tasks } = await inspectRecording([`${[...begun, failed].join(isSse ? '\n\n' : '\n')}${second}`])
  expect(tasks.map(({ status }) => status)).toEqual(['failed', alone.status])
  expect(shown(tasks[1] as TaskReport)).toEqual(shown(alone))
})

describe('one response is one task', () => {
  const chunk = (id: string, delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const message = (type: string, more: object) => `data: ${JSON.stringify({ type, ...more })}\n\n`

  it.each<[name: string, text: string]>([
    [
      'whose chunks have ids of their own',
      [
        chunk('a', { content: 'x' }),
        chunk('b', { content: 'y' }),
        chunk('c', {}, 'stop'),
        `data: {"id":"d","object":"chat.completion.chunk","choices":[],"usage":{"total_tokens":3}}\n\n`,
      ].join(''),
    ],
    [
      'that ends with an empty chunk',
      [
        chunk('a', { content: 'x' }),
        chunk('a', {}, 'stop'),
        chunk('a', { role: 'assistant', content: '' }),
      ].join(''),
    ],
    [
      'whose start is repeated',
      [
        message('message_start', { message: { id: 'm', role: 'assistant' } }),
        message('message_start', { message: { id: 'm', role: 'assistant' } }),
        message('message_stop', {}),
      ].join(''),
    ],
    [
      'whose events state other ids',
      [
        message('response.created', { response: { id: 'a', output: [] } }),
        message('response.in_progress', { response: { id: 'b', output: [] } }),
        message('response.completed', { response: { id: 'c', status: 'completed', output: [] } }),
      ].join(''),
    ],
    [
      'that waits for a call and continues in another response',
      [
        message('start', { messageId: 'm' }),
        message('tool-input-available', { toolCallId: 'k', toolName: 'book', input: {} }),
        message('finish', { finishReason: 'tool-calls' }),
        message('start', { messageId: 'm' }),
        message('tool-output-available', { toolCallId: 'k', output: 1 }),
        message('finish', { finishReason: 'stop' }),
      ].join(''),
    ],
    [
      'that starts each step',
      [
        message('start', { messageId: 'm' }),
        message('start-step', {}),
        message('start', { messageId: 'm' }),
        message('finish', {}),
      ].join(''),
    ],
  ])('%s', async (_, text) => {
    expect((await inspectRecording([text])).totals.tasks).toBe(1)
  })
})

it('messages of the same id, or without any, have names of their own', async () => {
  const run = (id?: string) =>
    `data: ${JSON.stringify({ type: 'start', ...(id !== undefined && { messageId: id }) })}\n\ndata: {"type":"finish"}\n\n`
  expect(namesIn(await inspectRecording([run('m'), run('m'), run('n'), run(), run()]))).toEqual([
    'm',
    'm-2',
    'n',
    'message-4',
    'message-5',
  ])
})
