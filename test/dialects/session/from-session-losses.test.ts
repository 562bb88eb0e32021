// Errors, lossy fields and preserved fields of session events are mapped or reported as declared.
import { describe, expect, it } from 'vitest'
import {
  decodeSessionEvent,
  type SessionInput,
  sessionMappedFields,
  toSessionEvents,
} from '../../../src/dialects/session/index.ts'
import { run } from '../../../src/index.ts'
import { errorsIn } from './basics.ts'
import { brief, byName, convert, events, input, message } from './from-session-inputs.ts'

describe('an error', () => {
  it.each([
    ['plan.validation_error', { code: 'invalid_request', message: 'No tasks', retry: 'terminal' }],
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
    ['error.execution', { code: 'internal', message: 'The chart is torn', retry: 'terminal' }],
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
    ['error.recovery_failed', { code: 'internal', message: 'Lost', retry: 'exhausted' }],
    ['system.error', { code: 'internal', message: 'Line noise', retry: 'terminal', scope: 'stream' }],
  ])('%s', (name, error) => {
    const { event, content, metadata } = byName(name)
    const { out, codes } = convert([message, byName(name)])
    expect(brief(out)[1]).toEqual([
      'task-error',
      { error: { ...error, details: { event, content, metadata } } },
    ])
    expect(codes).toEqual([])
    expect(convert([byName(name)]).codes).toEqual([`dropped:${name}`])
  })
})

describe('a lossy field', () => {
  it('is reported for every event as sessionMappedFields declares', () => {
    for (const input of events) {
      const { codes } = convert([message, input])
      const mapped = sessionMappedFields[input.event as 'user.message']?.split(' ')
      if (mapped === undefined) {
        expect(codes, input.event).toContain(`dropped:${input.event}`)
        continue
      }
      const paths = (['content', 'metadata'] as const).flatMap((part) => {
        const value = input[part]
        if (typeof value !== 'object' || value === null) return value == null ? [] : [part]
        return Object.keys(value).map((key) => `${part}.${key}`)
      })
      const lost = paths.filter(
        (path) => !mapped.includes(path) && !mapped.includes(path.split('.')[0] ?? ''),
      )
      const reported = codes.filter((code) => code.startsWith('lossy:')).map((code) => code.slice(6))
      expect(reported.sort(), input.event).toEqual(lost.sort())
    }
  })

  it('is not one that sessionMappedFields lists: session → core → session', () => {
    const partial = (content: string, chunk_index: number): SessionInput => ({
      ...byName('agent.partial_answer'),
      content,
      metadata: { chunk_index },
    })
    const names = [
      'plan.start',
      'agent.user_confirm',
      'solver.start',
      'agent.thinking',
      'agent.tool_call',
      'agent.tool_result',
    ]
    const inputs: SessionInput[] = [
      ...names.map(byName),
      partial('Genoa, ', 0),
      partial('then Koper.', 1),
      byName('agent.final_answer'),
      input('pipeline.completed', null, { status: 'success' }),
    ]
    const back = run(toSessionEvents())
    const restored: SessionInput[] = [
      ...convert(inputs).out.flatMap((event) => [...back.push(event)]),
      ...back.end(),
    ]
    const kept = restored.filter(({ event }) => inputs.some((input) => input.event === event))
    expect(kept.map(({ event }) => event)).toEqual(inputs.map(({ event }) => event))
    for (const [i, input] of inputs.entries()) {
      for (const path of sessionMappedFields[input.event as 'user.message']?.split(' ') ?? []) {
        const value = valueAt(input, path)
        // The id of a plan is that of its task.
        if (value !== undefined && path !== 'metadata.plan_id') {
          expect([input.event, path, valueAt(kept[i], path)]).toEqual([input.event, path, value])
        }
      }
    }
  })
})

function valueAt(event: unknown, path: string): unknown {
  let value = event
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key]
  return value
}

describe('metadata.core', () => {
  it('is ignored if it does not fit', () => {
    const core = { metadata: 'none', initiator: 'nobody', ending: [{ kind: 'task-created' }] }
    const { out, codes } = convert([
      input('plan.start', { question: 'Why?' }, { core }),
      input('agent.tool_call', { tool_name: 't' }, { call_id: 'k', core }),
    ])
    expect(out.map(({ kind }) => kind)).toEqual(['task-created', 'tool-start'])
    expect(codes).toEqual(['inferred:task-created', 'inferred:tool-start'])
    expect(errorsIn(out)).toEqual([])
  })
})

it('reports no loss of fields that lenient mode copied, unless the two places differ', () => {
  const call = input('agent.tool_call', 'Calling chart', { tool: 'chart', args: { a: 1 }, status: 'running' })
  const decoded = decodeSessionEvent(call, { mode: 'lenient' })
  if (decoded.status !== 'known') throw new Error(decoded.status)
  const read = JSON.parse(JSON.stringify(decoded.event)) as SessionInput
  expect(convert([message, read]).codes).toEqual(['lossy:content.tool_description', 'lossy:metadata.status'])
  const other = input('agent.tool_call', { tool_name: 'chart', arguments: {} }, { tool: 'map', call_id: 'v' })
  expect(convert([message, other]).codes).toEqual(['lossy:metadata.tool'])
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
