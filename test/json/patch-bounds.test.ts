// Proves that no series of patches makes a value too deep or too large, and that its measured extent is exact.

import fc from 'fast-check'
import { applyJsonPatch, applyMergePatch, type Patched } from 'turnstream/json'
import { describe, expect, it } from 'vitest'
import { extentOf, MAX_RESULT_DEPTH, MAX_RESULT_SIZE } from '../../src/json/extent.ts'
import { mergeOwned } from '../../src/json/merge-patch.ts'
import { runs } from '../support/runs.ts'
import { document, type Operation, operation, type Patch } from './support.ts'

/** Applies each operation for which it is possible, with its own patch. */
function appliedSingly(
  start: unknown,
  operations: readonly Operation[],
): [value: unknown, applied: Operation[]] {
  let value = start
  const applied: Operation[] = []
  for (const each of operations) {
    const patched = applyJsonPatch(structuredClone(value), [each])
    if (!patched.ok) continue
    value = patched.value
    applied.push(each)
  }
  return [value, applied]
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

/** The bounds that a caller can see: what `JSON.stringify` makes of a value. */
function isBounded(value: unknown): boolean {
  const depth = (each: unknown): number =>
    typeof each === 'object' && each !== null ? 1 + Math.max(0, ...Object.values(each).map(depth)) : 0
  return depth(value) <= 500 && JSON.stringify(value).length <= 2 * MAX_RESULT_SIZE
}

describe('a patch of many operations', () => {
  it('equals patches of one operation each, mutates nothing and measures exactly', () => {
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 12 }), (start, operations) => {
        const [value, applied] = appliedSingly(start, operations)
        const patched = applyJsonPatch(freeze(structuredClone(start)), freeze(applied))
        expect(JSON.stringify(patched)).toBe(JSON.stringify({ ok: true, value }))
        if (patched.ok) expect(extentOf(patched.value)).toEqual(extentOf(structuredClone(value)))
      }),
      { numRuns: runs(1500) },
    )
  })

  it('leaves earlier results as they are', () => {
    fc.assert(
      fc.property(
        document,
        fc.array(fc.array(operation, { maxLength: 3 }), { maxLength: 6 }),
        (start, patches) => {
          let value: unknown = start
          const kept: [value: unknown, text: string][] = []
          for (const patch of patches) {
            kept.push([value, JSON.stringify(value)])
            const patched = applyJsonPatch(value, patch)
            if (patched.ok) value = patched.value
            expect(extentOf(value)).toEqual(extentOf(structuredClone(value)))
          }
          expect(kept.map(([each]) => JSON.stringify(each))).toEqual(kept.map(([, text]) => text))
        },
      ),
      { numRuns: runs(700) },
    )
  })
})

describe('a merge patch', () => {
  /** RFC 7396, section 2. */
  function mergeOf(target: unknown, patch: unknown): unknown {
    if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
    const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
    const result = new Map<string, unknown>(isObject ? Object.entries(target) : [])
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) result.delete(name)
      else result.set(name, mergeOf(result.get(name), value))
    }
    return Object.fromEntries(result)
  }

  it('gives what its RFC defines, and measures exactly', () => {
    fc.assert(
      fc.property(document, fc.array(document, { maxLength: 4 }), (start, patches) => {
        let value: unknown = start
        for (const patch of patches) {
          const patched = applyMergePatch(freeze(value), freeze(patch))
          const expected = mergeOf(value, patch)
          expect(JSON.stringify(patched)).toBe(JSON.stringify({ ok: true, value: expected }))
          value = (patched as { value: unknown }).value
          expect(extentOf(value)).toEqual(extentOf(structuredClone(value)))
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})

describe('a bomb over many patches', () => {
  /** Applies patches until one fails. */
  function explode(
    start: unknown,
    patches: Iterable<Patch>,
  ): { failure: Patched | undefined; value: unknown } {
    let value = start
    for (const patch of patches) {
      const patched = applyJsonPatch(value, patch)
      if (!patched.ok) return { failure: patched, value }
      value = patched.value
    }
    return { failure: undefined, value }
  }

  function* repeat(patch: Patch, times: number): Generator<Patch> {
    for (let i = 0; i < times; i++) yield patch
  }

  it.each<[string, unknown, Patch, string]>([
    [
      'that copies itself',
      { a: ['x'.repeat(1000)] },
      [{ op: 'copy', from: '/a', path: '/a/-' }],
      'too-large',
    ],
    [
      'that copies itself often in one patch',
      { a: ['x'.repeat(1000)] },
      Array.from({ length: 30 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }) as const),
      'too-large',
    ],
    ['that copies the document', { a: 'x' }, [{ op: 'copy', from: '', path: '/b' }], 'too-deep'],
    [
      'that moves itself down',
      { a: {} },
      [
        { op: 'add', path: '/b', value: {} },
        { op: 'move', from: '/a', path: '/b/a' },
        { op: 'move', from: '/b', path: '/a' },
      ],
      'too-deep',
    ],
    ['that adds text', { a: [] }, [{ op: 'add', path: '/a/-', value: 'x'.repeat(2 ** 20) }], 'too-large'],
  ])('%s fails with a code', (_, start, patch, code) => {
    const { failure, value } = explode(start, repeat(patch, 20_000))
    expect(failure).toMatchObject({ ok: false, code })
    expect(isBounded(value)).toBe(true)
  })

  it('of merge patches fails with a code', () => {
    let large: Patched = applyMergePatch({}, {})
    for (let i = 0; large.ok && i < 20; i++)
      large = applyMergePatch(large.value, { [i]: 'x'.repeat(2 ** 20) })
    expect(large).toEqual({ ok: false, code: 'too-large' })
    const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`)
    expect(applyMergePatch({}, nested(MAX_RESULT_DEPTH - 1))).toMatchObject({ ok: true })
    expect(applyMergePatch({}, nested(MAX_RESULT_DEPTH))).toEqual({ ok: false, code: 'too-deep' })
    expect(applyMergePatch(nested(MAX_RESULT_DEPTH), { b: 1 })).toEqual({ ok: false, code: 'too-deep' })
  })

  describe('in an object of too many members', () => {
    const wide = (count: number): Record<string, number> =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))
    const most = { a: wide(10_000), b: { c: 0 }, 'k-1': 0 }
    const over = { a: wide(10_001), b: { c: 0 } }
    const tooLarge = { ok: false, code: 'too-large' }

    it.each<[string, Patch]>([
      ['add', [{ op: 'add', path: '/a/new', value: 0 }]],
      ['copy', [{ op: 'copy', from: '/b', path: '/a/new' }]],
      ['move', [{ op: 'move', from: '/b/c', path: '/a/new' }]],
    ])('fails: %s', (_, patch) => {
      expect(applyJsonPatch(most, patch)).toEqual({ ...tooLarge, operation: 0 })
      const [first] = patch
      const remove = { op: 'remove', path: '/a/k0' } as const
      expect(applyJsonPatch(most, [remove, ...patch])).toMatchObject({ ok: true })
      expect(applyJsonPatch(over, [{ ...first, path: '/a/k0' } as typeof remove])).toMatchObject(tooLarge)
      expect(applyJsonPatch(over, [remove])).toMatchObject(tooLarge)
      expect(applyJsonPatch(over, [{ op: 'replace', path: '/a', value: {} }])).toMatchObject({ ok: true })
      expect(applyJsonPatch({ in: over.a }, [{ op: 'remove', path: '/in' }])).toMatchObject({ ok: true })
    })

    it.each<[string, Record<string, unknown>]>([
      ['a new member', { a: { new: 0 } }],
      ['a member within a new one', { a: { new: { x: 0 } } }],
      ['a new object', { new: wide(10_001) }],
    ])('fails: merging %s', (_, patch) => {
      const owned = new WeakSet<object>()
      const first = mergeOwned(most, { a: { k0: 1 } }, owned)
      const value = first.ok ? first.value : undefined
      expect(mergeOwned(value, { b: 1, ...patch }, owned)).toEqual(tooLarge)
      expect(value).toEqual({ ...most, a: { ...most.a, k0: 1 } })
      expect(applyMergePatch(over, { a: { k0: null } })).toEqual(tooLarge)
      expect(applyMergePatch(over, { a: null })).toEqual({ ok: true, value: { b: { c: 0 } } })
      const merged = applyMergePatch(most, { a: { k0: null, new: { x: 0 } } })
      expect(merged).toMatchObject({ ok: true })
    })
  })

  it('that copies and removes for ever fails with a code', () => {
    const start = { a: 'x'.repeat(2 ** 20) }
    const cycle: Patch = [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'remove', path: '/b' },
    ]
    const patch = Array.from({ length: 50 }, () => cycle).flat()
    expect(applyJsonPatch(start, patch)).toMatchObject({ ok: false, code: 'too-large' })
    expect(explode(start, repeat(cycle, 50)).failure).toBe(undefined)
  })

  it('may shrink again', () => {
    const deep = { a: JSON.parse(`${'['.repeat(490)}${']'.repeat(490)}`) as unknown, b: {} }
    const within = '/c'.repeat(20)
    const add = Array.from(
      { length: 20 },
      (_, i) => ({ op: 'add', path: `/b${'/c'.repeat(i + 1)}`, value: {} }) as const,
    )
    const prepared = applyJsonPatch(deep, add)
    expect(prepared.ok).toBe(true)
    const value = prepared.ok ? prepared.value : undefined
    const move = { op: 'move', from: '/a', path: `/b${within}/a` } as const
    expect(applyJsonPatch(value, [move])).toMatchObject({ code: 'too-deep' })
    expect(applyJsonPatch(value, [{ op: 'remove', path: `/a${'/0'.repeat(100)}` }, move])).toMatchObject({
      ok: true,
    })
  })
})

describe('a small patch of a large record', () => {
  /** A record that counts how often its members are listed, as measuring and copying it do. */
  function counting(record: Record<string, unknown>): {
    record: Record<string, unknown>
    count: () => number
  } {
    let count = 0
    const proxy = new Proxy(record, {
      ownKeys(target) {
        count++
        return Reflect.ownKeys(target)
      },
    })
    return { record: proxy, count: () => count }
  }

  it('does not look at what it does not touch', () => {
    const large = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`key ${i}`, { value: 'x'.repeat(100) }]),
    )
    const { record, count } = counting(large)
    let value: unknown = { record, touched: { n: 0 } }
    const first = applyMergePatch(value, { touched: { n: 1 } })
    value = first.ok ? first.value : undefined
    const before = count()
    for (let n = 0; n < 100; n++) {
      const merged = applyMergePatch(value, { touched: { n, more: { n } } })
      expect(merged.ok).toBe(true)
      const patched = applyJsonPatch(merged.ok && merged.value, [
        { op: 'replace', path: '/touched/n', value: [n] },
        { op: 'add', path: `/touched/${n}`, value: {} },
        { op: 'remove', path: '/touched/n' },
      ])
      expect(patched.ok).toBe(true)
      expect(applyJsonPatch(value, [{ op: 'test', path: '/record', value: {} }])).toMatchObject({
        code: 'test-failed',
      })
      value = patched.ok ? patched.value : undefined
    }
    expect(count() - before).toBe(0)
  })
})
