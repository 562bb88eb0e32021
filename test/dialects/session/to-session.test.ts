// Core events map to rounds, also for tasks that start late, interleave or end late.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromSessionEvents, sessionVerifier, toSessionEvents } from '../../../src/dialects/session/index.ts'
import { type ContextAnyEvent, type Diagnostic, run } from '../../../src/index.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'

const core = (kind: string, fields: object = {}, taskId = 'task-1'): ContextAnyEvent =>
  ({
    kind,
    contextId: 'ctx',
    taskId,
    timestamp: '2026-03-04T05:06:07Z',
    ...fields,
  }) as unknown as ContextAnyEvent

function convert(events: readonly ContextAnyEvent[], sessionId?: string) {
  const diagnostics: Diagnostic[] = []
  const machine = run(toSessionEvents(sessionId === undefined ? {} : { sessionId }), {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const out = events.map((event) => machine.push(event))
  return {
    steps: out.map((step) => step.map(({ event }) => event)),
    out: out.flat(),
    end: machine.end(),
    diagnostics,
    codes: diagnostics.map(({ code }) => code),
  }
}

const created = core('task-created', { initiator: 'user', metadata: { input: 'Why?' } })
const delta = core('content-delta', { delta: 'So.', index: 0 })
const completed = core('task-status', { status: 'completed' })
const end = [
  'solver.start',
  'agent.final_answer',
  'solver.completed',
  'aggregate.start',
  'aggregate.completed',
  'pipeline.completed',
]

it('never goes back in the progress of a call, and reports what does', () => {
  const start = core('tool-start', { toolCallId: 'k', toolName: 'f', arguments: {} })
  const steps = fc.record({ stepsCompleted: fc.nat(4), stepsTotal: fc.nat(4) })
  const move = fc.record({ progress: fc.integer({ min: 0, max: 8 }), metadata: steps })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), (moves) => {
      const shares = moves.map(({ progress }) => progress / 8)
      const events = moves.map(({ metadata }, i) =>
        core('tool-progress', { toolCallId: 'k', progress: shares[i], metadata }),
      )
      const { out, diagnostics } = convert([created, start, ...events])
      const found = resultsOf(sessionVerifier({ mode: 'strict' }), out).flatMap((step) => step.out)
      expect(found.filter(({ rule }) => rule === 'progress')).toEqual([])
      const highest = shares.map((_, i) => Math.max(...shares.slice(0, i + 1)))
      const read = resultsOf(fromSessionEvents(), out).flatMap((step) => step.out)
      const progress = read.flatMap((event) => (event.kind === 'tool-progress' ? event.progress : []))
      expect(progress).toEqual(highest)
      expect(diagnostics.map(({ detail }) => detail)).toEqual(shares.filter((one, i) => one !== highest[i]))
    }),
    { numRuns: runs(300) },
  )
})

describe('a task', () => {
  it('maps to a round with a plan of one task', () => {
    const { out, steps } = convert([created, delta])
    expect(steps).toEqual([['plan.start', 'plan.completed'], ['agent.partial_answer']])
    expect(out[0]).toMatchObject({
      session_id: 'ctx',
      step_id: 'task-1',
      content: { question: 'Why?' },
      metadata: { plan_id: 'task-1' },
    })
    expect(convert([created], 's-7').out[0]).toMatchObject({ session_id: 's-7' })
  })

  it('starts with any event if task-created is missing', () => {
    const { steps, codes } = convert([delta])
    expect(steps).toEqual([['plan.start', 'plan.completed', 'agent.partial_answer']])
    expect(codes).toEqual(['inferred:task-created'])
  })

  it('ends after both events that complete it', () => {
    const complete = core('task-complete', { content: 'So.' })
    expect(convert([created, completed, complete]).steps.at(-1)).toEqual(end)
    expect(convert([created, complete, completed]).steps.at(-1)).toEqual(end)
    const alone = convert([created, completed])
    expect([alone.steps.at(-1), alone.end.map(({ event }) => event)]).toEqual([[], end])
    const next = convert([created, completed, core('task-created', { initiator: 'user' }, 'task-2')])
    expect(next.steps.at(-1)).toEqual([...end, 'plan.start', 'plan.completed'])
  })

  it.each(['failed', 'canceled'])('that is %s reports what waits for missing deltas', (status) => {
    const late = core('content-delta', { delta: 'late', index: 2 })
    const { diagnostics } = convert([created, delta, late, core('task-status', { status })])
    expect(diagnostics.slice(1)).toMatchObject([{ code: 'gap', detail: { type: 'text', lost: 4 } }])
  })

  it('that has ended is not reopened', () => {
    const { codes, steps } = convert([
      created,
      completed,
      core('internal:checkpoint', { iteration: 0 }),
      completed,
      delta,
    ])
    // The user may not see the checkpoint, so that the end is sent with the next event.
    expect(steps.slice(-3)).toEqual([[], end, []])
    expect(codes).toEqual(['dropped:internal:checkpoint', 'dropped:task-status', 'dropped:content-delta'])
  })

  it('excludes other tasks and subtasks, which are dropped', () => {
    const other = core('task-created', { initiator: 'user' }, 'task-2')
    const child = core('task-created', { initiator: 'agent', parentTaskId: 'task-1' }, 'task-3')
    expect(convert([created, other, child, created]).codes).toEqual(
      Array.from({ length: 3 }, () => 'dropped:task-created'),
    )
    expect(convert([child]).out).toEqual([])
  })
})

it('drops what comes after the end of a task, also of one before the last', () => {
  const failed = (taskId: string) => core('task-status', { status: 'failed' }, taskId)
  const late = core('tool-start', { toolCallId: 'k', toolName: 'f', arguments: {} }, 'task-0')
  const { diagnostics } = convert([
    delta,
    failed('task-1'),
    { ...late, taskId: 'task-0' },
    failed('task-0'),
    delta,
  ])
  expect(diagnostics.at(-1)).toMatchObject({ code: 'dropped:content-delta', detail: { reason: 'after-end' } })
})

describe('with a connectionId', () => {
  const connected = ['system.connected', 'agent.session_created']
  const other = { contextId: 'ctx-2' }

  it('opens the connection once, and each session once', () => {
    const { push, end } = run(toSessionEvents({ connectionId: 'c-1' }))
    const events = [
      core('custom', { name: 'a.b', data: 1 }),
      created,
      completed,
      core('task-created', { initiator: 'user', ...other }, 'task-2'),
      core('task-status', { status: 'canceled', ...other }, 'task-2'),
      core('task-created', { initiator: 'user' }, 'task-3'),
    ]
    const out = [...events.flatMap((event) => push(event)), ...end()]
    expect(out.slice(0, 3)).toMatchObject([
      { event: 'system.connected', connection_id: 'c-1', timestamp: created.timestamp },
      { event: 'agent.session_created', session_id: 'ctx', connection_id: 'c-1' },
      { event: 'plan.start', session_id: 'ctx' },
    ])
    const opening = out.filter(({ event }) => connected.includes(event))
    expect(opening.map(({ event, session_id }) => [event, session_id])).toEqual([
      ['system.connected', undefined],
      ['agent.session_created', 'ctx'],
      ['agent.session_created', 'ctx-2'],
    ])
  })

  it('opens the session of the option', () => {
    const { push } = run(toSessionEvents({ connectionId: 'c-1', sessionId: 's-7' }))
    expect(push(created).slice(0, 3)).toMatchObject([
      { event: 'system.connected' },
      { event: 'agent.session_created', session_id: 's-7' },
      { event: 'plan.start', session_id: 's-7' },
    ])
  })
})

describe('the final answer', () => {
  const deltaOf = (text: string, contentId?: string) =>
    core('content-delta', { delta: text, index: 0, ...(contentId !== undefined && { contentId }) })
  const text = (content: string, contentId?: string) =>
    core('content-complete', { content, ...(contentId !== undefined && { contentId }) })
  const answerOf = (events: readonly ContextAnyEvent[], result?: string) => {
    const complete = core('task-complete', result === undefined ? {} : { content: result })
    const { out, end } = convert([created, ...events, complete])
    const all = [...out, ...end]
    const answers = all.filter(({ event }) => event === 'agent.final_answer')
    const parts = all.filter(({ event }) => event === 'agent.partial_answer')
    return {
      answer: (answers[0]?.content as { answer?: string } | undefined)?.answer,
      parts: parts.map(({ content }) => content),
    }
  }

  it.each([
    ['two texts', answerOf([deltaOf('A'), text('A'), deltaOf('B'), text('B')]), 'AB', ['A', 'B']],
    [
      'two texts, and the result',
      answerOf([deltaOf('A'), text('A'), deltaOf('B'), text('B')], 'B'),
      'AB',
      ['A', 'B'],
    ],
    [
      'a text, and one that was not streamed',
      answerOf([deltaOf('A'), text('A'), text('B')]),
      'AB',
      ['A', 'B'],
    ],
    ['a text, and an empty one', answerOf([deltaOf('A'), text('A'), text('')]), 'A', ['A']],
    [
      'a text that was not streamed, and one that was',
      answerOf([text('A'), deltaOf('B'), text('B')]),
      'B',
      ['B'],
    ],
    ['texts that were not streamed', answerOf([text('A'), text('B')]), 'B', []],
    ['another result', answerOf([deltaOf('A'), text('A')], 'C'), 'C', ['A']],
    ['an open text', answerOf([deltaOf('A')]), 'A', ['A']],
    [
      'two texts at a time',
      answerOf(
        [
          deltaOf('A'),
          deltaOf('B', 'b'),
          core('content-delta', { delta: 'C', index: 1 }),
          text('AC'),
          text('B', 'b'),
        ],
        'AC',
      ),
      'AC',
      ['A', 'B', 'C'],
    ],
  ])('of %s', (_, { answer, parts }, expected, partial) => {
    expect({ answer, parts }).toEqual({ answer: expected, parts: partial })
  })

  it('is the joined partial answers of texts that follow each other, and reads back as the texts', () => {
    const texts = fc.array(fc.tuple(fc.array(fc.string(), { maxLength: 3 }), fc.string({ minLength: 1 })), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(texts, (list) => {
        const events = list.flatMap(([deltas, whole]) => [
          ...deltas.map((delta, index) => core('content-delta', { delta, index })),
          text(deltas.length > 0 ? deltas.join('') : whole),
        ])
        const options = { connectionId: 'c-1' }
        const written = resultsOf(toSessionEvents(options), [created, ...events, completed]).flatMap(
          ({ out }) => out,
        )
        expect(resultsOf(sessionVerifier({ mode: 'strict' }), written).flatMap(({ out }) => out)).toEqual([])
        const read = resultsOf(fromSessionEvents({ showErrors: true }), written).flatMap(({ out }) => out)
        expect(read.map((event) => JSON.parse(JSON.stringify(event)))).toEqual([
          created,
          ...events,
          completed,
        ])
      }),
      { numRuns: runs(200) },
    )
  })
})

it('numbers the attempts of each retry by itself', () => {
  const failure = (attempt: number) =>
    core('task-error', {
      error: { code: 'timeout', message: 'Slow.', retry: 'retrying', attempt, maxAttempts: 3 },
    })
  const { out } = convert([created, failure(1), failure(2), failure(1), failure(2), failure(2)])
  expect(out.slice(2).map(({ step_id, metadata }) => [step_id, metadata?.attempt])).toEqual([
    ['task-1', 1],
    ['task-1', 2],
    ['task-1/retry-1', 1],
    ['task-1/retry-1', 2],
    ['task-1/retry-2', 2],
  ])
})

it('asks a question that is text, or empty', () => {
  const question = (input: unknown): unknown =>
    convert([core('task-created', { initiator: 'user', metadata: { input } })]).out[0]?.content
  expect(question('Why?')).toMatchObject({ question: 'Why?' })
  expect(question({ text: 'Why?' })).toMatchObject({ question: '' })
})

it.each([true, false, undefined])(
  'states that a question that requires a user (%s) is critical',
  (requireUser) => {
    const ask = core('input-required', {
      inputId: 'i',
      inputType: 'confirmation',
      prompt: 'Sure?',
      requireUser,
    })
    const { out } = convert([created, ask])
    expect(out.at(-1)).toMatchObject({
      event: 'agent.user_confirm',
      metadata: { critical: requireUser === true },
    })
  },
)

it.each([undefined, []])('asks for text if a selection has the options %j', (options) => {
  const { out } = convert([
    created,
    core('input-required', { inputId: 'i', inputType: 'selection', prompt: 'Which?', options }),
  ])
  expect(out.at(-1)).toMatchObject({ content: { confirmation_type: 'input' } })
})

it('states why a task failed: its message, or that of its error', () => {
  const error = { code: 'c', message: 'torn', retry: 'terminal' }
  const summaryOf = (fields: object): unknown =>
    convert([created, core('task-status', { status: 'failed', ...fields })]).out.at(-1)?.metadata
  expect(summaryOf({ error })).toMatchObject({ result_summary: 'torn' })
  expect(summaryOf({ error, message: 'late' })).toMatchObject({ result_summary: 'late' })
})

it('restores a merged delta, and the indexes after it', () => {
  const timestampEnd = '2026-03-01T08:00:02Z'
  const merged = core('content-delta', { delta: 'abc', index: 0, indexEnd: 2, timestampEnd })
  const after = core('content-delta', { delta: 'd', index: 3 })
  const { out } = convert([created, merged, after])
  expect(
    out.map((event) => event.event === 'agent.partial_answer' && event.metadata.chunk_index).slice(-2),
  ).toEqual([0, 1])
  const back = run(fromSessionEvents({ showErrors: true }))
  expect(out.flatMap((event) => [...back.push(event)]).slice(1)).toEqual([merged, after])
})

it('reports the reason of each dropped event, and the issues of an invalid one', () => {
  const { diagnostics } = convert([
    core('task-created', { initiator: 'user' }, 'task-0'),
    core('task-status', { status: 'failed' }, 'task-0'),
    core('content-delta', { delta: 'So.', index: 0 }, 'task-0'),
    created,
    core('made-up'),
    created,
    core('task-status', { status: 'submitted' }),
    core('content-delta', { delta: 'So.', index: 0 }, 'task-2'),
    core('content-delta', { delta: 7, index: 0 }),
  ])
  expect(diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
    ['dropped:content-delta', { reason: 'after-end' }],
    ['dropped:made-up', { reason: 'unknown-kind' }],
    ['dropped:task-created', { reason: 'repeated' }],
    ['dropped:task-status', { reason: 'no-equivalent' }],
    ['dropped:content-delta', { reason: 'other-task' }],
    ['invalid-event', [expect.objectContaining({ path: '/delta' })]],
  ])
})

describe('a text', () => {
  const part = (text: string, index: number, more: object = {}) =>
    core('content-delta', { delta: text, index, ...more })
  const wholesOf = (events: readonly ContextAnyEvent[]) => {
    const { out, end, codes } = convert([created, ...events, completed])
    const read = resultsOf(fromSessionEvents({ showErrors: true }), [...out, ...end]).flatMap(
      (step) => step.out,
    )
    const parts = foldEvents(emptyView, read).tasks.flatMap((task) => task.parts)
    return { codes, texts: parts.flatMap((part) => (part.type === 'text' ? part.text : [])) }
  }

  it('is read once if it has more than its deltas', () => {
    const { texts, codes } = wholesOf([part('ab', 0), core('content-complete', { content: 'abc' })])
    expect([texts, codes]).toEqual([['abc'], []])
  })

  it.each([{}, { contentId: 'x' }])('that is replaced is kept, and the new one follows (%j)', (id) => {
    const replaced = core('content-replace', { content: 'xy', ...id })
    const whole = core('content-complete', { content: 'xyz', ...id })
    const { texts, codes } = wholesOf([part('ab', 0, id), replaced, part('z', 1, id), whole])
    expect([texts, codes]).toEqual([['ab', 'xyz'], ['lossy:content']])
  })

  it.each([{}, { contentId: 'x' }])('of a model response that begins again is another one (%j)', (id) => {
    const own = { ...id, iteration: 1 }
    const reset = core('iteration-reset', { iteration: 1 })
    const whole = core('content-complete', { content: 'xyz', ...own })
    const { texts, codes } = wholesOf([
      part('ab', 0, own),
      reset,
      part('xy', 0, own),
      reset,
      part('xyz', 0, own),
      whole,
    ])
    expect([texts, codes]).toEqual([
      ['ab', 'xy', 'xyz'],
      ['dropped:iteration-reset', 'dropped:iteration-reset'],
    ])
  })
})
