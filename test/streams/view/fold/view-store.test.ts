// Tests views that change: equal to the pure fold, and safe for listeners that push.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ContextAnyEvent, UnknownEvent } from '../../../../src/index.ts'
import { createViewStore, emptyView, foldEvents, type View } from '../../../../src/streams/index.ts'
import { runs } from '../../../support/runs.ts'
import { deltaStreams, fold, strayStreams } from '../../verify/support.ts'
import { created, events, labelled } from '../support.ts'

const anyStream = labelled(fc.oneof(deltaStreams, strayStreams))

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(freeze)
  }
  return value
}

describe('createViewStore', () => {
  it('has the view of the pure fold after every push, and never changes one that it gave', () => {
    const batches = fc.array(fc.record({ size: fc.nat(8), isRead: fc.boolean() }), { minLength: 1 })
    fc.assert(
      fc.property(anyStream, fc.nat(20), batches, (stream, start, sizes) => {
        const first = freeze(foldEvents(emptyView, stream.slice(0, start)))
        const store = createViewStore(first)
        let pure: View = first
        let at = start
        for (let n = 0; at < stream.length; n++) {
          const { size, isRead } = sizes[n % sizes.length] ?? { size: 1, isRead: true }
          const batch = stream.slice(at, at + size + 1)
          at += batch.length
          store.push(batch)
          pure = fold(batch, pure)
          if (isRead) expect(freeze(store.getSnapshot())).toEqual(pure)
        }
        expect(store.getSnapshot()).toEqual(pure)
      }),
      { numRuns: runs(300) },
    )
  })

  it('keeps the objects that have not changed', () => {
    const store = createViewStore()
    store.push(events(created, { ...created, taskId: 'other' }, { kind: 'content-complete', content: 'a' }))
    const before = store.getSnapshot()
    store.push(events({ kind: 'content-delta', delta: 'b', index: 0 }))
    const after = store.getSnapshot()
    expect(after.tasks[0]).not.toBe(before.tasks[0])
    expect(after.tasks[0]?.parts[0]).toBe(before.tasks[0]?.parts[0])
    expect(after.tasks[1]).toBe(before.tasks[1])
    expect(after.artifacts).toBe(before.artifacts)
  })

  it('gives the same snapshot until the view changes', () => {
    const view = fold([created])
    const store = createViewStore(view)
    const listener = vi.fn()
    store.subscribe(listener)
    expect(store.getSnapshot()).toBe(view)
    store.push([])
    store.push([
      { ...created, kind: 'later' },
      { ...created, kind: 'internal:checkpoint' },
    ] as UnknownEvent[])
    expect(store.getSnapshot()).toBe(view)
    expect(listener).not.toHaveBeenCalled()
    store.push([created])
    expect(store.getSnapshot()).not.toBe(view)
    expect(store.getSnapshot()).toBe(store.getSnapshot())
    expect(listener).toHaveBeenCalledOnce()
    expect(createViewStore().getSnapshot()).toBe(emptyView)
  })

  it('throws a TypeError for events and listeners that are none', () => {
    const message = '"events" must be an iterable, got 5.'
    expect(() => createViewStore().push(5 as never)).toThrow(new TypeError(message))
    expect(() => foldEvents(emptyView, 5 as never)).toThrow(new TypeError(message))
    expect(() => createViewStore().subscribe(5 as never)).toThrow(
      new TypeError('"listener" must be a function, got 5.'),
    )
  })

  it('calls a listener once per push and subscription, until that ends', () => {
    const store = createViewStore()
    const listener = vi.fn()
    const end = store.subscribe(listener)
    store.subscribe(listener)
    store.push([created, created])
    expect(listener).toHaveBeenCalledTimes(2)
    end()
    end()
    store.push([created])
    expect(listener).toHaveBeenCalledTimes(3)
  })

  it('lets listeners push, subscribe and unsubscribe', () => {
    const store = createViewStore()
    const seen: string[] = []
    const countOf = (): number => store.getSnapshot().tasks.length
    let endLast = (): void => {}
    store.subscribe(() => {
      seen.push(`first ${countOf()}`)
      if (countOf() === 1) store.push([{ ...created, taskId: 'other' }])
      if (countOf() === 2) endLast()
    })
    endLast = store.subscribe(() => seen.push('last'))
    const endSecond = store.subscribe(() => {
      seen.push(`second ${countOf()}`)
      endSecond()
    })
    store.push([created])
    expect(seen).toEqual(['first 1', 'first 2', 'second 2'])
  })

  it('calls all listeners, and throws what the first failing one threw', () => {
    const store = createViewStore()
    const listener = vi.fn()
    for (const n of [1, 2]) {
      store.subscribe(() => {
        throw new Error(`listener ${n}`)
      })
    }
    store.subscribe(listener)
    expect(() => store.push([created])).toThrow('listener 1')
    expect(listener).toHaveBeenCalledOnce()
    expect(store.getSnapshot()).toEqual(fold([created]))
  })

  it('keeps the events before an iterable throws, and those pushed while it runs', () => {
    const store = createViewStore()
    const listener = vi.fn()
    store.subscribe(listener)
    function* failing(): Generator<ContextAnyEvent> {
      yield created
      store.push([{ ...created, taskId: 'inner' }])
      expect(store.getSnapshot().tasks).toHaveLength(2)
      yield { ...created, taskId: 'outer' }
      throw new Error('lost')
    }
    expect(() => store.push(failing())).toThrow('lost')
    expect(store.getSnapshot().tasks.map(({ taskId }) => taskId)).toEqual(['task', 'inner', 'outer'])
    expect(listener).toHaveBeenCalledTimes(2)
  })
})
