// Proves that patches in place give what pure patches give, fail without a trace, and copy only once.

import fc from 'fast-check'
import { applyJsonPatch, applyMergePatch, type Patched } from 'turnstream/json'
import { describe, expect, it } from 'vitest'
import { extentOf, MAX_RESULT_SIZE } from '../../src/json/extent.ts'
import { mergeOwned } from '../../src/json/merge-patch.ts'
import { patchOwned } from '../../src/json/patch.ts'
import { runs } from '../support/runs.ts'
import { document, operation } from './support.ts'

/** A patch, and whether a snapshot is taken before it: then nothing is owned. */
const change = fc.record({
  isRead: fc.boolean(),
  patch: fc.oneof(
    fc.array(operation, { maxLength: 4 }).map((operations) => ({ type: 'json' as const, operations })),
    document.map((value) => ({ type: 'merge' as const, value })),
  ),
})
type Patch = typeof change extends fc.Arbitrary<{ patch: infer P }> ? P : never

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function inPlace(value: unknown, patch: Patch, owned: WeakSet<object>): Patched {
  return patch.type === 'json'
    ? patchOwned(value, patch.operations, owned, isObject)
    : mergeOwned(value, patch.value, owned)
}

function pure(value: unknown, patch: Patch): Patched {
  return patch.type === 'json' ? applyJsonPatch(value, patch.operations) : applyMergePatch(value, patch.value)
}

describe('patches in place', () => {
  it('give what pure patches give, in the same order, and change no snapshot', () => {
    fc.assert(
      fc.property(document, fc.array(change, { maxLength: 12 }), (start, changes) => {
        let owned = new WeakSet<object>()
        let expected: unknown = structuredClone(start)
        let actual: unknown = start
        const snapshots: [value: unknown, text: string][] = []
        const values = JSON.stringify(changes)
        for (const { isRead, patch } of changes) {
          if (isRead) {
            snapshots.push([actual, JSON.stringify(actual)])
            owned = new WeakSet()
          }
          const before = expected
          const wanted = pure(before, patch)
          const got = inPlace(actual, patch, owned)
          if (wanted.ok && isObject(wanted.value)) expected = wanted.value
          // A result that is no object is not accepted.
          if (got.ok && isObject(got.value)) actual = got.value
          expect(got.ok ? { ok: true } : got).toEqual(wanted.ok ? { ok: true } : wanted)
          expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
          expect(extentOf(actual)).toEqual(extentOf(structuredClone(expected)))
        }
        expect(snapshots.map(([value]) => JSON.stringify(value))).toEqual(snapshots.map(([, text]) => text))
        expect(JSON.stringify(changes)).toBe(values)
      }),
      { numRuns: runs(3000) },
    )
  })

  it.each<[string, Patch]>([
    ['add', { type: 'json', operations: [{ op: 'add', path: '/table/new', value: 1 }] }],
    ['replace', { type: 'json', operations: [{ op: 'replace', path: '/table/k1', value: { deep: {} } }] }],
    ['remove', { type: 'json', operations: [{ op: 'remove', path: '/table/k1' }] }],
    ['append', { type: 'json', operations: [{ op: 'add', path: '/list/-', value: 1 }] }],
    ['merge', { type: 'merge', value: { table: { new: 1, k1: null } } }],
  ])('copy what %s changes once', (_, patch) => {
    const owned = new WeakSet<object>()
    const table = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]))
    const start = { table, list: ['x'.repeat(300)] }
    const touch: Patch = { type: 'merge', value: { table: { k0: -1 }, list: [1] } }
    const first = resultOf(inPlace(start, touch, owned)) as typeof start
    const listed = resultOf(
      patchOwned(first, [{ op: 'add', path: '/list/-', value: 2 }], owned),
    ) as typeof start
    const { list } = listed
    const second = resultOf(inPlace(listed, patch, owned)) as typeof start
    expect([first === start, first.table === table]).toEqual([false, false])
    expect([second === first, second.table === first.table, second.list === list]).toEqual([true, true, true])
  })

  it('work on copies if the result may be too large', () => {
    const owned = new WeakSet<object>()
    const half = 'x'.repeat(MAX_RESULT_SIZE / 2)
    const first = resultOf(mergeOwned({ a: half }, { b: 1 }, owned)) as object
    expect(mergeOwned(first, { c: 1, b: half }, owned)).toEqual({ ok: false, code: 'too-large' })
    expect(Object.entries(first).map(([name, value]) => [name, String(value).length])).toEqual([
      ['a', half.length],
      ['b', 1],
    ])
    const replaced = resultOf(mergeOwned(first, { a: half, c: 1 }, owned)) as object
    expect(replaced).not.toBe(first)
    expect(mergeOwned(replaced, { d: 1 }, owned)).toMatchObject({ ok: true, value: replaced })
  })

  function resultOf(patched: Patched): unknown {
    if (!patched.ok) throw new Error(patched.code)
    return patched.value
  }
})
