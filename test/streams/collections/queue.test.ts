// The persistent queue against an array.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dequeue,
  emptyQueue,
  enqueue,
  peek,
  type Queue,
  queueItems,
  queueSize,
} from '../../../src/streams/collections/queue.ts'
import { runs } from '../../support/runs.ts'

describe('queue', () => {
  it('behaves like an array at any length', () => {
    const action = fc.oneof(
      fc.record({ push: fc.integer({ min: 1, max: 3000 }) }),
      fc.record({ shift: fc.integer({ min: 1, max: 3000 }) }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 8 }), fc.nat(6000), (actions, from) => {
        let queue: Queue<number> = emptyQueue
        let model: number[] = []
        let next = 0
        for (const step of actions) {
          if ('push' in step) {
            for (let i = 0; i < step.push; i++) {
              queue = enqueue(queue, next)
              model.push(next++)
            }
          } else {
            const count = Math.min(step.shift, model.length)
            for (let i = 0; i < count; i++) queue = dequeue(queue)
            model = model.slice(count)
          }
          expect(queueSize(queue)).toBe(model.length)
          expect(peek(queue)).toBe(model[0])
          expect(queueItems(queue, from)).toEqual(model.slice(from))
        }
        expect(queueItems(JSON.parse(JSON.stringify(queue)), 0)).toEqual(model)
        expect(dequeue(emptyQueue)).toEqual(emptyQueue)
      }),
      { numRuns: Math.min(runs(60), 1000) },
    )
  })

  it('shares all but one block of each level with the previous queue', () => {
    let queue: Queue<number> = emptyQueue
    for (let i = 0; i < 40_000; i++) queue = enqueue(queue, i)
    const before = arraysIn(queue)
    const after = [...arraysIn(enqueue(queue, 1))].filter((array) => !before.has(array))
    expect(after.length).toBeLessThanOrEqual(8)
    const rest = [...arraysIn(dequeue(queue))].filter((array) => !before.has(array))
    expect(rest.length).toBeLessThanOrEqual(8)
  })
})

/** All arrays within a value. */
function arraysIn(value: unknown, found: Set<unknown> = new Set()): Set<unknown> {
  if (typeof value !== 'object' || value === null) return found
  if (Array.isArray(value)) found.add(value)
  for (const inner of Object.values(value)) arraysIn(inner, found)
  return found
}
