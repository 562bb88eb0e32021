// Errors, lossy fields and preserved fields of session events are mapped or reported as declared.
import { describe, expect, it } from 'vitest'
import {
  decodeSessionEvent,
  type SessionInput,
  toSessionEvents,
} from '../../../src/dialects/session/index.ts'
import { run } from '../../../src/index.ts'
import { errorsIn } from './basics.ts'
import { brief, byName, carried, convert, convertCut, input, message } from './from-session-inputs.ts'

describe('an error', () => {
  it.each([
    ['plan.validation_error', { code: 'invalid_request', message: 'No tasks', retry: 'retryable' }],
    [
      'plan.coercion_error',
      { code: 'provider_error', message: 'That is no list', retry: 'retrying', attempt: 1, maxAttempts: 2 },
    ],
    ['solver.step_failed', { code: 'internal', message: 'The port office is closed', retry: 'retryable' }],
    [
      'solver.retry',
      {
        code: 'internal',
        message: 'solver.retry',
        retry: 'retrying',
        retryAfterMs: 200,
        attempt: 1,
        maxAttempts: 3,
      },
    ],
    [
      'solver.restarted',
      {
        code: 'internal',
        message: 'Once more',
        retry: 'retrying',
        retryAfterMs: 400,
        attempt: 2,
        maxAttempts: 3,
      },
    ],
    ['error.validation', { code: 'invalid_request', message: 'No question', retry: 'retryable' }],
    [
      'error.timeout',
      {
        code: 'timeout',
        message: 'Too slow',
        retry: 'retrying',
        retryAfterMs: 500,
        attempt: 1,
        maxAttempts: 2,
      },
    ],
    ['error.execution', { code: 'internal', message: 'The chart is torn', retry: 'retryable' }],
    [
      'error.retry',
      {
        code: 'internal',
        message: 'Again',
        retry: 'retrying',
        retryAfterMs: 250,
        attempt: 1,
        maxAttempts: 2,
      },
    ],
    ['error.recovery_failed', { code: 'internal', message: 'Lost', retry: 'retryable' }],
    ['system.error', { code: 'internal', message: 'Line noise', retry: 'retryable' }],
  ])('%s', (name, error) => {
    const { event, content, metadata } = byName(name)
    const { out, codes } = convert([message, byName(name)])
    expect(brief(out)[1]).toEqual([
      'task-error',
      { error: { ...error, details: { event, content, metadata } } },
    ])
    expect(codes).toEqual([])
    // A restart begins a round.
    const alone = name === 'solver.restarted' ? 'inferred:task-created' : `dropped:${name}`
    expect(convert([byName(name)]).codes).toEqual([alone])
  })
})

describe('what has no equivalent', () => {
  it('is carried by the event', () => {
    const thought = input(
      'agent.thinking',
      'Hm',
      { model: 'm', thinking_type: 'analysis', connection_id: 'c', orig_seq: 1 },
      { show_content: 'Thinking', seq: 4, event_id: 'c-4', extra: [1] },
    )
    const { out, codes } = convert([message, thought])
    expect(out.at(-1)).toMatchObject({
      kind: 'thought-stream',
      content: 'Hm',
      metadata: {
        session: {
          event: 'agent.thinking',
          step_id: 'v',
          show_content: 'Thinking',
          extra: [1],
          metadata: { model: 'm', thinking_type: 'analysis' },
        },
      },
    })
    expect(codes).toEqual([])
  })

  it('is reported for a piece of text, which has no metadata', () => {
    const piece = input('agent.partial_answer', 'So', { chunk_index: 0, completion_percent: 4 }, { extra: 1 })
    expect(convert([message, piece]).codes).toEqual(['lossy:metadata.completion_percent', 'lossy:extra'])
  })

  it('survives the way back to the session', () => {
    const { out } = convert([message, input('agent.thinking', 'Hm', { model: 'm' })])
    const back = run(toSessionEvents())
    const restored = convert(out.flatMap((event) => [...back.push(event)]))
    expect(restored.out).toEqual(out)
  })
})

describe('metadata.core', () => {
  it('is ignored if it does not fit', () => {
    const core = { metadata: 'none', initiator: 'nobody', ending: [{ kind: 'task-created' }] }
    const { out, codes } = convert([
      input('plan.start', { question: 'Why?' }, { core }),
      input('agent.tool_call', { tool_name: 't' }, { call_id: 'k', core }),
    ])
    expect(out.map(({ kind }) => kind)).toEqual(['task-created', 'tool-start'])
    expect(codes).toEqual(['inferred:tool-start'])
    expect(errorsIn(out)).toEqual([])
  })
})

it('carries no fields that lenient mode copied, unless the two places differ', () => {
  const call = input('agent.tool_call', 'Calling chart', { tool: 'chart', args: { a: 1 }, status: 'running' })
  const decoded = decodeSessionEvent(call, { mode: 'lenient' })
  if (decoded.status !== 'known') throw new Error(decoded.status)
  const read = JSON.parse(JSON.stringify(decoded.event)) as SessionInput
  expect(carried(convert([message, read]).out).at(-1)).toEqual({
    event: 'agent.tool_call',
    step_id: 'v',
    content: { tool_description: 'Calling chart' },
    metadata: { status: 'running' },
  })
  const other = input('agent.tool_call', { tool_name: 'chart', arguments: {} }, { tool: 'map', call_id: 'v' })
  expect(carried(convert([message, other]).out).at(-1)).toMatchObject({ metadata: { tool: 'map' } })
})

it.each([
  ['an error', [byName('system.error')], 'failed', { message: 'Line noise' }],
  ['an error that is retried', [byName('error.retry')], 'canceled', undefined],
  ['nothing', [], 'canceled', undefined],
])('ends the task of a round that ends with %s', (_, events, status, error) => {
  const next = convertCut([message, ...events, message])
  const { out, codes } = convertCut([message, ...events])
  expect(out.at(-1)).toMatchObject({ kind: 'task-status', status, ...(error !== undefined && { error }) })
  expect(codes).toEqual(['gap'])
  expect(next.out.filter(({ kind }) => kind === 'task-status')[0]).toMatchObject({ status })
  expect(next.codes.filter((code) => code !== 'inferred:timestamp')).toEqual(['inferred:task-status', 'gap'])
  for (const each of [out, next.out]) expect(errorsIn(each)).toEqual([])
})

it('reports why an event is dropped', () => {
  const { diagnostics } = convert([
    input('error.execution', 'Torn'),
    message,
    input('agent.thinking', {}),
    input('user.response', { approved: true }),
    { event: 'agent.sang' },
  ])
  const dropped = diagnostics.filter(({ code }) => code.startsWith('dropped:'))
  expect(dropped.map(({ code, detail }) => [code, detail])).toEqual([
    ['dropped:error.execution', { reason: 'no-open-task' }],
    ['dropped:agent.thinking', { reason: 'invalid-content' }],
    ['dropped:user.response', { reason: 'no-open-question' }],
    ['dropped:agent.sang', { reason: 'no-equivalent' }],
  ])
})

it('reports an input that is not an event', () => {
  for (const [value, path] of [
    [null, ''],
    ['text', ''],
    [{ event: 7 }, '/event'],
  ] as const) {
    const { out, diagnostics } = convert([value as unknown as SessionInput])
    expect(out).toEqual([])
    expect(diagnostics).toMatchObject([
      { code: 'invalid-event', path, detail: [{ code: 'invalid-type', path }] },
    ])
  }
})
