// Proves what core events become where a task begins in the middle, comes between another, or ends late.
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
  it('is a round with a plan of one task', () => {
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

  it('begins in the middle where it was not seen to begin', () => {
    const { steps, codes } = convert([delta])
    expect(steps).toEqual([['plan.start', 'plan.completed', 'agent.partial_answer']])
    expect(codes).toEqual(['repaired:task-created'])
  })

  it('ends when all that ends it was told', () => {
    const complete = core('task-complete', { content: 'So.' })
    expect(convert([created, completed, complete]).steps.at(-1)).toEqual(end)
    expect(convert([created, complete, completed]).steps.at(-1)).toEqual(end)
    const alone = convert([created, completed])
    expect([alone.steps.at(-1), alone.end.map(({ event }) => event)]).toEqual([[], end])
    const next = convert([created, completed, core('task-created', { initiator: 'user' }, 'task-2')])
    expect(next.steps.at(-1)).toEqual([...end, 'plan.start', 'plan.completed'])
  })

  it('that has ended says nothing any more', () => {
    const { codes, steps } = convert([
      created,
      completed,
      core('internal:checkpoint', { iteration: 0 }),
      completed,
      delta,
    ])
    expect(steps.slice(-2)).toEqual([[], []])
    expect(codes).toEqual(['dropped:internal:checkpoint', 'dropped:task-status', 'dropped:content-delta'])
  })

  it('is the only one: others, and what it spawns, are dropped', () => {
    const other = core('task-created', { initiator: 'user' }, 'task-2')
    const child = core('task-created', { initiator: 'agent', parentTaskId: 'task-1' }, 'task-3')
    expect(convert([created, other, child, created]).codes).toEqual(
      Array.from({ length: 3 }, () => 'dropped:task-created'),
    )
    expect(convert([child]).out).toEqual([])
  })
})

it('a merged delta comes back merged, and what follows is counted on', () => {
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
