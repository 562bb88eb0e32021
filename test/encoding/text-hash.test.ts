// Proves that a growing hash depends on the text alone, and differs for different texts.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { emptyTextHash, extendTextHash, fingerprintOf, isSameText } from '../../src/encoding/text-hash.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 200 })

it('does not depend on how a text was cut', () => {
  fc.assert(
    fc.property(fc.array(text), (pieces) => {
      const cut = pieces.reduce(extendTextHash, emptyTextHash)
      expect(cut).toEqual(extendTextHash(emptyTextHash, pieces.join('')))
    }),
  )
})

it('differs for different texts', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(0xffff), (before, at, unit) => {
      fc.pre(before !== '')
      const index = at % before.length
      const after = before.slice(0, index) + String.fromCharCode(unit) + before.slice(index + 1)
      const isSame = before === after
      expect(fingerprintOf(before) === fingerprintOf(after)).toBe(isSame)
      const [a, b] = [before, after].map((value) => extendTextHash(emptyTextHash, value))
      expect(isSameText(a as never, b as never)).toBe(isSame)
    }),
  )
})

it('is as good as chance in each of its lanes', () => {
  const lanes = Array.from({ length: 4 }, () => new Set<number>())
  const count = 20_000
  for (let i = 0; i < count; i++) {
    for (const [at, lane] of extendTextHash(emptyTextHash, `text ${i}`).lanes.entries()) lanes[at]?.add(lane)
  }
  // Of 20,000 random numbers of 32 bits, 0.05 pairs are equal.
  for (const lane of lanes) expect(lane.size).toBeGreaterThan(count - 10)
})

it('differs for texts that are equal in a shorter hash', () => {
  expect(fingerprintOf('declinate'.repeat(8))).not.toBe(fingerprintOf('macallums'.repeat(8)))
})
