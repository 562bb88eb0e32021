// Proves that the nesting depth of JSON is measured from its text, regardless of the content of strings.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDeeper, isNestedDeeper } from '../../src/json/depth.ts'
import { runs } from '../support/runs.ts'

describe('isNestedDeeper', () => {
  it('measures nesting regardless of the content of strings', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    const nested = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        fc.constantFrom<unknown>('[', '"]{', '\\"[', '\\', 1),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('"', '[[', '\\'), tie('value'), { maxKeys: 2 }),
      ),
    })).value
    fc.assert(
      fc.property(nested, fc.integer({ min: 1, max: 4 }), (value, limit) => {
        expect(isNestedDeeper(JSON.stringify(value), limit)).toBe(depthOf(value) > limit)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('terminates on text that is not JSON', () => {
    for (const text of ['"'.repeat(99), '\\'.repeat(99), `[${'"\\'.repeat(50)}`, ']'.repeat(99)]) {
      expect(isNestedDeeper(text, 1)).toBe(false)
    }
  })
})

it('a value that overflows the stack is deeper than any limit', () => {
  const value: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))
  expect(isDeeper(value, 1000)).toBe(true)
  expect(isDeeper([[{}]], 2)).toBe(true)
  expect(isDeeper([[{}]], 3)).toBe(false)
})
