// Proves what each event is in Chat Completions.
import type { EventDraft } from 'turnstream'
import type { ChatCompletionEvent } from 'turnstream/openai'
import { describe, expect, it } from 'vitest'
import type { ToChatCompletionsOptions } from '../../../src/dialects/openai/to/to-chat-completions.ts'
import { taskOf, written } from './support.ts'

const delta = (text: string, index: number, more: object = {}): EventDraft =>
  ({ kind: 'content-delta', delta: text, index, ...more }) as EventDraft
const whole = (content: string, more: object = {}): EventDraft =>
  ({ kind: 'content-complete', content, ...more }) as EventDraft
const thought = { thoughtId: 'th', thoughtType: 'reasoning', verbosity: 'normal' } as const
const args = (text: string, index: number, toolCallId = 'k'): EventDraft =>
  ({ kind: 'tool-arguments-delta', toolCallId, toolName: 'f', delta: text, index }) as EventDraft
const start = (toolCallId = 'k'): EventDraft => ({
  ...{ kind: 'tool-start', toolCallId, toolName: 'f', arguments: { a: 1 } },
})
const result: EventDraft = { kind: 'tool-complete', toolCallId: 'k', toolName: 'f', success: true, result: 1 }
const completed: EventDraft = { kind: 'task-status', status: 'completed' }
const usage = [{ model: 'm', inputTokens: 3, outputTokens: 2 }]

/** What chunks add, without what is the same in all. */
const shortOf = (chunks: readonly ChatCompletionEvent[]): unknown[] =>
  chunks.map((chunk) => {
    if (!('choices' in chunk)) return chunk
    const [choice] = chunk.choices
    if (choice === undefined) return chunk.usage
    return choice.finish_reason ?? choice.delta
  })

const first = { index: 0, id: 'k', type: 'function', function: { name: 'f', arguments: '' } }
const piece = (text: string, index = 0): object => ({
  tool_calls: [{ index, function: { arguments: text } }],
})

const cases: readonly (readonly [
  name: string,
  drafts: readonly EventDraft[],
  chunks: readonly unknown[],
  codes?: readonly string[],
  options?: ToChatCompletionsOptions,
])[] = [
  [
    'a text',
    [delta('a', 0), delta('b', 1), whole('ab'), completed],
    [{ content: 'a' }, { content: 'b' }, 'stop'],
  ],
  ['a text that was not streamed', [whole('ab'), completed], [{ content: 'ab' }, 'stop']],
  [
    'what deltas lack',
    [delta('a', 0), delta('c', 2), whole('abc'), completed],
    [{ content: 'a' }, { content: 'bc' }, 'stop'],
    ['gap'],
  ],
  [
    'texts one after the other',
    [
      ...[delta('a', 0), delta('x', 0, { contentId: 'b' }), delta('a', 1), whole('aa')],
      ...[whole('xy', { contentId: 'b' }), completed],
    ],
    [{ content: 'a' }, { content: 'a' }, { content: 'xy' }, 'stop'],
    ['lossy:contentId', 'lossy:contentId'],
  ],
  [
    'a text that is replaced before the one that replaces it',
    [delta('a', 0), { kind: 'content-replace', content: 'b' }, whole('b'), completed],
    [{ content: 'a' }, { content: 'b' }, 'stop'],
    ['lossy:content'],
  ],
  [
    'the text of a response that is discarded before the next one',
    [
      ...[delta('a', 0, { iteration: 1 }), { kind: 'iteration-reset', iteration: 1 } as const],
      ...[delta('b', 0), whole('b'), completed],
    ],
    [{ content: 'a' }, { content: 'b' }, 'stop'],
    ['lossy:iteration', 'dropped:iteration-reset no-equivalent'],
  ],
  [
    'the result as a text if none was streamed',
    [completed, { kind: 'task-complete', content: 'ab' }],
    [{ content: 'ab' }, 'stop'],
  ],
  [
    'the result as the whole of an open text',
    [delta('a', 0), { kind: 'task-complete', content: 'ab' }],
    [{ content: 'a' }, { content: 'b' }, 'stop'],
  ],
  [
    'not the result that joins texts as the whole of the one that lacks its end',
    [
      ...[delta('a', 0), whole('xy', { contentId: 'b' })],
      ...[completed, { kind: 'task-complete', content: 'abxy' } as const],
    ],
    [{ content: 'a' }, { content: 'xy' }, 'stop'],
    ['lossy:contentId', 'lossy:content'],
  ],
  [
    'the result of a text once',
    [whole('ab'), { kind: 'task-complete', content: 'ab' }],
    [{ content: 'ab' }, 'stop'],
  ],
  [
    'not another result than the text',
    [whole('ab'), { kind: 'task-complete', content: 'cd' }],
    [{ content: 'ab' }, 'stop'],
    ['lossy:content'],
  ],
  [
    'a thought as reasoning',
    [
      { kind: 'thought-delta', ...thought, delta: 'So', index: 0 },
      { kind: 'thought-stream', ...thought, content: 'So.', index: 0 },
      completed,
    ],
    [{ reasoning_content: 'So' }, { reasoning_content: '.' }, 'stop'],
    ['lossy:thoughtType', 'lossy:verbosity', 'lossy:thoughtType', 'lossy:verbosity'],
  ],
  [
    'a call with its arguments',
    [args('{"a"', 0), args(':1}', 1), start(), result, completed],
    [{ tool_calls: [first] }, piece('{"a"'), piece(':1}'), 'stop'],
    ['dropped:tool-complete no-equivalent'],
  ],
  [
    'calls by their places, without one of which nothing is known',
    [args('}', 1, 'lost'), start(), start('l'), result, completed],
    [
      ...[{ tool_calls: [first] }, piece('{"a":1}')],
      ...[{ tool_calls: [{ ...first, index: 1, id: 'l' }] }, piece('{"a":1}', 1), 'tool_calls'],
    ],
    ['gap', 'dropped:tool-complete no-equivalent', 'gap', 'gap'],
  ],
  [
    'calls that the client runs, at the end of the stream',
    [whole('ab'), start()],
    [{ content: 'ab' }, { tool_calls: [first] }, piece('{"a":1}'), 'tool_calls'],
  ],
  [
    'a call that is cut off as an error',
    [args('{"a"', 0)],
    [{ tool_calls: [first] }, piece('{"a"'), error('internal', 'The stream ended before the task did.')],
    ['gap'],
  ],
  [
    'a task that does not end as an error',
    [whole('a')],
    [{ content: 'a' }, error('internal', 'The stream ended before the task did.')],
    ['gap'],
  ],
  [
    'a text beside a call that is cut off as an error',
    [start(), delta('a', 0)],
    [
      { tool_calls: [first] },
      piece('{"a":1}'),
      { content: 'a' },
      error('internal', 'The stream ended before the task did.'),
    ],
    ['gap'],
  ],
  [
    'the usage of all model calls',
    [whole('a', { metadata: { usage } }), whole('b', { metadata: { usage } }), completed],
    [
      ...[{ content: 'a' }, { content: 'b' }, 'stop'],
      { prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 },
    ],
    [],
    { includeUsage: true },
  ],
  [
    'the usage of the task, with its parts',
    [
      whole('a', { metadata: { usage } }),
      completed,
      {
        kind: 'task-complete',
        metadata: {
          usage: [
            { inputTokens: 9, outputTokens: 8, totalTokens: 20, cachedInputTokens: 7, reasoningTokens: 6 },
          ],
        },
      },
    ],
    [
      ...[{ content: 'a' }, 'stop'],
      {
        ...{ prompt_tokens: 9, completion_tokens: 8, total_tokens: 20 },
        ...{
          prompt_tokens_details: { cached_tokens: 7 },
          completion_tokens_details: { reasoning_tokens: 6 },
        },
      },
    ],
    [],
    { includeUsage: true },
  ],
  ...(['inputTokens', 'outputTokens', 'cachedInputTokens'] as const).map(
    (name) =>
      [
        `zero for what a usage of ${name} does not state`,
        [whole('a', { metadata: { usage: [{ model: 'm', [name]: 2 }] } }), completed],
        [
          { content: 'a' },
          'stop',
          {
            prompt_tokens: name === 'inputTokens' ? 2 : 0,
            completion_tokens: name === 'outputTokens' ? 2 : 0,
            total_tokens: name === 'cachedInputTokens' ? 0 : 2,
            ...(name === 'cachedInputTokens' && { prompt_tokens_details: { cached_tokens: 2 } }),
          },
        ],
        [],
        { includeUsage: true },
      ] as const,
  ),
  [
    'no usage that is unknown',
    [whole('a'), completed],
    [{ content: 'a' }, 'stop'],
    [],
    { includeUsage: true },
  ],
  [
    'no usage unless the client asks for it',
    [whole('a', { metadata: { usage } }), completed],
    [{ content: 'a' }, 'stop'],
    ['lossy:metadata'],
  ],
  [
    'the usage of a text once',
    [whole('a', { metadata: { usage } }), whole('a', { metadata: { usage } }), completed],
    [{ content: 'a' }, 'stop', { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }],
    ['dropped:content-complete repeated'],
    { includeUsage: true },
  ],
  [
    'a text that is too long',
    [whole('a', { finishReason: 'max_tokens' }), completed],
    [{ content: 'a' }, 'length'],
  ],
  [
    'a text that is filtered',
    [whole('a', { finishReason: 'SAFETY' }), completed],
    [{ content: 'a' }, 'content_filter'],
  ],
  [
    'calls of the agent itself as none of the client',
    [whole('a', { finishReason: 'tool_calls' }), completed],
    [{ content: 'a' }, 'stop'],
  ],
  [
    'a failure as an error',
    [
      whole('a'),
      {
        kind: 'task-status',
        status: 'failed',
        error: { code: 'rate_limited', message: 'Slow down.', retry: 'retryable' },
      },
    ],
    [{ content: 'a' }, error('rate_limited', 'Slow down.')],
    ['lossy:error'],
  ],
  [
    'a failure with a message only',
    [{ kind: 'task-status', status: 'failed', message: 'No.' }],
    [error('internal', 'No.')],
  ],
  [
    'a failure with a reason only',
    [{ kind: 'task-status', status: 'failed', metadata: { reason: 'No.' } }],
    [error('internal', 'No.')],
  ],
  [
    'what is canceled as stopped, its calls too',
    [whole('a'), start(), { kind: 'task-status', status: 'canceled' }],
    [{ content: 'a' }, { tool_calls: [first] }, piece('{"a":1}'), 'stop'],
    ['lossy:status'],
  ],
  [
    'nothing after the end',
    [whole('a'), completed, delta('b', 0), { kind: 'task-complete' }],
    [{ content: 'a' }, 'stop'],
    ['dropped:content-delta after-end', 'dropped:task-complete after-end'],
  ],
  [
    'nothing that a message has no place for',
    [
      { kind: 'task-status', status: 'working' },
      { kind: 'input-required', inputId: 'q', inputType: 'confirmation', prompt: 'Now?' },
      ...[whole('a'), completed],
    ],
    [{ content: 'a' }, 'stop'],
    ['dropped:task-status no-equivalent', 'dropped:input-required no-equivalent'],
  ],
]

function error(code: string, message: string): object {
  return { error: { message, type: code, code, param: null } }
}

const rows = cases.map(([name, drafts, chunks, codes = [], options = {}]) => ({
  ...{ name, drafts, chunks, codes, options },
}))

it.each(rows)('$name', ({ drafts, chunks, codes, options }) => {
  const { out, codes: reported } = written(taskOf(drafts), options)
  expect(shortOf(out)).toEqual([{ role: 'assistant', content: '' }, ...chunks])
  expect(reported).toEqual(codes)
})

describe('a chunk', () => {
  it('has the task, the time and the model', () => {
    const [chunk] = written(taskOf([]), { model: 'harbour-agent' }).out
    expect(chunk).toEqual({
      id: 'chatcmpl-t',
      object: 'chat.completion.chunk',
      created: 1777622400,
      model: 'harbour-agent',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    })
  })

  it('is of the task of the first event, and the message ends when another task goes on', () => {
    const other = taskOf([whole('other')]).map((event) => ({ ...event, taskId: 'u' }))
    const { out, codes } = written([...taskOf([whole('a'), completed]), ...other])
    expect(shortOf(out)).toEqual([{ role: 'assistant', content: '' }, { content: 'a' }, 'stop'])
    expect(codes).toEqual(['dropped:task-created other-task', 'dropped:content-complete other-task'])
  })

  it('is not written of nothing', () => {
    expect(written([])).toEqual({ out: [], codes: [] })
  })

  it('has no second beginning', () => {
    const [created, ...rest] = taskOf([whole('a'), completed])
    const { codes } = written([created, created, ...rest].flatMap((event) => event ?? []))
    expect(codes).toEqual(['dropped:task-created repeated'])
  })
})
