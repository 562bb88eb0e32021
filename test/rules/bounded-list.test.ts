// Tests the bounded lists against slices of arrays.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pushBounded, without } from '../../src/rules/bounded-list.ts'

const lists = fc.array(fc.nat(3), { maxLength: 12 })

describe('pushBounded', () => {
  it('appends, and keeps the last items', () => {
    fc.assert(
      fc.property(lists, fc.nat(3), fc.integer({ min: 2, max: 14 }), (list, item, max) => {
        const before = [...list]
        expect(pushBounded(list, item, max)).toEqual([...list, item].slice(-max))
        expect(list).toEqual(before)
      }),
    )
  })

  it.each([254, 255, 256, 257])('keeps 256 of the items of a list of %d and one more', (length) => {
    const list = Array.from({ length }, (_, n) => n)
    expect(pushBounded(list, -1)).toEqual([...list, -1].slice(-256))
  })
})

describe('without', () => {
  it('removes each item that is equal, and returns the same list if there is none', () => {
    fc.assert(
      fc.property(lists, fc.nat(4), (list, item) => {
        const rest = without(list, item)
        expect(rest).toEqual(list.filter((other) => other !== item))
        expect(rest === list).toBe(!list.includes(item))
      }),
    )
  })
})
