// Tests the order of the parts of several tasks.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyView, foldEvents, snapshotEvents } from '../../../../src/streams/index.ts'
import { type Step, stepsOf } from '../../../../src/streams/view/snapshot/order.ts'
import { runs } from '../../../support/runs.ts'
import { errorsIn, soundStreams, strayStreams } from '../../verify/support.ts'
import { created, events, file } from '../support.ts'

const shared = soundStreams({ maxChoices: 40, sharedArtifacts: true, focus: 'artifacts' })

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
