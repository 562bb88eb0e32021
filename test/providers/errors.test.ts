// Proves that no text of a provider's error reaches an event, and that a stream which ends early fails its task.

import fc from 'fast-check'
import { type ContextAnyEvent, iterate, taskEvents } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { readStream, violationsOf } from '../support/providers/agent-loop.ts'
import { allReaders, createReader, recordedChunks } from '../support/providers/readers.ts'
import { runs } from '../support/runs.ts'

const SECRET = 'Incorrect API key provided: sk-canary at https://user:pw@internal.example'
const error = {
  message: SECRET,
  type: 'invalid_request_error',
  code: 'invalid_api_key',
  raw: SECRET,
  metadata: { raw: SECRET },
}
const thrown = Object.assign(new Error(SECRET), { status: 401, headers: { authorization: SECRET } })

const cases: readonly [name: string, errors: readonly unknown[]][] = [
  [
    'openai',
    [{ error }, { error: SECRET }, { error: thrown }, [{ error }], { choices: [{ index: 0, error }] }],
  ],
  [
    'responses',
    [
      { ...error, type: 'error' },
      { type: 'error', error: thrown },
      { type: 'response.failed', response: { error } },
      { type: 'response.completed', response: { error: SECRET } },
    ],
  ],
  [
    'anthropic',
    [
      { type: 'error', error },
      { type: 'error', error: thrown },
      { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: { explanation: SECRET } } },
    ],
  ],
  [
    'gemini',
    [
      { error },
      { error: thrown },
      { candidates: [{ finishReason: 'SAFETY', finishMessage: SECRET }] },
      { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: SECRET } },
    ],
  ],
  [
    'interactions',
    [
      { event_type: 'error', error },
      { event_type: 'error', error: thrown },
      { event_type: 'interaction.completed', interaction: { status: 'failed', error: SECRET } },
    ],
  ],
  [
    'bedrock',
    [
      { validationException: error },
      { modelStreamErrorException: { originalMessage: SECRET } },
      { throttlingException: thrown },
    ],
  ],
  ['cohere', [{ type: 'message-end', delta: { finish_reason: 'ERROR', error: SECRET } }]],
]

it.each<[name: string, chunks: readonly unknown[]]>([
  ['openai', [{ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: SECRET }] }]],
  [
    'anthropic',
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'x' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: SECRET } },
      { type: 'message_stop' },
    ],
  ],
  ['gemini', [{ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: SECRET }] }]],
  ['bedrock', [{ messageStop: { stopReason: SECRET } }]],
  ['cohere', [{ type: 'message-end', delta: { finish_reason: SECRET } }]],
  [
    'responses',
    [
      { type: 'response.output_text.delta', output_index: 0, item_id: 'm', content_index: 0, delta: 'x' },
      {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: SECRET } },
      },
    ],
  ],
])('a finish reason of %s that is a sentence is reported, and in no event', (name, chunks) => {
  const { drafts, diagnostics } = readStream(createReader(name), chunks)
  expect(drafts.map(({ kind }) => kind)).toContain('content-complete')
  expect(JSON.stringify(drafts)).not.toContain('canary')
  expect(JSON.stringify(diagnostics)).toContain('canary')
})

describe('the text of an error', () => {
  it.each(cases)('of %s is reported, and in no event', (name, errors) => {
    const [, create, chunk] = allReaders.find(([other]) => other === name) ?? expect.unreachable()
    for (const failing of errors) {
      const { drafts, turn, diagnostics } = readStream(create(), [failing])
      expect(drafts.map(({ kind }) => kind)).toContain('task-error')
      expect(JSON.stringify([drafts, turn])).not.toContain('canary')
      expect(JSON.stringify(diagnostics)).toContain('canary')
    }
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), fc.constantFrom(...errors), (chunks, failing) => {
        const { drafts, turn } = readStream(create({ calls: 'start' }), [...chunks, failing])
        expect(JSON.stringify([drafts, turn])).not.toContain('canary')
      }),
      { numRuns: runs(60) },
    )
  })
})

describe('a stream that ends early', () => {
  it.each(allReaders)('of %s fails its task', async (name, create) => {
    const chunks = recordedChunks(name)
    for (let length = 0; length < chunks.length; length += Math.ceil(chunks.length / 24)) {
      const codes: string[] = []
      const source = (signal: AbortSignal): AsyncIterable<never> =>
        iterate(create({}), chunks.slice(0, length), {
          signal,
          onDiagnostic: ({ code }) => codes.push(code),
        }) as never
      const events: ContextAnyEvent[] = []
      const options = {
        contextId: 'c',
        taskId: 't',
        onError: (thrown: unknown) => expect.unreachable(String(thrown)),
      }
      for await (const event of taskEvents(source, options)) events.push(event)
      const statuses = events.flatMap((event) => (event.kind === 'task-status' ? [event.status] : []))
      expect(statuses.at(-1)).toBe(codes.includes('ended-early') ? 'failed' : 'completed')
      expect(violationsOf(events)).toEqual([])
    }
  })
})
