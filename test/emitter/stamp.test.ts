// Proves that stamp adds a context and unstamp removes it.

import fc from 'fast-check'
import { type AnyEvent, decodeEvent, stamp } from 'turnstream'
import { describe, expect, it } from 'vitest'
import { unstamp } from '../../src/emitter/stamp.ts'
import { contextSchema, eventSchemas } from '../../src/events/records/schemas.ts'
import { runs } from '../support/runs.ts'
import { accepted } from '../support/zod-arbitrary.ts'

const anyBare = fc.oneof(
  ...Object.values(eventSchemas).map((schema) => accepted(schema)),
) as fc.Arbitrary<AnyEvent>
const anyContext = accepted(contextSchema) as fc.Arbitrary<{ contextId: string; taskId: string }>

describe('stamp', () => {
  it('creates a valid event and mutates nothing', () => {
    fc.assert(
      fc.property(anyBare, anyContext, (event, context) => {
        const before = structuredClone([event, context])
        const stamped = stamp(event, context)
        expect(decodeEvent(stamped).status).toBe('known')
        expect(stamped).toMatchObject({
          contextId: context.contextId,
          taskId: context.taskId,
          kind: event.kind,
        })
        expect([event, context]).toEqual(before)
      }),
      { numRuns: runs(300) },
    )
  })

  it('is reversed by unstamp', () => {
    fc.assert(
      fc.property(anyBare, anyContext, (event, context) => {
        const { parentTaskId: _kept, ...without } = context as {
          parentTaskId?: string
          contextId: string
          taskId: string
        }
        expect(unstamp(stamp(event, without))).toEqual(event)
        if (event.kind !== 'task-created') expect(unstamp(stamp(event, context))).toEqual(event)
      }),
      { numRuns: runs(300) },
    )
  })

  it('replaces an existing context', () => {
    const event = { kind: 'task-status', contextId: 'old', taskId: 'old', status: 'working', timestamp: '' }
    expect(stamp(event, { contextId: 'new', taskId: 'newer' })).toEqual({
      ...event,
      contextId: 'new',
      taskId: 'newer',
    })
  })

  it('does not share the path with the context', () => {
    const path = ['a']
    const stamped = stamp({ kind: 'x' }, { contextId: 'c', taskId: 't', path })
    path.push('b')
    expect(stamped.path).toEqual(['a'])
  })

  it.each([
    [{}],
    [{ contextId: 'c' }],
    [{ contextId: '', taskId: 't' }],
    [{ contextId: 'c', taskId: 't', path: [''] }],
  ])('rejects %j', (context) => {
    expect(() => stamp({ kind: 'x' }, context as never)).toThrow(TypeError)
  })
})

it('unstamp keeps the parentTaskId of task-created, which is also a field of the event', () => {
  const created = { kind: 'task-created', initiator: 'agent', timestamp: '' } as const
  const context = { contextId: 'c', taskId: 't', parentTaskId: 'p', path: ['x'] }
  expect(unstamp(stamp(created, context))).toEqual({ ...created, parentTaskId: 'p' })
})
