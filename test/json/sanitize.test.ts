// Proves that whatever producers hand in goes out as JSON, and that it is told where that changes it.
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
    ['a big integer', { n: 2n ** 64n }, { n: '18446744073709551616' }],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a function', { f: () => 1, x: 1 }, { x: 1 }],
    ['a symbol', Symbol('s'), undefined],
    ['half a character', ['a\ud83d', { b: '\udc4b' }], ['a\ufffd', { b: '\ufffd' }]],
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
  ])('that is %s becomes the nearest JSON', (name, value, expected) => {
    expect(clean(value).copy).toEqual(expected)
    expect(clean(value).changes > 0).toBe(name !== 'a map')
  })

  it('without end is cut off', () => {
    const { copy, changes } = clean(cyclic)
    expect(JSON.stringify(copy)).toMatch(/^\[+null\]+$/)
    expect(changes).toBe(1)
  })

  it('that is undefined says nothing, and is no change', () => {
    expect(clean({ a: undefined, b: [undefined] })).toEqual({ copy: { b: [null] }, changes: 0 })
  })

  it('keeps a key that is the name of the prototype, as a key', () => {
    const { copy } = clean(JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(Object.keys(copy as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  it('of JSON is copied, unchanged and unshared', () => {
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

  it('of any kind is what JSON says again', () => {
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

it('that must be an object is wrapped in one', () => {
  expect([cleanObject([1]), cleanObject('x'), cleanObject(undefined), cleanObject({ a: 1 })]).toEqual([
    { value: [1] },
    { value: 'x' },
    {},
    { a: 1 },
  ])
})
