// Core events map to rounds, also for tasks that start late, interleave or end late.
import { describe, expect, it } from 'vitest'
import { fromSessionEvents, toSessionEvents } from '../../../src/dialects/session/index.ts'
import { type ContextAnyEvent, type Diagnostic, run } from '../../../src/index.ts'

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
  const back = run(fromSessionEvents())
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
