// The names of a bounded list are few and short.
import { expect, test } from 'vitest'
import { MAX_ITEMS, storable } from '../../../src/dialects/frames/verify/bounded-list.ts'

test('names are stored unless they are too many or too long', () => {
  const names = Array.from({ length: MAX_ITEMS - 1 }, (_, i) => `${i}`)
  expect(storable(names)).toEqual(names)
  expect(storable([...names, 'more'])).toBeNull()
  expect(storable(['a'.repeat(1024)])).toHaveLength(1)
  expect(storable(['a'.repeat(1025)])).toBeNull()
})
