// Tests that a mark tells texts apart, by each of its parts, however a text is cut.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameMark, isStartOf, markOf, noMark } from '../../src/encoding/text-mark.ts'

it('the mark of a text is that of its pieces, with which it begins', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }), fc.nat(8), (pieces, count) => {
      const mark = pieces.reduce((before, piece) => markOf(piece, before), noMark)
      const text = pieces.join('')
      expect(mark).toEqual(markOf(text))
      expect(isSameMark(mark, markOf(text))).toBe(true)
      expect(isStartOf(markOf(pieces.slice(0, count).join('')), text)).toBe(true)
      expect(isStartOf(markOf(`${text}a`), text)).toBe(false)
      expect(isStartOf(markOf('a', markOf('b')), `bb${text}`)).toBe(false)
    }),
  )
})

it('texts of the same length have different marks', () => {
  const letters = Array.from({ length: 64 }, (_, n) => String.fromCharCode(48 + n))
  const texts = letters.flatMap((a) => letters.map((b) => `${a}${b}${a}${b}`))
  const marks = texts.map((text) => markOf(text))
  expect(new Set(marks.map(({ hash }) => hash)).size).toBe(texts.length)
})

it('marks are equal only if all of their parts are', () => {
  const mark = { length: 1, hash: 2 }
  expect(isSameMark(mark, { ...mark })).toBe(true)
  for (const part of ['length', 'hash'] as const) expect(isSameMark(mark, { ...mark, [part]: 9 })).toBe(false)
})
