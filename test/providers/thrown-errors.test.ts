// Proves that an error that an SDK throws is classified by every reader, like one in the stream.

import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI from 'openai'
import { openaiChat } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'
import { readers } from '../../examples/readers.ts'
import { readStream } from '../support/providers/agent-loop.ts'

const never = new Error('The SDK did not throw.')
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => never,
    (thrown) => thrown,
  )
const messages = [{ role: 'user' as const, content: 'x' }]
type Fetch = () => Promise<Response>

const openaiBy = (fetch: Fetch): Promise<unknown> =>
  thrownBy(
    new OpenAI({ apiKey: 'x', maxRetries: 0, fetch }).chat.completions.create({
      model: 'm',
      messages,
      stream: true,
    }),
  )
const anthropicBy = (fetch: Fetch): Promise<unknown> =>
  thrownBy(
    new Anthropic({ apiKey: 'x', maxRetries: 0, fetch }).messages.create({
      model: 'm',
      max_tokens: 1,
      messages,
      stream: true,
    }),
  )
const answer = (status: number, body: object, headers: Record<string, string> = {}): Fetch => {
  return async () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })
}

/** What the SDK of OpenAI throws when a server answers with an error. */
const openai = (status: number, error: object, headers?: Record<string, string>): Promise<unknown> =>
  openaiBy(answer(status, { error: { message: 'canary', ...error } }, headers))
const anthropic = (status: number, type: string, message = 'canary'): Promise<unknown> =>
  anthropicBy(answer(status, { type: 'error', error: { type, message } }))
/** As the SDK of Google throws the body of an answer: as the message of its error. */
const google = (code: number, status: string, message = 'canary', details: object[] = []): Error =>
  new ApiError({ message: JSON.stringify({ error: { code, message, status, details } }), status: code })
/** As the clients of AWS throw them. */
const aws = (name: string, httpStatusCode: number, message = 'canary'): Error =>
  Object.assign(new Error(message), { name, $fault: 'client', $metadata: { httpStatusCode } })
/** As the client of Cohere throws them. */
const cohere = (statusCode: number | undefined, message = 'canary'): Error =>
  Object.assign(new Error(message), { statusCode, body: { message } })
/** As Node throws them, and Undici wraps them. */
const socket = (code: string): Error => Object.assign(new Error('canary'), { code, syscall: 'connect' })
const fetchFailed = (code: string): Error => new TypeError('fetch failed', { cause: socket(code) })
const refused: Fetch = () => Promise.reject(fetchFailed('ECONNREFUSED'))
/** What an abort by the timer of a client rejects with. */
const aborted: Fetch = () => Promise.reject(new DOMException('canary', 'AbortError'))

const terminal = (code: string): object => ({ code, retry: 'terminal' })
const retryable = (code: string, retryAfterMs?: number): object => ({
  code,
  retry: 'retryable',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})
const invalid = 'invalid_request_error'
const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36.2s' }
const keyInfo = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
const httpDate = 'Wed, 21 Oct 2015 07:28:00 GMT'

/** As the table in `docs/providers.md` says. */
const cases: readonly [name: string, thrown: unknown, error: object][] = [
  ['OpenAI, a wrong key', openai(401, { code: 'invalid_api_key' }), terminal('unauthenticated')],
  ['OpenAI, no access', openai(403, {}), terminal('permission_denied')],
  ['OpenAI, no such model', openai(404, { code: 'model_not_found' }), terminal('not_found')],
  ['OpenAI, a bad parameter', openai(400, { type: invalid }), terminal('invalid_request')],
  ['OpenAI, an unprocessable entity', openai(422, {}), terminal('invalid_request')],
  ['OpenAI, no quota', openai(429, { code: 'insufficient_quota' }), terminal('budget_exhausted')],
  [
    'OpenAI, a rate limit in seconds',
    openai(429, { type: 'requests' }, { 'retry-after': '2' }),
    retryable('rate_limited', 2000),
  ],
  [
    'OpenAI, a rate limit in milliseconds',
    openai(429, { type: 'requests' }, { 'retry-after': '2', 'retry-after-ms': '1200' }),
    retryable('rate_limited', 1200),
  ],
  ['OpenAI, unavailable', openai(503, {}, { 'retry-after': httpDate }), retryable('unavailable')],
  ['OpenAI, a long prompt', openai(400, { code: 'context_length_exceeded' }), terminal('payload_too_large')],
  [
    'vLLM, a long prompt',
    openai(400, {
      type: 'BadRequestError',
      message: "This model's maximum context length is 4096 tokens. canary",
    }),
    terminal('payload_too_large'),
  ],
  ['DeepSeek, no balance', openai(402, { message: 'Insufficient Balance' }), terminal('budget_exhausted')],
  [
    'xAI, a wrong key',
    openai(400, { message: 'Incorrect API key provided: canary.' }),
    terminal('unauthenticated'),
  ],
  ['OpenAI, a server error', openai(500, {}), retryable('provider_error')],
  ['OpenAI, a timeout of the client', openaiBy(aborted), retryable('timeout')],
  ['OpenAI, no connection', openaiBy(refused), retryable('unavailable')],
  [
    'OpenAI, a connection error',
    new OpenAI.APIConnectionError({ message: 'canary' }),
    retryable('unavailable'),
  ],
  ['Anthropic, a wrong key', anthropic(401, 'authentication_error'), terminal('unauthenticated')],
  ['Anthropic, no access', anthropic(403, 'permission_error'), terminal('permission_denied')],
  ['Anthropic, no such model', anthropic(404, 'not_found_error'), terminal('not_found')],
  ['Anthropic, a bad parameter', anthropic(400, invalid, 'max_tokens: canary'), terminal('invalid_request')],
  ['Anthropic, a rate limit', anthropic(429, 'rate_limit_error'), retryable('rate_limited')],
  ['Anthropic, overloaded', anthropic(529, 'overloaded_error'), retryable('overloaded')],
  [
    'Anthropic, overloaded in the stream',
    new Anthropic.APIError(
      undefined,
      { type: 'error', error: { type: 'overloaded_error', message: 'canary' } },
      'canary',
      new Headers(),
      'overloaded_error',
    ),
    retryable('overloaded'),
  ],
  ['Anthropic, a large request', anthropic(413, 'request_too_large'), terminal('payload_too_large')],
  [
    'Anthropic, a long prompt',
    anthropic(400, invalid, 'prompt is too long: 210000 tokens > 200000 maximum canary'),
    terminal('payload_too_large'),
  ],
  [
    'Anthropic, no credit',
    anthropic(400, invalid, 'Your credit balance is too low to access the Anthropic API. canary'),
    terminal('budget_exhausted'),
  ],
  ['Anthropic, a timeout of the server', anthropic(504, 'timeout_error'), retryable('timeout')],
  ['Anthropic, a server error', anthropic(500, 'api_error'), retryable('provider_error')],
  ['Anthropic, a timeout of the client', anthropicBy(aborted), retryable('timeout')],
  ['Anthropic, no connection', anthropicBy(refused), retryable('unavailable')],
  ['Google, no access', google(403, 'PERMISSION_DENIED'), terminal('permission_denied')],
  ['Google, no such model', google(404, 'NOT_FOUND'), terminal('not_found')],
  ['Google, a rate limit', google(429, 'RESOURCE_EXHAUSTED'), retryable('rate_limited')],
  [
    'Google, a rate limit with a time',
    google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota. canary', [retryInfo]),
    retryable('rate_limited', 36_200),
  ],
  ['Google, unavailable', google(503, 'UNAVAILABLE'), retryable('unavailable')],
  ['Google, a timeout of the server', google(504, 'DEADLINE_EXCEEDED'), retryable('timeout')],
  ['Google, a bad parameter', google(400, 'INVALID_ARGUMENT'), terminal('invalid_request')],
  [
    'Google, a long prompt',
    google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576). canary',
    ),
    terminal('payload_too_large'),
  ],
  [
    'Google, a wrong key',
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key. canary', [keyInfo]),
    terminal('unauthenticated'),
  ],
  [
    'Google, a wrong key by its reason',
    google(400, 'INVALID_ARGUMENT', 'canary', [keyInfo]),
    terminal('unauthenticated'),
  ],
  [
    'Google, an answer that is no JSON',
    new ApiError({ message: '{canary', status: 403 }),
    terminal('permission_denied'),
  ],
  ['Google, no connection', fetchFailed('ECONNREFUSED'), retryable('unavailable')],
  ['AWS, no access', aws('AccessDeniedException', 403), terminal('permission_denied')],
  ['AWS, a rate limit', aws('ThrottlingException', 429), retryable('rate_limited')],
  ['AWS, a bad parameter', aws('ValidationException', 400), terminal('invalid_request')],
  [
    'AWS, a long prompt',
    aws('ValidationException', 400, 'Input is too long for requested model. canary'),
    terminal('payload_too_large'),
  ],
  ['AWS, no such model', aws('ResourceNotFoundException', 404), terminal('not_found')],
  ['AWS, a timeout of the model', aws('ModelTimeoutException', 408), retryable('timeout')],
  ['AWS, an expired token', aws('ExpiredTokenException', 403), terminal('permission_denied')],
  [
    'AWS, a timeout of the client',
    Object.assign(new Error('canary'), { name: 'TimeoutError' }),
    retryable('timeout'),
  ],
  ['AWS, no connection', socket('ECONNREFUSED'), retryable('unavailable')],
  ['Cohere, a wrong key', cohere(401), terminal('unauthenticated')],
  ['Cohere, a rate limit', cohere(429), retryable('rate_limited')],
  ['Cohere, without a status', cohere(undefined), retryable('provider_error')],
  ['a timeout of fetch', new DOMException('canary', 'TimeoutError'), retryable('timeout')],
  ['a name that is not found', fetchFailed('ENOTFOUND'), retryable('unavailable')],
  ['a connection that is not made in time', fetchFailed('UND_ERR_CONNECT_TIMEOUT'), retryable('timeout')],
  ['a connection that breaks', fetchFailed('ECONNRESET'), retryable('unavailable')],
  ['another error', new TypeError('canary'), retryable('provider_error')],
  ['a text', 'canary', retryable('provider_error')],
]

const stated: readonly [name: string, thrown: unknown, details: object | undefined][] = [
  [
    'OpenAI',
    openai(400, { type: invalid, code: 'context_length_exceeded' }),
    { type: invalid, code: 'context_length_exceeded', status: 400 },
  ],
  ['Anthropic', anthropic(529, 'overloaded_error'), { type: 'overloaded_error', status: 529 }],
  ['Google', google(400, 'INVALID_ARGUMENT'), { type: 'ApiError', code: 400, status: 'INVALID_ARGUMENT' }],
  ['AWS', aws('ThrottlingException', 429), { type: 'ThrottlingException', status: 429 }],
  ['Cohere', cohere(401), { status: 401 }],
  ['a connection', socket('ECONNREFUSED'), { code: 'ECONNREFUSED' }],
  ['an error without names', new Error('canary'), undefined],
  ['a text', 'canary', undefined],
]

describe.each(Object.entries(readers))(
  'an error that is thrown, and given to the reader of %s',
  (_, create) => {
    it.each(cases)('has its code: %s', async (_, sent, error) => {
      const thrown = await sent
      expect(thrown).not.toBe(never)
      const { turn, drafts, codes } = readStream(create({}), [{ error: thrown }])
      expect(turn.error).toMatchObject(error)
      expect(turn.error?.retryAfterMs).toBe((error as { retryAfterMs?: number }).retryAfterMs)
      expect(drafts.map(({ kind }) => kind)).toContain('task-error')
      expect(codes).toEqual(['provider-error'])
      expect(JSON.stringify([drafts, turn])).not.toContain('canary')
    })

    it.each(stated)('has the names and statuses that the provider states: %s', async (_, sent, details) => {
      const thrown = await sent
      const { turn, diagnostics, drafts } = readStream(create({}), [{ error: thrown }])
      expect(turn.error?.details).toEqual(details)
      const message = thrown instanceof Error ? thrown.message : thrown
      expect(diagnostics).toEqual([
        {
          code: 'provider-error',
          message: 'The provider reported an error.',
          detail: expect.objectContaining({ message }),
        },
      ])
      expect(drafts.at(-1)).toEqual({ kind: 'task-error', error: turn.error })
    })

    it('has one sentence for each code', async () => {
      const sentences = new Map<string, string>()
      for (const [, sent] of cases) {
        const { error } = readStream(create({}), [{ error: await sent }]).turn
        const { code = '', message = '' } = error ?? {}
        expect(message).toMatch(/^The .*(model|request).*\.$/)
        expect(sentences.get(code) ?? message).toBe(message)
        sentences.set(code, message)
      }
      expect(new Set(sentences.values()).size).toBe(sentences.size)
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
