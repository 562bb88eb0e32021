// A bounded list keeps its latest items.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ITEMS, pushBounded, storable } from '../../../src/dialects/frames/verify/bounded-list.ts'

test('a list keeps its latest items, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 3 * MAX_ITEMS, size: 'max' }), (items) => {
      const list = items.reduce<readonly number[]>((known, item) => pushBounded(known, item), [])
      expect(list).toEqual(items.slice(-MAX_ITEMS))
    }),
  )
})

test('names are stored unless they are too many or too long', () => {
  const names = Array.from({ length: MAX_ITEMS - 1 }, (_, i) => `${i}`)
  expect(storable(names)).toEqual(names)
  expect(storable([...names, 'more'])).toBeNull()
  expect(storable(['a'.repeat(1024)])).toHaveLength(1)
  expect(storable(['a'.repeat(1025)])).toBeNull()
})
