// Tests that a hash tells texts apart, by each of its parts, however a text is cut.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  emptyHash,
  hashAppend,
  hashEquals,
  hashText,
} from '../../../../src/streams/verify/state/text-hash.ts'

it('the hash of a text is that of its pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }), (pieces) => {
      const hash = pieces.reduce(hashAppend, emptyHash)
      expect(hash).toEqual(hashText(pieces.join('')))
      expect(hashEquals(hash, hashText(pieces.join('')))).toBe(true)
    }),
  )
})

it('texts of the same length have different hashes', () => {
  const letters = Array.from({ length: 64 }, (_, n) => String.fromCharCode(48 + n))
  const texts = letters.flatMap((a) => letters.map((b) => `${a}${b}${a}${b}`))
  const hashes = texts.map(hashText)
  expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(texts.length)
})

it('hashes are equal only if all of their parts are', () => {
  const hash = { length: 1, hash: 2 }
  expect(hashEquals(hash, { ...hash })).toBe(true)
  for (const part of ['length', 'hash'] as const) expect(hashEquals(hash, { ...hash, [part]: 9 })).toBe(false)
})
