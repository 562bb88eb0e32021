// Sessions, documented and real ones, map to legal core events: rounds, results, timestamps and contexts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fromSessionEvents,
  type SessionInput,
  sessionEventNames,
} from '../../../src/dialects/session/index.ts'
import { jsonValue } from '../../support/json.ts'
import { inputsUntilEvicted } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { errorsIn } from './basics.ts'
import { legal } from './cases.ts'
import {
  answer,
  at,
  brief,
  byName,
  carried,
  completed,
  convert,
  created,
  events,
  input,
  message,
  pipeline,
} from './from-session-inputs.ts'

describe('any session', () => {
  it.each(legal.map(({ name, events }) => [name, events as readonly SessionInput[]] as const))(
    'maps to legal events if it is legal: %s',
    (_, inputs) => {
      expect(errorsIn(convert(inputs).out)).toEqual([])
    },
  )

  it('maps to legal events in any order, without throwing', () => {
    const anyInput = fc.constantFrom(
      ...events,
      ...legal.flatMap(({ events }) => events as readonly SessionInput[]),
    )
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
        expect(errorsIn(convert(inputs).out)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('maps to legal events with any fields, without throwing', () => {
    const json = fc.oneof(jsonValue({ maxDepth: 2 }), fc.constant({ toString: 1, valueOf: 2 }))
    const core = fc.record({
      ending: json,
      segment: fc.boolean(),
      taskId: json,
      index: json,
      contentId: fc.oneof(fc.constantFrom('a', 'b'), json),
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
      { numRuns: runs(500) },
    )
  })
})

it('adds no empty metadata, and continues the session of events without one', () => {
  const { out } = convert([
    message,
    { ...input('agent.thinking', 'Hm.'), session_id: '' },
    answer('So.'),
    pipeline('success'),
  ])
  expect(new Set(out.map(({ contextId }) => contextId)).size).toBe(1)
  const metadata = out.flatMap((event) => ('metadata' in event ? [event.metadata ?? {}] : []))
  expect(metadata.filter((each) => Object.keys(each).length === 0)).toEqual([])
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
    expect(codes).toEqual([])
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

  const failure = { code: 'internal', message: 'Execution error: torn', retry: 'terminal' }
  it.each([
    ['agent.error', 'Execution error: torn', 'failed', failure],
    ['agent.timeout', 'Too slow', 'failed', { code: 'timeout', message: 'Too slow' }],
    ['agent.timeout', null, 'failed', { code: 'timeout', message: 'agent.timeout' }],
    ['agent.interrupted', 'Execution cancelled', 'canceled', undefined],
  ])('ends with %s', (event, content, status, error) => {
    for (const before of [
      [message],
      [message, input('plan.start', { question: 'Why?' })],
      [input('agent.thinking', 'Hm')],
    ]) {
      const { out, codes } = convert([...before, input(event, content)])
      expect(out.at(-1)).toMatchObject({ kind: 'task-status', status, ...(error && { error }) })
      expect(codes).toEqual(before[0] === message ? [] : ['inferred:task-created'])
      // The next run is another task.
      expect(convert([...before, input(event, content), message]).out.at(-1)?.taskId).toBe('s-7/round-2')
    }
  })

  it('goes on if agent.error refuses a request, and after a notice of a retry', () => {
    const refused = input('agent.error', 'Missing step_id in user response')
    const retry = input('system.notice', 'Attempt 1/3 failed.', {
      attempt: 1,
      total_attempts: 3,
      retry_delay_seconds: 0.5,
    })
    const { out, codes } = convert([message, refused, retry, input('agent.final_answer', 'So.')])
    expect(brief(out).slice(1)).toMatchObject([
      ['task-error', { error: { message: 'Missing step_id in user response', retry: 'retryable' } }],
      ['task-error', { error: { retry: 'retrying', attempt: 1, maxAttempts: 3, retryAfterMs: 500 } }],
      ['content-complete', { content: 'So.' }],
      completed,
      ['task-complete', { content: 'So.' }],
    ])
    expect(codes).toEqual([])
  })

  it('fails if its message is refused', () => {
    const { out } = convert([message, input('agent.error', 'Session not found')])
    expect(brief(out).at(-1)).toMatchObject([
      'task-status',
      { status: 'failed', message: 'Session not found' },
    ])
  })

  it('without solving ends with its answer; what comes late is dropped', () => {
    const plan = input('plan.completed', { tasks: [{ id: 1 }] })
    const declined = input('agent.final_answer', 'Plan was declined by user.')
    for (const before of [[message], [message, input('plan.start', { question: 'Why?' }), plan]]) {
      const { out, diagnostics } = convert([
        ...before,
        declined,
        declined,
        input('solver.completed', { task: { id: 1 } }),
      ])
      expect(brief(out).slice(-2)).toEqual([
        completed,
        ['task-complete', { content: 'Plan was declined by user.' }],
      ])
      expect(diagnostics.map(({ code, detail }) => [code, (detail as { reason: string }).reason])).toEqual([
        ['dropped:agent.final_answer', 'repeated'],
        ['dropped:solver.completed', 'after-end'],
      ])
    }
    const cancelled = convert([message, input('plan.cancelled', { reason: 'cancelled' }), declined])
    expect(brief(cancelled.out).at(-1)).toEqual([
      'task-status',
      { status: 'canceled', metadata: { reason: 'cancelled' } },
    ])
    expect(cancelled.codes).toEqual(['dropped:agent.final_answer'])
  })

  it('without a message starts another task with each run', () => {
    const thought = (seq: number): SessionInput => input('agent.thinking', 'Hm', {}, { seq })
    const final = (text: string, seq: number): SessionInput => input('agent.final_answer', text, {}, { seq })
    const { out, diagnostics } = convert([thought(1), final('a', 4), thought(3), final('b', 5)])
    expect(
      out.flatMap((event) => (event.kind === 'task-complete' ? [event.taskId, event.content] : [])),
    ).toEqual(['s-7/round-1', 'a', 's-7/round-2', 'b'])
    // The delayed thought belongs to the first run.
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'dropped:agent.thinking' }))
  })

  it('starts with tasks to solve, without a plan', () => {
    const content = { tasks: [{ id: 1 }, { id: 2 }], question: 'Why?' }
    const { out } = convert([input('user.solve_tasks', content), input('solver.start', { task: { id: 1 } })])
    expect(brief(out)).toEqual([
      ['task-created', { initiator: 'user', metadata: { input: content } }],
      ['task-status', { status: 'working' }],
    ])
    expect(carried(out)[1]).toEqual({ event: 'solver.start', step_id: 'v', content: { task: { id: 1 } } })
  })

  it('keeps the result of each task of a real server', () => {
    const result = (id: number): SessionInput =>
      input('solver.completed', { task: { id }, result: { output: id } })
    const { out } = convert([message, result(1), result(2)])
    expect(brief(out).slice(1)).toMatchObject([
      ['data-write', { artifactId: 's-7/round-1/results/1', data: { result: { output: 1 } } }],
      ['data-write', { artifactId: 's-7/round-1/results/2', data: { result: { output: 2 } } }],
    ])
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
    expect(out[1]).toMatchObject({ kind: 'thought-stream', thoughtId: 's-7/round-1/thought-0', index: 0 })
    expect(codes).toEqual(['dropped:agent.thinking'])
  })

  it('starts with the plan without a message, and with any event without both', () => {
    const plan = input('plan.start', { question: 'Why?' }, { plan_id: 'p', model: 'm', timeout_seconds: 1 })
    expect(brief(convert([plan]).out)).toEqual([
      ['task-created', { initiator: 'user', metadata: { input: 'Why?', model: 'm' } }],
    ])
    expect(carried(convert([plan]).out)).toEqual([
      { event: 'plan.start', step_id: 'v', metadata: { plan_id: 'p', timeout_seconds: 1 } },
    ])
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

it('reads tool calls as real servers send them, without decoding', () => {
  const metadata = { tool: 'search', args: { q: 'AI' }, status: 'running' }
  const { out, codes } = convert([
    message,
    input('agent.tool_call', 'Calling tool: search', metadata, { step_id: 'step_0_search' }),
    input(
      'agent.tool_result',
      '{"hits":3}',
      { tool: 'search', status: 'success', error: null },
      { step_id: 'step_0_search' },
    ),
  ])
  expect(brief(out).slice(1)).toEqual([
    ['tool-start', { toolCallId: 'step_0_search', toolName: 'search', arguments: { q: 'AI' } }],
    [
      'tool-complete',
      { toolCallId: 'step_0_search', toolName: 'search', success: true, result: '{"hits":3}' },
    ],
  ])
  expect(codes).toEqual([])
  expect(carried(out)[1]).toMatchObject({ content: { tool_description: 'Calling tool: search' } })
})

describe('the timestamp', () => {
  const thought = (timestamp?: unknown): SessionInput => ({ ...input('agent.thinking', 'Hm'), timestamp })
  it.each([
    [
      'without a zone is read as UTC',
      '2026-03-04T05:06:07.000123',
      '2026-03-04T05:06:07.000123Z',
      'time-zone',
      '"2026-03-04T05:06:07.000123"',
    ],
    ['that is invalid repeats the previous one', 'noon', at, 'timestamp', '"noon"'],
    ['that is missing repeats the previous one', undefined, at, 'timestamp', 'got none'],
  ])('%s', (_, timestamp, expected, what, actual) => {
    const { out, diagnostics } = convert([message, thought(timestamp)])
    expect(out[1]?.timestamp).toBe(expected)
    expect(diagnostics.map(({ code }) => code)).toEqual([`inferred:${what}`])
    expect(diagnostics[0]?.message).toContain(actual)
  })

  it('of a dropped event is not reported', () => {
    expect(convert([{ event: 'user.ack', content: 5 }]).codes).toEqual(['dropped:user.ack'])
  })

  it('comes from the clock if there is one', () => {
    const { out } = convert([message, thought()], { now: () => '2027-01-01T00:00:00Z' })
    expect(out[1]?.timestamp).toBe('2027-01-01T00:00:00Z')
  })
})

describe('the context', () => {
  it('is the session of the round, or the option', () => {
    expect(convert([message], { contextId: 'ctx' }).out[0]).toMatchObject({
      contextId: 'ctx',
      taskId: 'ctx/round-1',
    })
    const both = convert([message, input('agent.thinking', 'Hm', {}, { session_id: 's-8' })])
    expect(both.out.map(({ contextId }) => contextId)).toEqual(['s-7', 's-8', 's-8'])
    const unnamed = convert([message, input('agent.thinking', 'Hm', {}, { session_id: undefined })])
    expect(unnamed.out.map(({ contextId }) => contextId)).toEqual(['s-7', 's-7'])
    const restored = input(
      'agent.state_restored',
      null,
      { original_session_id: 's-7' },
      { session_id: 's-9' },
    )
    const moved = convert([message, restored, input('agent.thinking', 'Hm', {}, { session_id: 's-9' })])
    expect(moved.out.map(({ contextId }) => contextId)).toEqual(['s-7', 's-7'])
    // Ids stay unique in a context of several sessions.
    const joined = convert([message, { ...message, session_id: 's-8' }], { contextId: 'ctx' })
    expect(joined.out.map(({ taskId }) => taskId)).toEqual(['ctx/round-1', 'ctx/round-1#2'])
    expect(convert([input('user.message', 'x', {}, { session_id: null })]).out[0]?.contextId).toBe('session')
  })
})

it.each([
  ['completed', pipeline('completed'), ['B', 'C', 'B']],
  ['failed', input('agent.timeout', 'Too slow'), ['B', 'C']],
])('a round that has %s repeats its result if another text follows it, or does not', (_, end, texts) => {
  const late = input('agent.partial_answer', 'C', {}, { step_id: 'p' })
  const { out } = convert([message, input('solver.restarted', 'Again'), answer('B'), late, end])
  expect(out.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))).toEqual(texts)
})

it('takes no time before that of the events before, and reports it', () => {
  const early = { ...input('agent.final_answer', { answer: 'So.' }), timestamp: '2026-03-04T05:06:06Z' }
  const { out, diagnostics } = convert([message, early])
  expect(new Set(out.map(({ timestamp }) => timestamp))).toEqual(new Set([at]))
  const text = `Expected a timestamp of ${at} or later, got "2026-03-04T05:06:06Z".`
  expect(diagnostics.filter(({ code }) => code === 'inferred:timestamp')).toMatchObject([{ message: text }])
})

it('tracks a bounded number of sessions', () => {
  const inputOf = (i: number): SessionInput => ({ ...message, session_id: `s-${i}` })
  expect(inputsUntilEvicted(fromSessionEvents({ now: () => 0 }) as never, inputOf)).toBe(2 * 1024 + 1)
})
