// Tests that the cost of a delta does not grow with the view.
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { foldEvent, type View } from '../../../src/streams/index.ts'
import { fold } from '../verify/support.ts'
import { created, events, file, record } from './support.ts'

describe('cost', () => {
  /** The number of properties and items in the objects and arrays that are new in the second view. */
  function newProperties(before: View, after: View): number {
    const known = new Set<unknown>()
    const remember = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || known.has(value)) return
      known.add(value)
      Object.values(value).forEach(remember)
    }
    const count = (value: unknown): number => {
      if (typeof value !== 'object' || value === null || known.has(value)) return 0
      const inner = Object.values(value)
      return inner.length + inner.reduce<number>((sum, one) => sum + count(one), 0)
    }
    remember(before)
    return count(after)
  }

  const messages = (from: number, to: number): ContextAnyEvent[] =>
    Array.from({ length: to - from }, (_, n) => from + n).flatMap((n) =>
      events(
        { kind: 'task-created', taskId: `t${n}`, initiator: 'user' },
        { kind: 'content-complete', taskId: `t${n}`, content: 'hello' },
        { kind: 'content-complete', content: 'hello' },
        {
          kind: 'thought-stream',
          thoughtId: `h${n}`,
          thoughtType: 'planning',
          verbosity: 'brief',
          content: '',
          index: n,
        },
        { kind: 'tool-start', toolCallId: `c${n}`, toolName: 't', arguments: {} },
        { kind: 'tool-complete', toolCallId: `c${n}`, toolName: 't', success: true },
        record({}, { artifactId: `a${n}` }),
      ),
    )

  const open = events(
    created,
    { kind: 'content-delta', delta: 'a', index: 0 },
    { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'a', index: 0 },
    file('a', 0, false),
    file('YQ==', 0, false, { artifactId: 'b', encoding: 'base64' }),
    { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 0, complete: false },
  )
  const deltas = events(
    { kind: 'content-delta', delta: 'b', index: 1 },
    { kind: 'thought-delta', thoughtId: 'h', delta: 'b', index: 1 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'b', index: 1 },
    file('b', 1, false),
    file('YQ==', 1, false, { artifactId: 'b' }),
    { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 1, complete: false },
  )

  it.each(deltas)('a $kind copies only a few nodes of 32 after 2000 messages', (delta) => {
    const few = fold(open)
    const many = fold(open, fold(messages(0, 2000)))
    const afterwards = fold(messages(2000, 2040), many)
    const minimum = newProperties(few, foldEvent(few, delta))
    expect(newProperties(many, foldEvent(many, delta))).toBeLessThan(minimum + 300)
    expect(newProperties(afterwards, foldEvent(afterwards, delta))).toBeLessThan(minimum + 300)
  })
})
