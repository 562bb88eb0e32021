// Answers, tool calls and questions of a session map to core events.
import { describe, expect, it } from 'vitest'
import type { SessionInput } from '../../../src/dialects/session/index.ts'
import { answer, brief, carried, convert, input, message, pipeline } from './from-session-inputs.ts'

describe('an answer with partial answers', () => {
  const piece = (text: string): SessionInput => input('agent.partial_answer', text, { chunk_index: 0 })
  it.each<[string, readonly string[], string, readonly unknown[], readonly string[]]>([
    ['equals them', ['a', 'b'], 'ab', [['a', 0], ['b', 1], 'ab'], []],
    ['continues them', ['a'], 'abc', [['a', 0], ['bc', 1], 'abc'], ['inferred:content-delta']],
    ['differs from them', ['x'], 'abc', [['x', 0], 'x', 'abc'], ['inferred:content-delta']],
    ['ends with an empty one', ['a', ''], 'a', [['a', 0], 'a'], ['dropped:agent.partial_answer']],
    ['has none', [], 'a', ['a'], []],
  ])('%s', (_, pieces, whole, expected, codes) => {
    const converted = convert([message, ...pieces.map(piece), input('agent.final_answer', { answer: whole })])
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

  it('is emitted once if it is repeated', () => {
    const final = input('agent.final_answer', { answer: 'So.' })
    expect(convert([message, final, final]).codes).toEqual(['dropped:agent.final_answer'])
  })
})

describe('a tool call', () => {
  const call = input(
    'agent.tool_call',
    { tool_name: 'chart', tool_description: '', arguments: { a: 1 } },
    { call_id: 'k', tool_type: 'lookup' },
  )
  const result = (content: object, metadata: object = {}): SessionInput =>
    input(
      'agent.tool_result',
      { tool_name: 'chart', ...content },
      { call_id: 'k', execution_time_ms: 4, ...metadata },
    )

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
    expect(JSON.stringify(carried(out))).not.toContain('chart')
  })

  it.each([
    [{ result: 'torn', status: 'failed' }, {}],
    [{}, { error: 'torn' }],
  ])('is carried once: an error that is text is not in the metadata: %j %j', (content, metadata) => {
    const { out } = convert([message, call, result(content, metadata)])
    expect(JSON.stringify(out).split('torn')).toHaveLength(2)
  })

  it('gets a new id if a server reuses one', () => {
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
      'k#2',
      'k#2', // Failed, as it never got a result.
      'k#3',
      'k#3',
    ])
  })

  it('has a start and an end, even if the session lacks one', () => {
    const early = convert([message, result({ tool_name: 'chart', status: 'success' })])
    expect(early.out.map(({ kind }) => kind)).toEqual(['task-created', 'tool-start', 'tool-complete'])
    expect(early.codes).toContain('inferred:tool-start')
    const late = convert([message, call, answer('So.'), pipeline('success')])
    expect(brief(late.out)).toContainEqual([
      'tool-complete',
      { toolCallId: 'k', toolName: 'chart', success: false, error: 'The tool call has no result.' },
    ])
    expect(late.codes).toContain('inferred:tool-complete')
  })

  it('has progress; other progress is that of the task', () => {
    const progress = (step_id: string): SessionInput =>
      input('solver.progress', { current_task: 'x', status: 'half' }, { progress_percent: 50 }, { step_id })
    const ofCall = convert([message, call, progress('k')])
    expect(brief(ofCall.out).at(-1)).toEqual([
      'tool-progress',
      { toolCallId: 'k', progress: 0.5, message: 'half' },
    ])
    expect(ofCall.diagnostics.map(({ path }) => path)).not.toContain('/step_id')
    expect(brief(convert([message, progress('p')]).out).at(-1)).toEqual([
      'task-status',
      { status: 'working', message: 'half' },
    ])
  })

  it('is tracked among at least 4096 open ones', () => {
    const calls = (count: number): SessionInput[] =>
      Array.from({ length: count }, (_, i) =>
        input('agent.tool_call', { tool_name: 't' }, { call_id: `k-${i}` }),
      )
    const { out, codes } = convert([message, ...calls(4096), pipeline('success'), answer('So.')])
    expect(out.filter(({ kind }) => kind === 'tool-complete')).toHaveLength(4096)
    expect(codes).not.toContain('state-evicted')
    expect(convert([message, ...calls(9000)]).codes).toContain('state-evicted')
  })

  it('never goes back in its progress', () => {
    const progress = (percent: number): SessionInput =>
      input('solver.progress', null, { progress_percent: percent }, { step_id: 'k' })
    const { out } = convert([message, call, progress(50), progress(20), progress(60)])
    expect(out.flatMap((event) => (event.kind === 'tool-progress' ? [event.progress] : []))).toEqual([
      0.5, 0.5, 0.6,
    ])
  })
})

describe('a question', () => {
  const ask = input(
    'agent.user_confirm',
    { message: 'Which?', confirmation_type: 'select', options: [{ id: 'o', label: 'O' }] },
    { timeout_seconds: 9, critical: true },
  )
  const required = [
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
    const { out, codes } = convert([message, ask, input('user.response', content, { response_time_ms: 5 })])
    expect(brief(out).slice(1)).toEqual([
      required,
      [
        'input-received',
        { inputId: 'v', providedBy: 'user', userId: 'user', ...outcome, metadata: { duration: 5 } },
      ],
    ])
    expect(codes).toEqual(['inferred:userId'])
  })

  it('without a message is dropped', () => {
    expect(convert([message, input('agent.user_confirm', {})]).codes).toEqual(['dropped:agent.user_confirm'])
  })

  it('is answered once', () => {
    const reply = input('user.response', { approved: true })
    expect(convert([message, reply]).codes).toEqual(['dropped:user.response'])
    expect(convert([message, ask, reply, reply]).codes).toEqual(['inferred:userId', 'dropped:user.response'])
  })

  it.each([
    ['input', 'clarification'],
    ['approve', 'confirmation'],
    [undefined, 'confirmation'],
  ])('of type %s maps to input type %s', (confirmation_type, inputType) => {
    const { out } = convert([message, input('agent.user_confirm', { message: '?', confirmation_type })])
    expect(out[1]).toMatchObject({ kind: 'input-required', inputType })
  })
})
