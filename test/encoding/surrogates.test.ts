// Proves that text can be cut inside a surrogate pair and joined again without loss.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isHighSurrogate, splitHalf, toWellFormed, withoutHalf } from '../../src/encoding/surrogates.ts'

it('isHighSurrogate accepts exactly U+D800 to U+DBFF', () => {
  const units = [0xd7ff, 0xd800, 0xdbff, 0xdc00, 0x41, Number.NaN]
  expect(units.map(isHighSurrogate)).toEqual([false, true, true, false, false, false])
})

it.each([
  ['wor😀', 'wor😀', ''],
  ['wor\ud83d', 'wor', '\ud83d'],
  ['\ude00', '\ude00', ''],
  ['', '', ''],
])('splits %j', (text, whole, half) => {
  expect(splitHalf(text)).toEqual([whole, half])
  expect(withoutHalf(text)).toBe(whole)
})

it('keeps every character of a text that is cut anywhere', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, cut) => {
      const [head, half] = splitHalf(text.slice(0, cut))
      expect(toWellFormed(head) + toWellFormed(half + text.slice(cut))).toBe(text)
    }),
  )
})

it('replaces each unpaired surrogate by U+FFFD', () => {
  expect(toWellFormed('a\ud83db\ude00😀')).toBe('a\ufffdb\ufffd😀')
})
