// Proves that an object or array that is cut off is known by what it leaves open, wherever the text is read in two parts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { balanceOf, isOpen } from '../../src/json/balance.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

const texts = fc
  .tuple(jsonValue(), fc.boolean())
  .map(([value, isSpaced]) => JSON.stringify({ value }, null, isSpaced ? 1 : 0))

describe('the balance of JSON text', () => {
  it('leaves something open until the last character', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, at) => {
        expect(isOpen(balanceOf(text))).toBe(false)
        expect(isOpen(balanceOf(text.slice(0, 1 + (at % (text.length - 1)))))).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('is that of the whole if a part was read before', () => {
    fc.assert(
      fc.property(
        fc.oneof(texts, fc.string({ unit: fc.constantFrom(...'{}[]"\\a') })),
        fc.nat(),
        (text, at) => {
          const before = balanceOf(text.slice(0, at % (text.length + 1)))
          expect(balanceOf(text, before)).toEqual(balanceOf(text))
        },
      ),
      { numRuns: runs(2000) },
    )
  })

  it.each(['{}}', '{} x', 'nul', '', ']', '{"a":"\\""}'])('has nothing open in %s', (text) => {
    expect(isOpen(balanceOf(text))).toBe(false)
  })
})
