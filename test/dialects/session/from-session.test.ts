// Sessions, documented and real ones, map to legal core events: rounds, results, timestamps and contexts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SessionInput, sessionEventNames } from '../../../src/dialects/session/index.ts'
import streams from '../../fixtures/session/streams.json'
import { jsonValue } from '../../support/json.ts'
import { errorsIn } from './basics.ts'
import {
  answer,
  at,
  brief,
  byName,
  completed,
  convert,
  created,
  events,
  input,
  message,
  pipeline,
} from './from-session-inputs.ts'

describe('any session', () => {
  it.each(streams.legal.map(({ name, events }) => [name, events as readonly SessionInput[]] as const))(
    'maps to legal events if it is legal: %s',
    (_, inputs) => {
      expect(errorsIn(convert(inputs).out)).toEqual([])
    },
  )

  it('maps to legal events in any order, without throwing', () => {
    const anyInput = fc.constantFrom(
      ...events,
      ...streams.legal.flatMap(({ events }) => events as SessionInput[]),
    )
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
        expect(errorsIn(convert(inputs).out)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('maps to legal events with any fields, without throwing', () => {
    const json = fc.oneof(jsonValue({ maxDepth: 2 }), fc.constant({ toString: 1, valueOf: 2 }))
    const core = fc.record({
      ending: json,
      segment: fc.boolean(),
      taskId: json,
      index: json,
      indexEnd: json,
      timestampEnd: json,
      kind: json,
      initiator: json,
      metadata: json,
      path: json,
    })
    const anyInput = fc.record({
      event: fc.constantFrom(...sessionEventNames, '__proto__', 'agent.sang'),
      timestamp: fc.oneof(fc.constant(at), json),
      session_id: json,
      step_id: fc.oneof(fc.constantFrom('a', 'b'), json),
      content: fc.oneof(
        json,
        fc.record({ answer: fc.string(), tool_name: json, result: json, status: json, tasks: json }),
      ),
      metadata: fc.oneof(
        json,
        fc.record({ core, call_id: fc.constantFrom('a', 'b'), progress_percent: json, status: json }),
      ),
    })
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 20 }), (inputs) => {
        expect(errorsIn(convert(inputs).out)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('a round', () => {
  it('maps to a task, from user.message to pipeline.completed', () => {
    const { out, codes } = convert([
      message,
      input('plan.start', { question: 'Why?' }),
      input('solver.start'),
      answer('So.'),
      pipeline('success'),
    ])
    expect(brief(out)).toEqual([
      created,
      ['task-status', { status: 'working' }],
      ['content-complete', { content: 'So.' }],
      completed,
      ['task-complete', { content: 'So.' }],
    ])
    expect(
      out.every(
        ({ contextId, taskId, timestamp }) =>
          contextId === 's-7' && taskId === 's-7/round-1' && timestamp === at,
      ),
    ).toBe(true)
    expect(codes).toEqual(['lossy:content.answer_type'])
  })

  it('ends after the answer if the pipeline completes first', () => {
    const { out } = convert([message, pipeline('success'), answer('So.')])
    expect(brief(out)).toEqual([
      created,
      ['content-complete', { content: 'So.' }],
      completed,
      ['task-complete', { content: 'So.' }],
    ])
    expect(brief(convert([message, pipeline('success')]).out)).toEqual([created, completed])
  })

  it('fails with the last error', () => {
    const failed = input('error.timeout', 'Late', {
      attempt: 1,
      max_attempts: 2,
      retry_after_ms: 40,
      recovery_strategy: 'x',
    })
    const { out } = convert([
      message,
      failed,
      input('pipeline.completed', null, { status: 'failed', result_summary: 'No.' }),
    ])
    const error = {
      code: 'timeout',
      message: 'Late',
      retry: 'retrying',
      retryAfterMs: 40,
      attempt: 1,
      maxAttempts: 2,
    }
    expect(brief(out)).toMatchObject([
      created,
      ['task-error', { error }],
      ['task-status', { status: 'failed', message: 'No.', error }],
    ])
    expect(brief(convert([message, pipeline('failed')]).out)[1]).toEqual([
      'task-status',
      { status: 'failed', error: { code: 'internal', message: '', retry: 'terminal' } },
    ])
  })

  it.each([
    ['while planning', [input('plan.cancelled', 'Stop', { reason: 'user_request' })]],
    [
      'while solving, without a plan',
      [input('solver.cancelled', 'Stop', { task_id: 'a', reason: 'user_request' })],
    ],
    [
      'while solving, task by task',
      [
        input('plan.completed', { tasks: [{ id: 1 }, 2] }),
        input('solver.cancelled', null, { task_id: 1, reason: 'timeout' }),
        input('solver.cancelled', 'Stop', { task_id: 2, reason: 'user_request' }),
      ],
    ],
  ])('can be cancelled %s', (_, inputs) => {
    const { out } = convert([message, ...inputs])
    expect(brief(out).at(-1)).toEqual([
      'task-status',
      { status: 'canceled', message: 'Stop', metadata: { reason: 'user_request' } },
    ])
    expect(out.filter(({ kind }) => kind === 'task-status')).toHaveLength(1)
  })

  it('ends when another starts or the session ends', () => {
    expect(brief(convert([message, message]).out)).toEqual([
      created,
      ['task-status', { status: 'canceled' }],
      created,
    ])
    expect(convert([message, message]).codes).toEqual(['inferred:task-status'])
    expect(brief(convert([message, answer('So.'), input('agent.session_end')]).out).slice(-2)).toEqual([
      completed,
      ['task-complete', { content: 'So.' }],
    ])
  })

  it('ends with the duration and tokens of the answer', () => {
    const final = input(
      'agent.final_answer',
      { answer: 'So.' },
      { generation_time_ms: 12, total_tokens_used: 9 },
    )
    const end = brief(convert([message, final, pipeline('success')]).out).at(-1)
    expect(end).toEqual(['task-complete', { content: 'So.', metadata: { duration: 12, tokensUsed: 9 } }])
  })

  it('completes its open text if it has no final answer', () => {
    const { out } = convert([
      message,
      input('agent.partial_answer', 'So', { chunk_index: 0 }),
      pipeline('success'),
    ])
    expect(brief(out).slice(1)).toEqual([
      ['content-delta', { delta: 'So', index: 0 }],
      ['content-complete', { content: 'So' }],
      completed,
    ])
  })

  it('numbers only the thoughts it emits', () => {
    const { out, codes } = convert([message, input('agent.thinking', {}), input('agent.thinking', 'Hm')])
    expect(out[1]).toMatchObject({ kind: 'thought-stream', index: 0 })
    expect(codes).toEqual(['dropped:agent.thinking'])
  })

  it('starts with the plan without a message, and with any event without both', () => {
    const plan = input('plan.start', { question: 'Why?' }, { plan_id: 'p', model: 'm', timeout_seconds: 1 })
    expect(brief(convert([plan]).out)).toEqual([
      ['task-created', { initiator: 'user', metadata: { input: 'Why?', model: 'm' } }],
    ])
    expect(convert([plan]).codes).toEqual(['lossy:metadata.timeout_seconds'])
    const { out, codes } = convert([input('agent.thinking', 'Hm')])
    expect(brief(out)[0]).toEqual(['task-created', { initiator: 'user' }])
    expect(codes).toEqual(['inferred:task-created'])
  })
})

describe('a result of the round', () => {
  it('maps to an artifact', () => {
    const inputs = ['plan.completed', 'solver.completed', 'aggregate.completed'].map(byName)
    const { out } = convert([message, ...inputs])
    expect(brief(out).slice(1)).toMatchObject([
      ['data-write', { artifactId: 's-7/round-1/plan', name: 'plan', data: inputs[0]?.content }],
      ['data-write', { artifactId: 's-7/round-1/results', name: 'results', data: inputs[1]?.content }],
      ['data-write', { artifactId: 's-7/round-1/result', data: { order: ['Genoa', 'Koper'] } }],
    ])
    const { out: other } = convert([message, input('aggregate.completed', { final_result: [1] })])
    expect(other[1]).toMatchObject({ data: { result: [1] } })
  })
})

describe('the timestamp', () => {
  const thought = (timestamp?: unknown): SessionInput => ({ ...input('agent.thinking', 'Hm'), timestamp })
  it.each([
    ['without a zone is read as UTC', '2026-03-04T05:06:07.000123', '2026-03-04T05:06:07.000123Z'],
    ['that is invalid repeats the previous one', 'noon', at],
    ['that is missing repeats the previous one', undefined, at],
  ])('%s', (_, timestamp, expected) => {
    const { out, codes } = convert([message, thought(timestamp)])
    expect(out[1]?.timestamp).toBe(expected)
    expect(codes).toEqual(['inferred:timestamp'])
  })

  it('of a dropped event is not reported', () => {
    expect(convert([{ event: 'user.ack', content: 5 }]).codes).toEqual(['dropped:user.ack'])
  })

  it('comes from the clock if there is one', () => {
    const { out } = convert([message, thought()], { now: () => 0 })
    expect(out[1]?.timestamp).toBe('1970-01-01T00:00:00.000Z')
  })
})

describe('the context', () => {
  it('is the session of the round, or the option', () => {
    expect(convert([message], { contextId: 'ctx' }).out[0]).toMatchObject({
      contextId: 'ctx',
      taskId: 'ctx/round-1',
    })
    const moved = convert([message, input('agent.thinking', 'Hm', {}, { session_id: 's-8' })])
    expect(moved.out.map(({ contextId }) => contextId)).toEqual(['s-7', 's-7'])
    expect(convert([input('user.message', 'x', {}, { session_id: null })]).out[0]?.contextId).toBe('session')
  })
})
