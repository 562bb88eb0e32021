// Tests records that many events change: the store equals the pure fold, and copies a record once between snapshots.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createViewStore,
  emptyView,
  foldEvent,
  foldEvents,
  type View,
} from '../../../../src/streams/index.ts'
import { complete } from '../../../../src/streams/view/fold/complete.ts'
import { reduceEvent } from '../../../../src/streams/view/fold/reduce/index.ts'
import { ViewBuilder } from '../../../../src/streams/view/fold/view-builder.ts'
import { document, operation } from '../../../json/support.ts'
import { runs } from '../../../support/runs.ts'
import { created, events, record } from '../support.ts'

const change = fc.oneof(
  fc.array(operation, { minLength: 1, maxLength: 3 }).map((patch) => ({ type: 'json-patch', patch })),
  fc
    .dictionary(fc.constantFrom('a', 'b', '__proto__'), document)
    .map((patch) => ({ type: 'merge-patch', patch })),
)

function dataOf(view: View): unknown {
  const content = view.artifacts[0]?.committed?.content
  return content?.type === 'data' ? content.data : undefined
}

describe('a record that many events change', () => {
  it('is the same in the store, in batches and event by event, and in each snapshot as it was', () => {
    const changes = fc.array(fc.record({ change, isRead: fc.boolean() }), { maxLength: 10 })
    fc.assert(
      fc.property(changes, (list) => {
        const store = createViewStore()
        const start = events(created, record({ a: {} }))
        store.push(start)
        let pure = foldEvents(emptyView, start)
        const all = [...start]
        const snapshots: [view: View, text: string][] = []
        for (const { change, isRead } of list) {
          // Only patches that apply make a version.
          const baseVersion = pure.artifacts[0]?.committed?.version ?? 0
          const delta = {
            kind: 'artifact-delta',
            artifactId: 'f',
            baseVersion,
            version: baseVersion + 1,
            change,
          }
          const [event] = events(delta)
          if (event === undefined) continue
          all.push(event)
          store.push([event])
          pure = foldEvent(pure, event)
          if (!isRead) continue
          const snapshot = store.getSnapshot()
          snapshots.push([snapshot, JSON.stringify(snapshot)])
          expect(JSON.stringify(snapshot)).toBe(JSON.stringify(pure))
        }
        expect(JSON.stringify(store.getSnapshot())).toBe(JSON.stringify(pure))
        expect(JSON.stringify(foldEvents(emptyView, all))).toBe(JSON.stringify(pure))
        expect(snapshots.map(([view]) => JSON.stringify(view))).toEqual(snapshots.map(([, text]) => text))
      }),
      { numRuns: runs(500) },
    )
  })

  it.each([
    [
      'JSON patches',
      (n: number) => ({ type: 'json-patch', patch: [{ op: 'add', path: `/k${n}`, value: n }] }),
    ],
    ['merge patches', (n: number) => ({ type: 'merge-patch', patch: { [`k${n}`]: n } })],
  ])('is copied once by %s between two snapshots', (_, patch) => {
    const builder = new ViewBuilder(emptyView, complete)
    const delta = (n: number): void => {
      const change = patch(n)
      const [event] = events({
        kind: 'artifact-delta',
        artifactId: 'f',
        baseVersion: n,
        version: n + 1,
        change,
      })
      if (event !== undefined) reduceEvent(builder, event)
    }
    for (const event of events(created, record({}))) reduceEvent(builder, event)
    const before = dataOf(builder.snapshot())
    delta(1)
    const copy = dataOf(builder.snapshot())
    const records = new Set<unknown>()
    for (let n = 2; n < 100; n++) {
      delta(n)
      const content = builder.artifact('f')?.committed?.content
      records.add(content?.type === 'data' ? content.data : undefined)
    }
    expect(records.size).toBe(1)
    expect(records.has(copy)).toBe(false)
    expect(before).toEqual({})
    expect(copy).toEqual({ k1: 1 })
    expect(Object.keys(dataOf(builder.snapshot()) as object)).toHaveLength(99)
  })
})
