// Proves what ollamaChat makes of the streams of Ollama.

import { readFileSync } from 'node:fs'
import { pipe, run } from 'turnstream'
import { modelTurn, type OllamaChatChunk, ollamaChat } from 'turnstream/providers'
import { jsonDecoder } from 'turnstream/sse'
import { describe, expect, it } from 'vitest'
import { recordingOf } from '../../../examples/recording.ts'
import { readStream } from '../../support/providers/agent-loop.ts'

const read = (chunks: readonly OllamaChatChunk[]) => readStream(ollamaChat({ newId: () => 'r' }), chunks)
const end: OllamaChatChunk = { done: true, done_reason: 'stop' }

it('reads thinking, text, calls and usage of the body as the server sends it', () => {
  const {
    push,
    end: stop,
    state,
  } = run(pipe(jsonDecoder(), ollamaChat({ calls: 'start', newId: () => 'r' })))
  const drafts = [...push(readFileSync(recordingOf('ollama'))), ...stop()]
  expect(state).toBeDefined()
  expect(drafts.map(({ kind }) => kind)).toEqual([
    'internal:llm-call',
    'thought-delta',
    'thought-delta',
    'thought-stream',
    'content-delta',
    'content-delta',
    'tool-arguments-delta',
    'tool-start',
    'content-complete',
  ])
  expect(drafts[0]).toMatchObject({ model: 'qwen3' })
  expect(drafts[7]).toMatchObject({
    toolCallId: 'r-call-0',
    toolName: 'tide_table',
    arguments: { port: 'Brest' },
  })
  expect(drafts[8]).toMatchObject({
    content: 'I look it up.',
    finishReason: 'stop',
    metadata: { usage: [{ inputTokens: 120, outputTokens: 34, totalTokens: 154, model: 'qwen3' }] },
  })
})

it('gives the message that the next request sends back', () => {
  const machine = ollamaChat({ newId: () => 'r' })
  const runner = run(machine)
  for (const chunk of [
    { message: { thinking: 'Hm.' } },
    { message: { tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] } },
    { message: { tool_calls: [{ id: 'c', function: { name: 'g', arguments: {} } }] } },
    end,
  ])
    runner.push(chunk)
  const { content, calls } = modelTurn(runner.state)
  expect(content).toEqual([
    {
      role: 'assistant',
      content: '',
      thinking: 'Hm.',
      tool_calls: [
        { id: 'r-call-0', function: { name: 'f', arguments: { a: 1 } } },
        { id: 'c', function: { name: 'g', arguments: {} } },
      ],
    },
  ])
  expect(calls.map(({ toolCallId, status }) => [toolCallId, status])).toEqual([
    ['r-call-0', 'complete'],
    ['c', 'complete'],
  ])
})

describe('reports', () => {
  it('nothing about what is measured, and about calls without an id', () => {
    const chunk = {
      created_at: 'x',
      total_duration: 1,
      message: { tool_calls: [{ function: { name: 'f', arguments: {} } }] },
    }
    expect(read([chunk, end]).codes).toEqual([])
  })

  it('an error, which ends the response', () => {
    const { drafts, codes } = read([{ message: { content: 'a' } }, { error: 'the model is too large' }, end])
    expect(drafts.at(-1)).toMatchObject({ kind: 'task-error', error: { code: 'provider_error' } })
    expect(codes).toEqual(['provider-error', 'dropped:chunk'])
  })

  it('a response cut off by the limit as such', () => {
    expect(
      read([{ message: { content: 'a' } }, { done: true, done_reason: 'length' }]).drafts.at(-1),
    ).toMatchObject({
      finishReason: 'length',
    })
  })

  it('unknown fields, types and images', () => {
    const message = { content: 'a', images: ['x'], more: 1 }
    expect(read([{ message, more: 1 } as OllamaChatChunk, { a: 1 } as OllamaChatChunk, end]).codes).toEqual([
      'dropped:images',
      'unknown-field',
      'unknown-field',
      'unknown-type',
    ])
  })

  it('chunks of another endpoint, once', () => {
    const generated = { model: 'm', response: 'Hi', done: false } as OllamaChatChunk
    expect(read([generated, generated, { ...generated, done: true }]).codes).toEqual(['unknown-type'])
  })
})
