// Proves that any value is converted to JSON, and that every change is reported.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanJson, cleanObject } from '../../src/json/sanitize.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

function clean(value: unknown): { copy: unknown; changes: number } {
  let changes = 0
  const copy = cleanJson(value, () => {
    changes++
  })
  return { copy, changes }
}

const cyclic: unknown[] = []
cyclic.push(cyclic)

describe('a value', () => {
  it.each<[string, unknown, unknown]>([
    ['not a number', [Number.NaN, -Infinity], [null, null]],
    ['a bigint', { n: 2n ** 64n }, { n: '18446744073709551616' }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a function', { f: () => 1, x: 1 }, { x: 1 }],
    ['a symbol', Symbol('s'), undefined],
    ['an unpaired surrogate', ['a\ud83d', { b: '\udc4b' }], ['a\ufffd', { b: '\ufffd' }]],
    ['a map', new Map([[1, 2]]), {}],
    [
      'a getter that throws',
      {
        get x(): never {
          throw new Error('no')
        },
      },
      undefined,
    ],
  ])('that is %s is converted to the closest JSON', (name, value, expected) => {
    expect(clean(value).copy).toEqual(expected)
    expect(clean(value).changes > 0).toBe(name !== 'a map')
  })

  it('that is cyclic is truncated', () => {
    const { copy, changes } = clean(cyclic)
    expect(JSON.stringify(copy)).toMatch(/^\[+null\]+$/)
    expect(changes).toBe(1)
  })

  it('that is undefined is dropped without a report', () => {
    expect(clean({ a: undefined, b: [undefined] })).toEqual({ copy: { b: [null] }, changes: 0 })
  })

  it('keeps __proto__ as an own key', () => {
    const { copy } = clean(JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(Object.keys(copy as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  it('that is JSON is copied without changes', () => {
    fc.assert(
      fc.property(jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const { copy, changes } = clean(value)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        expect(changes).toBe(0)
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value)
      }),
      { numRuns: runs(200) },
    )
  })

  it('of any type is converted to JSON that survives a round trip', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
        const { copy } = clean(value)
        if (copy !== undefined) expect(clean(copy)).toEqual({ copy, changes: 0 })
        expect(JSON.stringify(copy) ?? '').not.toMatch(/\\ud[89a-f]/)
      }),
      { numRuns: runs(200) },
    )
  })
})

it('cleanObject wraps a value that is not an object', () => {
  expect([cleanObject([1]), cleanObject('x'), cleanObject(undefined), cleanObject({ a: 1 })]).toEqual([
    { value: [1] },
    { value: 'x' },
    {},
    { a: 1 },
  ])
})
