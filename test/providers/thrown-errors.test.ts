// Proves that an error that an SDK throws is classified by every reader, like one in the stream.

import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import { openaiChat } from 'agentwire/providers'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { readers } from '../../examples/readers.ts'
import { readStream } from '../support/providers/agent-loop.ts'

const openai = (status: number | undefined, body: object, headers?: Record<string, string>): Error =>
  OpenAI.APIError.generate(status, { error: { message: 'canary', ...body } }, undefined, new Headers(headers))
const anthropic = (status: number | undefined, type: Anthropic.ErrorType): Error => {
  const body = { type: 'error', error: { type, message: 'canary' } }
  return new Anthropic.APIError(status, body, 'canary', new Headers(), type)
}
/** As the clients of AWS throw them. */
const aws = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error('canary'), { name, $fault: 'client', $metadata: { httpStatusCode } })
/** As the client of Cohere throws them. */
const cohere = (statusCode: number | undefined): Error =>
  Object.assign(new Error('canary'), { statusCode, body: { message: 'canary' } })

const cases: readonly [thrown: unknown, error: object][] = [
  [openai(401, { code: 'invalid_api_key' }), { code: 'unauthenticated', retry: 'terminal' }],
  [openai(403, {}), { code: 'permission_denied', retry: 'terminal' }],
  [openai(429, { code: 'insufficient_quota' }), { code: 'budget_exhausted', retry: 'terminal' }],
  [
    openai(429, { type: 'requests' }, { 'retry-after': '2' }),
    { code: 'rate_limited', retry: 'retryable', retryAfterMs: 2000 },
  ],
  [
    openai(429, { type: 'requests' }, { 'retry-after': '2', 'retry-after-ms': '1200' }),
    { code: 'rate_limited', retry: 'retryable', retryAfterMs: 1200 },
  ],
  [
    openai(503, {}, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    { code: 'unavailable', retry: 'retryable' },
  ],
  [openai(400, { code: 'context_length_exceeded' }), { code: 'payload_too_large', retry: 'terminal' }],
  [openai(500, {}), { code: 'provider_error', retry: 'retryable' }],
  [new OpenAI.APIConnectionError({ message: 'canary' }), { code: 'provider_error', retry: 'retryable' }],
  [anthropic(401, 'authentication_error'), { code: 'unauthenticated', retry: 'terminal' }],
  [anthropic(403, 'permission_error'), { code: 'permission_denied', retry: 'terminal' }],
  [anthropic(undefined, 'overloaded_error'), { code: 'overloaded', retry: 'retryable' }],
  [anthropic(529, 'overloaded_error'), { code: 'overloaded', retry: 'retryable' }],
  [
    new ApiError({ message: '{"error":{"message":"canary"}}', status: 403 }),
    { code: 'permission_denied', retry: 'terminal' },
  ],
  [
    new ApiError({ message: '{"error":{"message":"canary"}}', status: 429 }),
    { code: 'rate_limited', retry: 'retryable' },
  ],
  [aws('AccessDeniedException', 403), { code: 'permission_denied', retry: 'terminal' }],
  [aws('ThrottlingException', 429), { code: 'rate_limited', retry: 'retryable' }],
  [aws('ValidationException', 400), { code: 'invalid_request', retry: 'terminal' }],
  [aws('ExpiredTokenException', 403), { code: 'permission_denied', retry: 'terminal' }],
  [cohere(401), { code: 'unauthenticated', retry: 'terminal' }],
  [cohere(429), { code: 'rate_limited', retry: 'retryable' }],
  [cohere(undefined), { code: 'provider_error', retry: 'retryable' }],
  [new DOMException('canary', 'TimeoutError'), { code: 'timeout', retry: 'retryable' }],
  [new TypeError('canary'), { code: 'provider_error', retry: 'retryable' }],
  ['canary', { code: 'provider_error', retry: 'retryable' }],
]

describe.each(Object.entries(readers))(
  'an error that is thrown, and given to the reader of %s',
  (_, create) => {
    it.each(cases)('%s has its code', (thrown, error) => {
      const { turn, drafts, codes } = readStream(create({}), [{ error: thrown }])
      expect(turn.error).toMatchObject(error)
      expect(turn.error?.retryAfterMs).toBe((error as { retryAfterMs?: number }).retryAfterMs)
      expect(drafts.map(({ kind }) => kind)).toContain('task-error')
      expect(codes).toEqual(['provider-error'])
      expect(JSON.stringify([drafts, turn])).not.toContain('canary')
    })
  },
)

describe('an error beside a finish reason', () => {
  const chunk = (finish_reason: string | null, error?: object): object => ({
    model: 'm-1',
    choices: [{ index: 0, delta: { content: 'a' }, finish_reason }],
    ...(error && { error }),
  })
  const error = { code: 402, message: 'no credits' }
  const expected = { code: 'budget_exhausted', retry: 'terminal', details: { code: 402 } }

  it.each<[name: string, chunks: object[]]>([
    ['without a reason', [chunk(null, error)]],
    ['in the chunk of the reason', [chunk('error', error)]],
    ['after the reason', [chunk('error'), { error }]],
    ['in the choice', [{ choices: [{ index: 0, delta: {}, finish_reason: 'error', error }] }]],
  ])('counts: %s', (_, chunks) => {
    const { turn, drafts } = readStream(openaiChat(), chunks)
    expect(turn.error).toMatchObject(expected)
    expect(drafts.filter(({ kind }) => kind === 'task-error')).toHaveLength(1)
  })

  it('is one of the provider if nothing else states it', () => {
    const { turn } = readStream(openaiChat(), [chunk('error')])
    expect(turn).toMatchObject({ finishReason: 'error', error: { code: 'provider_error' } })
  })

  it('does not start calls', () => {
    const call = { index: 0, id: 'c', function: { name: 'pay', arguments: '{"p":1}' } }
    const delta = { tool_calls: [call] }
    const { turn, drafts } = readStream(openaiChat({ calls: 'start' }), [
      { model: 'm-1', choices: [{ index: 0, delta }] },
      chunk('error', error),
    ])
    expect(turn.calls).toMatchObject([{ status: 'incomplete' }])
    expect(drafts.map(({ kind }) => kind)).not.toContain('tool-start')
  })
})
