// Proves that every option check names the option, what was expected and what was passed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeValue,
  requireFunction,
  requireInteger,
  requireOneOf,
  requireText,
} from '../../src/core/require.ts'

describe('an option error', () => {
  it.each<[check: () => void, message: string]>([
    [() => requireInteger('maxDepth', 0, 1), '"maxDepth" must be an integer >= 1, got 0.'],
    [() => requireInteger('maxDepth', '7', 1), '"maxDepth" must be an integer >= 1, got "7".'],
    [() => requireInteger('maxDepth', 2.5, 1), '"maxDepth" must be an integer >= 1, got 2.5.'],
    [
      () => requireOneOf('mode', 'strct', ['strict', 'standard', 'lenient']),
      '"mode" must be "strict", "standard" or "lenient", got "strct".',
    ],
    [() => requireOneOf('kind', [], ['a']), '"kind" must be "a", got an array.'],
    [() => requireText('stream', ''), '"stream" must be a non-empty string, got "".'],
    [() => requireText('stream', null), '"stream" must be a non-empty string, got null.'],
    [() => requireFunction('now', undefined), '"now" must be a function, got undefined.'],
  ])('%s', (check, message) => {
    expect(check).toThrow(new TypeError(message))
  })
})

it('accepts valid options', () => {
  expect(() => {
    requireInteger('a', 1, 1)
    requireOneOf('a', 'b', ['a', 'b'])
    requireText('a', ' ')
    requireFunction('a', () => 1)
  }).not.toThrow()
})

it('describeValue formats any value on one line and never throws', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
      (value) => {
        const text = describeValue(value)
        expect(text).not.toBe('')
        expect(text).not.toContain('\n')
        expect(text.length).toBeLessThan(300)
      },
    ),
  )
  expect(describeValue('x'.repeat(1000)).length).toBeLessThan(50)
  expect(describeValue(Symbol('s'))).toBe('Symbol(s)')
})
