// The example of docs/streams/snapshots.md gives each viewer the state it may see.
import type { ContextAnyEvent } from 'turnstream'
import { emptyView, foldEvents } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { createSnapshots } from '../../examples/docs/snapshot.ts'

it('gives a late joiner the state of the stream, as far as it may see it', () => {
  const context = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00Z' }
  const deltas = ['It ', 'is ', 'sunny.'].map(
    (delta, index): ContextAnyEvent => ({ kind: 'content-delta', ...context, delta, index }),
  )
  const secret = {
    kind: 'custom',
    ...context,
    name: 'acme.cost',
    data: 7,
    metadata: { audience: ['parent'] },
  }
  const events: ContextAnyEvent[] = [
    { kind: 'task-created', ...context, initiator: 'user' },
    ...deltas,
    secret as ContextAnyEvent,
  ]
  const snapshots = createSnapshots()
  snapshots.push(events)
  const operator = snapshots.eventsFor({ audience: 'operator' })
  expect(foldEvents(emptyView, operator)).toEqual(foldEvents(emptyView, events))
  expect(operator.map(({ kind }) => kind)).toEqual(['task-created', 'content-delta', 'custom'])
  expect(snapshots.eventsFor({ audience: 'user' })).toEqual(operator.slice(0, 2))
})
