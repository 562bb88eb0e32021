// What the writer makes of subtasks and of tasks that are canceled, and how much it keeps.
import { describe, expect, it } from 'vitest'
import { toUiMessageStream, type UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { inputsUntilEvicted, resultsOf } from '../../support/mapper-laws.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
const created = { ...place, kind: 'task-created', initiator: 'user' } as ContextAnyEvent

function chunksOf(version: 5 | 6 | 7, ...events: object[]): UiMessageChunk[] {
  const all = [created, ...events.map((event) => ({ ...place, ...event }))]
  return resultsOf(toUiMessageStream({ version }) as never, all as never[]).flatMap(
    ({ out }) => out as UiMessageChunk[],
  )
}

describe('a subtask', () => {
  const subtask = { taskId: 's', parentTaskId: 't' }
  const announced = { kind: 'subtask-created', subtaskId: 's', agentId: 'analyst', prompt: 'Look' }
  const shown = { taskId: 's', parentTaskId: 't', agentId: 'analyst', prompt: 'Look' }
  const error = { code: 'timeout', message: 'Too slow.', retry: 'terminal' }

  it.each<[string, object[], object]>([
    ['that is announced has no status', [], { status: null }],
    ['that works', [{ kind: 'task-status', status: 'working' }], { status: 'working' }],
    [
      'that fails has the error',
      [{ kind: 'task-status', status: 'failed', error }],
      { status: 'failed', error },
    ],
    ['has its latest text', [{ kind: 'content-complete', content: 'a' }], { status: null, text: 'a' }],
    [
      'that is complete keeps its text',
      [{ kind: 'content-complete', content: 'a' }, { kind: 'task-complete' }],
      { status: 'completed', text: 'a' },
    ],
    [
      'that is complete has its result',
      [{ kind: 'task-complete', content: 'b' }],
      { status: 'completed', text: 'b' },
    ],
    [
      'that has ended stays as it is',
      [
        { kind: 'task-status', status: 'canceled' },
        { kind: 'content-complete', content: 'late' },
        { kind: 'task-status', status: 'working' },
      ],
      { status: 'canceled' },
    ],
  ])('%s', (_, events, expected) => {
    const chunks = chunksOf(7, announced, ...events.map((event) => ({ ...event, ...subtask })))
    const last = chunks.findLast(({ type }) => type === 'data-subtask')
    expect(last).toStrictEqual({ type: 'data-subtask', id: 's', data: { ...shown, ...expected } })
  })
})

describe('a task that is canceled', () => {
  it.each<[5 | 6 | 7, object, object]>([
    [5, { message: 'Stopped.' }, {}],
    [6, { message: 'Stopped.' }, { reason: 'Stopped.' }],
    [7, { metadata: { reason: 'user' } }, { reason: 'user' }],
    [7, {}, {}],
  ])('aborts the message with the reason, in version %i: %j', (version, more, expected) => {
    const chunks = chunksOf(version, { kind: 'task-status', status: 'canceled', ...more })
    expect(chunks.find(({ type }) => type === 'abort')).toStrictEqual({ type: 'abort', ...expected })
  })
})

it('the result that joins open texts is the whole of none', () => {
  const delta = { kind: 'content-delta', index: 0 }
  const texts = [
    { ...delta, delta: 'a' },
    { ...delta, contentId: 'x', delta: 'b' },
  ]
  const chunks = chunksOf(7, ...texts, { kind: 'task-complete', content: 'ab' })
  const sent = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []))
  expect(sent).toEqual(['a', 'b'])
})

describe('the state', () => {
  it('holds at most twice 1024 artifacts', () => {
    const machine = toUiMessageStream() as never
    const inputOf = (i: number): ContextAnyEvent =>
      ({ ...place, kind: 'data-write', artifactId: `a${i}`, data: {}, version: 1 }) as ContextAnyEvent
    expect(inputsUntilEvicted(machine, inputOf)).toBe(2 * 1024 + 1)
  })

  it('stays in proportion to a large artifact that changes often', () => {
    const machine = toUiMessageStream()
    const list = Array.from({ length: 1000 }, () => 'x'.repeat(400))
    const change = { type: 'merge-patch', patch: { note: 'y'.repeat(400) } }
    let { state } = machine.step(machine.initial, created)
    const events = [
      { kind: 'data-write', artifactId: 'a', data: { list }, version: 1 },
      ...Array.from({ length: 3000 }, (_, i) => ({
        ...{ kind: 'artifact-delta', artifactId: 'a', baseVersion: i + 1, version: i + 2, change },
      })),
    ]
    for (const event of events) state = machine.step(state, { ...place, ...event } as ContextAnyEvent).state
    expect(JSON.stringify(state).length).toBeLessThan(3 * JSON.stringify(list).length)
  })
})
