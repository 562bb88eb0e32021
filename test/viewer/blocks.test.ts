// Proves that the view is shown as its parts are, and that an event leads to what it changed.
import { emptyView, foldEvent } from 'agentwire/streams'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blocksOf, changedBy, MAX_PARTS } from '../../src/viewer/model/blocks.ts'
import { legalStreams } from '../support/legal-streams.ts'

it('an event leads to the part it changed: one that was not in the view before', () => {
  fc.assert(
    fc.property(legalStreams({ internal: false }), (events) => {
      let view = emptyView
      for (const event of events) {
        const before = view
        view = foldEvent(before, event)
        const source = changedBy(view, event)
        const sources = blocksOf(view).map((block) => block.source)
        expect(sources).toContain(source)
        // Parts that an event leaves as they are, such as by an empty delta, are the same; the task has its time.
        const changed = sources.filter((each) => !blocksOf(before).some((block) => block.source === each))
        if (changed.length === 2 && event.kind !== 'task-status') expect(changed).toContain(source)
      }
    }),
  )
})

it('the blocks are the tasks and their parts, in order', () => {
  fc.assert(
    fc.property(legalStreams(), (events) => {
      const view = events.reduce(foldEvent, emptyView)
      const sources = blocksOf(view).map((block) => block.source)
      const expected = view.tasks.flatMap((task) => [task, ...task.parts.slice(-MAX_PARTS)])
      expect(sources.filter((source) => typeof source !== 'string')).toEqual(expected)
    }),
  )
})

it('parts beyond the limit are counted', () => {
  const timestamp = '2026-01-01T00:00:00Z'
  const event = { contextId: 'c', taskId: 't', timestamp, kind: 'custom', data: null } as const
  let view = emptyView
  for (let i = 0; i < MAX_PARTS + 5; i++)
    view = foldEvent(view, { ...event, name: 'acme.x', customId: `${i}` })
  const [task, hidden, ...parts] = blocksOf(view)
  expect(task?.family).toBe('task')
  expect(hidden?.source).toBe('5 earlier parts not shown')
  expect(parts).toHaveLength(MAX_PARTS)
})
