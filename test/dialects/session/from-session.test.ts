// Proves what sessions become in the core, documented and real ones: always legal, with every loss reported.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeSessionEvent,
  type FromSessionOptions,
  fromSessionEvents,
  type SessionInput,
  sessionEventNames,
  sessionMappedFields,
  toSessionEvents,
} from '../../../src/dialects/session/index.ts'
import { type ContextAnyEvent, type Diagnostic, run } from '../../../src/index.ts'
import fixtures from '../../fixtures/session/events.json'
import streams from '../../fixtures/session/streams.json'
import { jsonValue } from '../../support/json.ts'
import { wrongWith } from './basics.ts'

const events = fixtures.map(({ event }) => event) as unknown as readonly SessionInput[]
const byName = (name: string): SessionInput => events.find(({ event }) => event === name) ?? { event: name }

function convert(inputs: readonly SessionInput[], options: FromSessionOptions = {}) {
  const diagnostics: Diagnostic[] = []
  const machine = run(fromSessionEvents(options), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const out = [...inputs.flatMap((event) => [...machine.push(event)]), ...machine.end()]
  return { out, codes: diagnostics.map(({ code }) => code), diagnostics, state: machine.state }
}

const at = '2026-03-04T05:06:07Z'
const say = (event: string, content?: unknown, metadata?: object, more: object = {}): SessionInput => ({
  event,
  timestamp: at,
  session_id: 's-7',
  step_id: 'v',
  content,
  ...(metadata !== undefined && { metadata }),
  ...more,
})
/** Events as short as they can be told: what they have besides kind, place and time. */
const brief = (out: readonly ContextAnyEvent[]): unknown[] =>
  out.map(({ kind, contextId: _c, taskId: _t, timestamp: _a, ...fields }: ContextAnyEvent) => [kind, fields])
const message = say('user.message', 'Why?')
const created = ['task-created', { initiator: 'user', metadata: { input: 'Why?' } }]
const completed = ['task-status', { status: 'completed' }]
const answer = (text: string): SessionInput =>
  say('agent.final_answer', { answer: text, answer_type: 'text' })
const pipeline = (status: string): SessionInput =>
  say('pipeline.completed', null, { status, result_summary: '' })

describe('a session', () => {
  it.each(streams.legal.map(({ name, events }) => [name, events as readonly SessionInput[]] as const))(
    'that is legal becomes legal: %s',
    (_, inputs) => {
      expect(wrongWith(convert(inputs).out)).toEqual([])
    },
  )

  it('in any order becomes legal, and nothing throws', () => {
    const input = fc.constantFrom(
      ...events,
      ...streams.legal.flatMap(({ events }) => events as SessionInput[]),
    )
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
        expect(wrongWith(convert(inputs).out)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('of whatever fields becomes legal, and nothing throws', () => {
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
    const input = fc.record({
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
      fc.property(fc.array(input, { maxLength: 20 }), (inputs) => {
        expect(wrongWith(convert(inputs).out)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('a round', () => {
  it('is a task from the message to the end of the pipeline', () => {
    const { out, codes } = convert([
      message,
      say('plan.start', { question: 'Why?' }),
      say('solver.start'),
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

  it('waits for the answer where the pipeline ends before it', () => {
    const { out } = convert([message, pipeline('success'), answer('So.')])
    expect(brief(out)).toEqual([
      created,
      ['content-complete', { content: 'So.' }],
      completed,
      ['task-complete', { content: 'So.' }],
    ])
    expect(brief(convert([message, pipeline('success')]).out)).toEqual([created, completed])
  })

  it('may fail, for the reason told last', () => {
    const failed = say('error.timeout', 'Late', {
      attempt: 1,
      max_attempts: 2,
      retry_after_ms: 40,
      recovery_strategy: 'x',
    })
    const { out } = convert([
      message,
      failed,
      say('pipeline.completed', null, { status: 'failed', result_summary: 'No.' }),
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
    ['in planning', [say('plan.cancelled', 'Stop', { reason: 'user_request' })]],
    [
      'in solving, without a plan',
      [say('solver.cancelled', 'Stop', { task_id: 'a', reason: 'user_request' })],
    ],
    [
      'in solving, of all tasks',
      [
        say('plan.completed', { tasks: [{ id: 1 }, 2] }),
        say('solver.cancelled', null, { task_id: 1, reason: 'timeout' }),
        say('solver.cancelled', 'Stop', { task_id: 2, reason: 'user_request' }),
      ],
    ],
  ])('may be called off %s', (_, inputs) => {
    const { out } = convert([message, ...inputs])
    expect(brief(out).at(-1)).toEqual([
      'task-status',
      { status: 'canceled', message: 'Stop', metadata: { reason: 'user_request' } },
    ])
    expect(out.filter(({ kind }) => kind === 'task-status')).toHaveLength(1)
  })

  it('is over when the next begins or the session ends', () => {
    expect(brief(convert([message, message]).out)).toEqual([
      created,
      ['task-status', { status: 'canceled' }],
      created,
    ])
    expect(convert([message, message]).codes).toEqual(['repaired:task-status'])
    expect(brief(convert([message, answer('So.'), say('agent.session_end')]).out).slice(-2)).toEqual([
      completed,
      ['task-complete', { content: 'So.' }],
    ])
  })

  it('has what the model needed in its end', () => {
    const told = say(
      'agent.final_answer',
      { answer: 'So.' },
      { generation_time_ms: 12, total_tokens_used: 9 },
    )
    const end = brief(convert([message, told, pipeline('success')]).out).at(-1)
    expect(end).toEqual(['task-complete', { content: 'So.', metadata: { duration: 12, tokensUsed: 9 } }])
  })

  it('that completes without an answer ends what was said', () => {
    const { out } = convert([
      message,
      say('agent.partial_answer', 'So', { chunk_index: 0 }),
      pipeline('success'),
    ])
    expect(brief(out).slice(1)).toEqual([
      ['content-delta', { delta: 'So', index: 0 }],
      ['content-complete', { content: 'So' }],
      completed,
    ])
  })

  it('counts the thoughts it tells, and no others', () => {
    const { out, codes } = convert([message, say('agent.thinking', {}), say('agent.thinking', 'Hm')])
    expect(out[1]).toMatchObject({ kind: 'thought-stream', index: 0 })
    expect(codes).toEqual(['dropped:agent.thinking'])
  })

  it('begins with the plan where there is no message, and in the middle where there is neither', () => {
    const plan = say('plan.start', { question: 'Why?' }, { plan_id: 'p', model: 'm', timeout_seconds: 1 })
    expect(brief(convert([plan]).out)).toEqual([
      ['task-created', { initiator: 'user', metadata: { input: 'Why?', model: 'm' } }],
    ])
    expect(convert([plan]).codes).toEqual(['lossy:metadata.timeout_seconds'])
    const { out, codes } = convert([say('agent.thinking', 'Hm')])
    expect(brief(out)[0]).toEqual(['task-created', { initiator: 'user' }])
    expect(codes).toEqual(['repaired:task-created'])
  })
})

describe('an answer in pieces', () => {
  const piece = (text: string): SessionInput => say('agent.partial_answer', text, { chunk_index: 0 })
  it.each<[string, readonly string[], string, readonly unknown[], readonly string[]]>([
    ['is the answer', ['a', 'b'], 'ab', [['a', 0], ['b', 1], 'ab'], []],
    ['is the beginning of it', ['a'], 'abc', [['a', 0], ['bc', 1], 'abc'], ['repaired:content-delta']],
    ['is another', ['x'], 'abc', [['x', 0], 'x', 'abc'], ['repaired:content-delta']],
    ['ends in nothing', ['a', ''], 'a', [['a', 0], 'a'], []],
    ['is none', [], 'a', ['a'], []],
  ])('%s', (_, pieces, whole, expected, codes) => {
    const converted = convert([message, ...pieces.map(piece), say('agent.final_answer', { answer: whole })])
    const content = converted.out.flatMap((event): unknown[] =>
      event.kind === 'content-delta'
        ? [[event.delta, event.index]]
        : event.kind === 'content-complete'
          ? [event.content]
          : [],
    )
    expect(content).toEqual(expected)
    expect(converted.codes).toEqual(codes)
  })

  it('may be told again, and is not', () => {
    const told = say('agent.final_answer', { answer: 'So.' })
    expect(convert([message, told, told]).codes).toEqual(['duplicate'])
  })
})

describe('a tool', () => {
  const call = say(
    'agent.tool_call',
    { tool_name: 'chart', tool_description: '', arguments: { a: 1 } },
    { call_id: 'k', tool_type: 'lookup' },
  )
  const result = (content: object, metadata: object = {}): SessionInput =>
    say('agent.tool_result', content, { call_id: 'k', execution_time_ms: 4, ...metadata })

  it.each([
    [{ result: 7, status: 'success' }, {}, { success: true, result: 7 }],
    [{ result: null, status: 'success' }, {}, { success: true }],
    [{ result: 'torn', status: 'failed' }, {}, { success: false, error: 'torn' }],
    [{ result: { page: 4 }, status: 'failed' }, {}, { success: false, error: '{"page":4}' }],
    [{ result: 'x', status: 'success' }, { error: null }, { success: true, result: 'x' }],
    [{ result: 'x' }, { error: 'torn' }, { success: false, error: 'torn' }],
  ])('with the result %j', (content, metadata, expected) => {
    const { out } = convert([message, call, result(content, metadata)])
    expect(brief(out).slice(1)).toEqual([
      [
        'tool-start',
        { toolCallId: 'k', toolName: 'chart', arguments: { a: 1 }, metadata: { provider: 'lookup' } },
      ],
      ['tool-complete', { toolCallId: 'k', toolName: 'chart', ...expected, metadata: { duration: 4 } }],
    ])
  })

  it('is named anew where a server uses a name again', () => {
    const { out } = convert([
      message,
      call,
      result({ status: 'success' }),
      call,
      call,
      result({ status: 'success' }),
    ])
    expect(out.flatMap((event) => ('toolCallId' in event ? [event.toolCallId] : []))).toEqual([
      'k',
      'k',
      'k~2',
      'k~2', // Failed, as its result will never be told.
      'k~3',
      'k~3',
    ])
  })

  it('has a beginning and an end, told or not', () => {
    const early = convert([message, result({ tool_name: 'chart', status: 'success' })])
    expect(early.out.map(({ kind }) => kind)).toEqual(['task-created', 'tool-start', 'tool-complete'])
    expect(early.codes).toContain('repaired:tool-start')
    const late = convert([message, call, answer('So.'), pipeline('success')])
    expect(brief(late.out)).toContainEqual([
      'tool-complete',
      { toolCallId: 'k', toolName: 'chart', success: false, error: 'No result was told.' },
    ])
    expect(late.codes).toContain('repaired:tool-complete')
  })

  it('may tell its progress; other progress is the state of the task', () => {
    const progress = (step_id: string): SessionInput =>
      say('solver.progress', { current_task: 'x', status: 'half' }, { progress_percent: 50 }, { step_id })
    expect(brief(convert([message, call, progress('k')]).out).at(-1)).toEqual([
      'tool-progress',
      { toolCallId: 'k', progress: 0.5, message: 'half' },
    ])
    expect(brief(convert([message, progress('p')]).out).at(-1)).toEqual([
      'task-status',
      { status: 'working', message: 'half', metadata: { progress_percent: 50 } },
    ])
  })

  it('is remembered within bounds', () => {
    const calls = Array.from({ length: 1100 }, (_, i) =>
      say('agent.tool_call', { tool_name: 't' }, { call_id: `k-${i}` }),
    )
    const { out, state } = convert([message, ...calls])
    expect(state.calls).toHaveLength(1024)
    expect(out.filter(({ kind }) => kind === 'tool-complete')).toHaveLength(76)
  })
})

describe('a question', () => {
  const ask = say(
    'agent.user_confirm',
    { message: 'Which?', confirmation_type: 'select', options: [{ id: 'o', label: 'O' }] },
    { timeout_seconds: 9, critical: true },
  )
  const input = [
    'input-required',
    {
      inputId: 'v',
      inputType: 'selection',
      prompt: 'Which?',
      requireUser: true,
      options: [{ id: 'o', label: 'O' }],
      metadata: { timeout: 9 },
    },
  ]
  it.each([
    [{ approved: true }, {}],
    [{ approved: false }, { outcome: 'declined' }],
    [{ confirmed: false }, { outcome: 'declined' }],
  ])('is answered by %j', (content, outcome) => {
    const { out, codes } = convert([message, ask, say('user.response', content, { response_time_ms: 5 })])
    expect(brief(out).slice(1)).toEqual([
      input,
      ['input-received', { inputId: 'v', providedBy: 'user', ...outcome, metadata: { duration: 5 } }],
    ])
    expect(codes).toEqual([])
  })

  it('that asks nothing is none', () => {
    expect(convert([message, say('agent.user_confirm', {})]).codes).toEqual(['dropped:agent.user_confirm'])
  })

  it('has one answer, to what was asked', () => {
    const reply = say('user.response', { approved: true })
    expect(convert([message, reply]).codes).toEqual(['dropped:user.response'])
    expect(convert([message, ask, reply, reply]).codes).toEqual(['dropped:user.response'])
  })

  it.each([
    ['input', 'clarification'],
    ['approve', 'confirmation'],
    [undefined, 'confirmation'],
  ])('of type %s asks for a %s', (confirmation_type, inputType) => {
    const { out } = convert([message, say('agent.user_confirm', { message: '?', confirmation_type })])
    expect(out[1]).toMatchObject({ kind: 'input-required', inputType })
  })
})

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

describe('a result', () => {
  it('is an artifact', () => {
    const inputs = ['plan.completed', 'solver.completed', 'aggregate.completed'].map(byName)
    const { out } = convert([message, ...inputs])
    expect(brief(out).slice(1)).toMatchObject([
      ['data-write', { artifactId: 's-7/round-1/plan', name: 'plan', data: inputs[0]?.content }],
      ['data-write', { artifactId: 's-7/round-1/results', name: 'results', data: inputs[1]?.content }],
      ['data-write', { artifactId: 's-7/round-1/result', data: { order: ['Genoa', 'Koper'] } }],
    ])
    const { out: other } = convert([message, say('aggregate.completed', { final_result: [1] })])
    expect(other[1]).toMatchObject({ data: { result: [1] } })
  })
})

describe('the time', () => {
  const thought = (timestamp?: unknown): SessionInput => ({ ...say('agent.thinking', 'Hm'), timestamp })
  it.each([
    ['without a zone is read as UTC', '2026-03-04T05:06:07.000123', '2026-03-04T05:06:07.000123Z'],
    ['that is none is the last', 'noon', at],
    ['that is absent is the last', undefined, at],
  ])('%s', (_, timestamp, expected) => {
    const { out, codes } = convert([message, thought(timestamp)])
    expect(out[1]?.timestamp).toBe(expected)
    expect(codes).toEqual(['repaired:timestamp'])
  })

  it('of what becomes nothing is nobody’s concern', () => {
    expect(convert([{ event: 'user.ack', content: 5 }]).codes).toEqual(['dropped:user.ack'])
  })

  it('is the clock’s where there is one', () => {
    const { out } = convert([message, thought()], { now: () => 0 })
    expect(out[1]?.timestamp).toBe('1970-01-01T00:00:00.000Z')
  })
})

describe('the context', () => {
  it('is the session of the round, or as told', () => {
    expect(convert([message], { contextId: 'ctx' }).out[0]).toMatchObject({
      contextId: 'ctx',
      taskId: 'ctx/round-1',
    })
    const moved = convert([message, say('agent.thinking', 'Hm', {}, { session_id: 's-8' })])
    expect(moved.out.map(({ contextId }) => contextId)).toEqual(['s-7', 's-7'])
    expect(convert([say('user.message', 'x', {}, { session_id: null })]).out[0]?.contextId).toBe('session')
  })
})

describe('what is lost', () => {
  it('is reported of every event by the table', () => {
    for (const input of events) {
      const { codes } = convert([message, input])
      const carried = sessionMappedFields[input.event as 'user.message']?.split(' ')
      if (carried === undefined) {
        expect(codes, input.event).toContain(`dropped:${input.event}`)
        continue
      }
      const paths = (['content', 'metadata'] as const).flatMap((part) => {
        const value = input[part]
        if (typeof value !== 'object' || value === null) return value == null ? [] : [part]
        return Object.keys(value).map((key) => `${part}.${key}`)
      })
      const lost = paths.filter(
        (path) => !carried.includes(path) && !carried.includes(path.split('.')[0] ?? ''),
      )
      const reported = codes.filter((code) => code.startsWith('lossy:')).map((code) => code.slice(6))
      expect(reported.sort(), input.event).toEqual(lost.sort())
    }
  })

  it('is not what the table says is carried: session → core → session', () => {
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
      say('pipeline.completed', null, { status: 'success' }),
    ]
    const back = run(toSessionEvents())
    const told: SessionInput[] = [
      ...convert(inputs).out.flatMap((event) => [...back.push(event)]),
      ...back.end(),
    ]
    const kept = told.filter(({ event }) => inputs.some((input) => input.event === event))
    expect(kept.map(({ event }) => event)).toEqual(inputs.map(({ event }) => event))
    for (const [i, input] of inputs.entries()) {
      for (const path of sessionMappedFields[input.event as 'user.message']?.split(' ') ?? []) {
        const value = valueAt(input, path)
        // The name of a plan is that of its task.
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

describe('what the core kept in metadata', () => {
  it('is not taken where it does not fit', () => {
    const core = { metadata: 'none', initiator: 'nobody', ending: [{ kind: 'task-created' }] }
    const { out, codes } = convert([
      say('plan.start', { question: 'Why?' }, { core }),
      say('agent.tool_call', { tool_name: 't' }, { call_id: 'k', core }),
    ])
    expect(out.map(({ kind }) => kind)).toEqual(['task-created', 'tool-start'])
    expect(codes).toEqual(['repaired:task-created', 'repaired:tool-start'])
    expect(wrongWith(out)).toEqual([])
  })
})

it('does not call lost what the lenient mode has moved, unless the two places differ', () => {
  const call = say('agent.tool_call', 'Calling chart', { tool: 'chart', args: { a: 1 }, status: 'running' })
  const decoded = decodeSessionEvent(call, { mode: 'lenient' })
  if (decoded.status !== 'known') throw new Error(decoded.status)
  const read = JSON.parse(JSON.stringify(decoded.event)) as SessionInput
  expect(convert([message, read]).codes).toEqual(['lossy:content.tool_description', 'lossy:metadata.status'])
  const other = say('agent.tool_call', { tool_name: 'chart', arguments: {} }, { tool: 'map', call_id: 'v' })
  expect(convert([message, other]).codes).toEqual(['lossy:metadata.tool'])
})
