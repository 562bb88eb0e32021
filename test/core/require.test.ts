// Proves that every option check throws the one form of message: name, expectation, what was passed.
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
    [() => requireInteger('port', 7, 8, 9), '"port" must be an integer from 8 to 9, got 7.'],
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

it('what is right passes', () => {
  expect(() => {
    requireInteger('a', 1, 1)
    requireInteger('a', 9, 8, 9)
    requireOneOf('a', 'b', ['a', 'b'])
    requireText('a', ' ')
    requireFunction('a', () => 1)
  }).not.toThrow()
})

it('any value is described on one line, without a throw', () => {
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
