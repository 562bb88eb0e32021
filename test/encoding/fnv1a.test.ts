// Proves that fnv1a computes FNV-1a of 32 bits, incrementally.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FNV_OFFSET_BASIS, fnv1a } from '../../src/encoding/fnv1a.ts'

it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('hashes %j as the reference does', (text, hash) => {
  expect(fnv1a(FNV_OFFSET_BASIS, text)).toBe(hash)
})

it('hashes pieces like the whole text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const whole = fnv1a(FNV_OFFSET_BASIS, a + b)
      expect(fnv1a(fnv1a(FNV_OFFSET_BASIS, a), b)).toBe(whole)
      expect(fnv1a(fnv1a(FNV_OFFSET_BASIS, a + b, 0, a.length), a + b, a.length)).toBe(whole)
    }),
  )
})
