// Tests the order of the parts of several tasks.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyView, foldEvents, snapshotEvents } from '../../../../src/streams/index.ts'
import { type Step, stepsOf } from '../../../../src/streams/view/snapshot/order.ts'
import { runs } from '../../../support/runs.ts'
import { errorsIn, soundStreams, strayStreams } from '../../verify/support.ts'
import { created, events, file } from '../support.ts'

const shared = soundStreams({ maxChoices: 40, sharedArtifacts: true, focus: 'artifacts' })
const nested = soundStreams({ maxChoices: 40, focus: 'subtasks' })

it('begins each task once, and then has each of its parts once, in order', () => {
  fc.assert(
    fc.property(fc.oneof(shared, strayStreams), (stream) => {
      const view = foldEvents(emptyView, stream)
      const steps = stepsOf(view)
      const byTask = steps.toSorted((a, b) => a.task - b.task)
      const expected = view.tasks.flatMap(({ parts }, task): Step[] =>
        [-1, ...parts.keys()].map((part) => ({ task, part })),
      )
      expect(byTask).toEqual(expected)
      const begun = steps.filter(({ part }) => part === -1).map(({ task }) => task)
      expect(begun).toEqual([...view.tasks.keys()])
    }),
    { numRuns: runs(200) },
  )
})

it('has the last writer of each artifact last, also if two tasks write the last parts of each other', () => {
  const other = { taskId: 'other', parentTaskId: 'task' }
  const stream = events(
    created,
    file('a', 0, false, { artifactId: 'x' }),
    file('a', 0, false, { artifactId: 'y' }),
    { kind: 'task-created', ...other, initiator: 'agent' },
    file('b', 1, false, { artifactId: 'x', ...other }),
    file('c', 2, false, { artifactId: 'x' }),
    file('b', 1, false, { artifactId: 'y', ...other }),
  )
  const view = foldEvents(emptyView, stream)
  expect(stepsOf(view)).toEqual([
    { task: 0, part: -1 },
    { task: 1, part: -1 },
    { task: 1, part: 0 },
    { task: 0, part: 0 },
    { task: 0, part: 1 },
    { task: 1, part: 1 },
  ])
  const rules = (list: typeof stream): string[] => errorsIn(list).map(({ rule }) => rule)
  expect(rules(snapshotEvents(view)).sort()).toEqual(rules(stream).sort())
})

it('goes through tasks that no event created, and through artifacts that only their views name', () => {
  const view = foldEvents(emptyView, events(file('a', 0, true), { ...created, taskId: 'other' }))
  const alone = { ...view, tasks: view.tasks.map((task) => ({ ...task, parts: [] })) }
  expect(stepsOf(alone)).toEqual([
    { task: 0, part: -1 },
    { task: 1, part: -1 },
  ])
})

it('names artifacts in the order of the view, also if a second write is deferred after the first was released', () => {
  const ids = { contextId: 'c', timestamp: '2026-01-31T10:30:00Z' }
  const root = { ...ids, taskId: 't' }
  const sub = { ...ids, taskId: 's', parentTaskId: 't', path: ['s'] }
  const rows = { kind: 'dataset-write', index: 0, ...root } as const
  const file = { kind: 'file-write', artifactId: 'b', data: '' } as const
  const view = foldEvents(emptyView, [
    { kind: 'task-created', initiator: 'agent', ...root },
    { ...rows, artifactId: 'a', rows: [], complete: true },
    { kind: 'subtask-created', subtaskId: 's', prompt: '', ...root },
    { kind: 'task-created', initiator: 'agent', ...sub },
    { ...file, index: 0, complete: false, ...sub },
    {
      ...{ kind: 'artifact-delta', artifactId: 'a', baseVersion: 1, version: 2, ...sub },
      change: { type: 'rows-append', rows: [{}] },
    },
    { ...rows, artifactId: 'c', rows: [], complete: false },
    { ...rows, artifactId: 'a', rows: [{}], complete: false },
    { ...file, index: 1, complete: true, version: 1, ...root },
    {
      ...{ kind: 'artifact-delta', artifactId: 'b', baseVersion: 1, version: 2, ...sub },
      change: { type: 'text-append', text: '' },
    },
  ])
  const named = stepsOf(view).flatMap(({ task, part }) => {
    const found = view.tasks[task]?.parts[part]
    return found?.type === 'artifact' ? [found.artifactId] : []
  })
  expect([...new Set(named)]).toEqual(view.artifacts.map(({ artifactId }) => artifactId))
})

it('names a subtask after those that were named before, by other tasks', () => {
  const sub = (subtaskId: string, by = {}): object => ({
    ...{ kind: 'subtask-created', subtaskId, prompt: '' },
    ...by,
  })
  const byA = { taskId: 'a', parentTaskId: 'task' }
  const view = foldEvents(emptyView, events(created, sub('a'), sub('b', byA), sub('c')))
  const steps = stepsOf(view).map(({ task, part }) => `${view.tasks[task]?.taskId} ${part}`)
  expect(steps).toEqual(['task -1', 'task 0', 'a -1', 'a 0', 'b -1', 'task 1', 'c -1'])
})

it('names tasks and artifacts in the order of the view of any legal stream', () => {
  fc.assert(
    fc.property(fc.oneof(shared, nested), (stream) => {
      const view = foldEvents(emptyView, stream)
      const steps = stepsOf(view)
      const artifacts = steps.flatMap(({ task, part }) => {
        const found = view.tasks[task]?.parts[part]
        return found?.type === 'artifact' ? [`${view.tasks[task]?.contextId} ${found.artifactId}`] : []
      })
      const inView = view.artifacts.map(({ contextId, artifactId }) => `${contextId} ${artifactId}`)
      expect([...new Set(artifacts)]).toEqual(inView)
      const tasks = steps.map(({ task, part }) => {
        const found = view.tasks[task]?.parts[part]
        return found?.type === 'subtask' ? found.subtaskId : view.tasks[task]?.taskId
      })
      expect([...new Set(tasks)]).toEqual(view.tasks.map(({ taskId }) => taskId))
    }),
    { numRuns: runs(300) },
  )
})
