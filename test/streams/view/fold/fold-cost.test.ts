// Tests what an event costs: how much is copied, and how much is read to find a part.
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../../src/index.ts'
import {
  createViewStore,
  emptyView,
  foldEvent,
  foldEvents,
  type View,
} from '../../../../src/streams/index.ts'
import { complete } from '../../../../src/streams/view/fold/complete.ts'
import { ViewBuilder } from '../../../../src/streams/view/fold/view-builder.ts'
import { fold } from '../../verify/support.ts'
import { created, events, file, record } from '../support.ts'

const messages = (from: number, to: number): ContextAnyEvent[] =>
  Array.from({ length: to - from }, (_, n) => from + n).flatMap((n) =>
    events(
      { kind: 'task-created', taskId: `t${n}`, initiator: 'user' },
      { kind: 'content-complete', taskId: `t${n}`, content: 'hello' },
      { kind: 'content-complete', content: 'hello' },
      { kind: 'tool-start', toolCallId: `c${n}`, toolName: 't', arguments: {} },
      { kind: 'tool-complete', toolCallId: `c${n}`, toolName: 't', success: true },
      record({}, { artifactId: `a${n}` }),
    ),
  )

/** The objects and arrays that are new in the second view. */
function newObjects(before: View, after: View): object[] {
  const known = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || known.has(value)) return
    known.add(value)
    Object.values(value).forEach(visit)
  }
  visit(before)
  const old = new Set(known)
  visit(after)
  return [...known].filter((value) => !old.has(value)) as object[]
}

describe('what an event copies', () => {
  const open = events(
    created,
    { kind: 'content-delta', contentId: 'x', delta: 'a', index: 0 },
    { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: '{"a', index: 0 },
    file('a', 0, false),
    file('YQ==', 0, false, { artifactId: 'b', encoding: 'base64' }),
    { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 0, complete: false },
  )
  const deltas = events(
    { kind: 'content-delta', contentId: 'x', delta: 'b', index: 1 },
    { kind: 'thought-delta', thoughtId: 'h', delta: 'b', index: 1 },
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: 'b', index: 1 },
    file('b', 1, false),
    file('YQ==', 1, false, { artifactId: 'b' }),
    { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 1, complete: false },
  )

  it.each(deltas)('is for a $kind the same number of objects in a large view', (delta) => {
    const few = fold(open)
    const many = foldEvents(few, messages(0, 2000))
    const count = newObjects(few, foldEvent(few, delta)).length
    expect(newObjects(many, foldEvent(many, delta))).toHaveLength(count)
    const store = createViewStore(many)
    store.push([delta])
    expect(newObjects(many, store.getSnapshot())).toHaveLength(count)
  })
})

describe('what is read to find parts', () => {
  const size = 3000

  /** A view with `size` open calls and texts that counts how often their ids are read. */
  function counted(): { view: View; reads: () => number } {
    const calls = Array.from({ length: size }, (_, n) => [
      { kind: 'tool-start', toolCallId: `c${n}`, toolName: 't', arguments: {} },
      { kind: 'content-delta', contentId: `x${n}`, delta: 'a', index: 0 },
    ])
    const view = foldEvents(fold([created]), events(...calls.flat()))
    let count = 0
    for (const part of view.tasks[0]?.parts ?? []) {
      const { type } = part
      Object.defineProperty(part, 'type', {
        enumerable: true,
        get: () => {
          count++
          return type
        },
      })
    }
    return { view, reads: () => count }
  }

  const everyOther = (make: (n: number) => object): ContextAnyEvent[] =>
    events(...Array.from({ length: size }, (_, n) => make(n)))

  const cases: Record<string, ContextAnyEvent[]> = {
    'known calls': everyOther((n) => ({ kind: 'tool-progress', toolCallId: `c${n}`, progress: 0 })),
    'new calls': everyOther((n) => ({ kind: 'tool-progress', toolCallId: `d${n}`, progress: 0 })),
    'open texts': everyOther((n) => ({ kind: 'content-delta', contentId: `x${n}`, delta: 'b', index: 1 })),
    'texts in stretches': [
      ...everyOther((n) => ({ kind: 'content-delta', contentId: `x${n}`, delta: 'b', index: 1 })),
      ...everyOther((n) => ({ kind: 'content-complete', contentId: `x${n}`, content: 'ab' })),
    ],
    'statuses after the end': everyOther(() => ({ kind: 'task-status', status: 'failed' })),
  }

  it.each(Object.entries(cases))('is linear for %s', (_, stream) => {
    const { view, reads } = counted()
    const store = createViewStore(view)
    for (const event of stream) store.push([event])
    // A scan for each event would read millions.
    expect(reads()).toBeLessThan(100 * 2 * size)
    expect(store.getSnapshot()).toEqual(foldEvents(view, stream))
  })
})

it('a builder counts the events that have changed its view', () => {
  const builder = new ViewBuilder(emptyView, complete)
  for (const event of events(created, record({}), file('a', 0, true))) builder.begin(event)
  expect(builder.changes).toBe(3)
})

describe('merging metadata', () => {
  it('copies the fields of before once, until the next snapshot', () => {
    const builder = new ViewBuilder(emptyView, complete)
    const before: object = { a: 1 }
    const merged = builder.merge(before, { b: 2 })
    expect(builder.merge(merged, { c: 3 })).toBe(merged)
    expect([before, merged]).toEqual([{ a: 1 }, { a: 1, b: 2, c: 3 }])
    for (const event of events(record({}))) builder.begin(event)
    builder.snapshot()
    expect(builder.merge(merged, { d: 4 })).not.toBe(merged)
    expect(merged).toEqual({ a: 1, b: 2, c: 3 })
  })

  it('is not needed for repeated starts of a call: the latest one counts', () => {
    const start = { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} }
    const end = { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true }
    const starts = Array.from({ length: 9 }, (_, n) => ({ ...start, metadata: { [`k${n}`]: n } }))
    const view = fold(events(...starts, { ...end, metadata: { cached: true } }))
    expect(view.tasks[0]?.parts).toEqual([expect.objectContaining({ metadata: { k8: 8, cached: true } })])
  })

  it('does not change views that were handed out, nor the metadata of rejected writes', () => {
    const store = createViewStore(fold(events(record({}, { metadata: { a: 1 } }))))
    const seen: string[] = []
    const views: View[] = []
    const writes = events(
      record({}, { metadata: { b: 2 } }),
      record({}, { metadata: { c: 3 }, version: 1 }),
      record({}, { metadata: { d: 4 }, expectedVersion: 9 }),
      file('a', 0, false, { metadata: { e: 5 } }),
      record({}, { metadata: JSON.parse('{"__proto__":6}') }),
    )
    for (const event of [...writes, ...writes]) {
      store.push([event])
      views.push(store.getSnapshot())
      seen.push(JSON.stringify(store.getSnapshot()))
    }
    expect(views.map((view) => JSON.stringify(view))).toEqual(seen)
    expect(JSON.stringify(store.getSnapshot().artifacts[0]?.metadata)).toBe('{"a":1,"b":2,"__proto__":6}')
  })
})
