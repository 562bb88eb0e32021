// Proves that every option check names the option, what was expected and what was passed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  describeValue,
  listOf,
  optional,
  requireArray,
  requireBoolean,
  requireFunction,
  requireInteger,
  requireObject,
  requireOneOf,
  requireOnly,
  requireSignal,
  requireString,
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
    [() => requireString('reason', 7), '"reason" must be a string, got 7.'],
    [() => requireBoolean('internal', 'yes'), '"internal" must be true or false, got "yes".'],
    [() => requireObject('options', 'v1'), '"options" must be an object, got "v1".'],
    [() => requireObject('options', null), '"options" must be an object, got null.'],
    [() => requireObject('options', []), '"options" must be an object, got an array.'],
    [() => requireObject('options', () => 1), '"options" must be an object, got a function.'],
    [() => requireOnly('view', null, ['a']), '"view" must be an object, got null.'],
    [
      () => requireOnly('view', { a: 1, c: 2 }, ['a', 'b']),
      '"view" must be an object of "a" and "b", got "c".',
    ],
    [() => requireArray('tags', 'think'), '"tags" must be an array, got "think".'],
    [() => requireArray('tags', { length: 0 }), '"tags" must be an array, got an object.'],
    [() => requireSignal('signal', {}), '"signal" must be an AbortSignal, got an object.'],
    [() => requireSignal('signal', null), '"signal" must be an AbortSignal, got null.'],
    [() => requireSignal('signal', { aborted: false }), '"signal" must be an AbortSignal, got an object.'],
    [
      () => requireSignal('signal', { addEventListener: () => {} }),
      '"signal" must be an AbortSignal, got an object.',
    ],
    [() => optional(requireText, 'stream', ''), '"stream" must be a non-empty string, got "".'],
    [() => optional(requireText, 'stream', null), '"stream" must be a non-empty string, got null.'],
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
    requireString('a', '')
    requireBoolean('a', true)
    requireBoolean('a', false)
    requireObject('a', {})
    requireOnly('a', {}, ['b'])
    requireOnly('a', { b: 1, c: 2 }, ['b', 'c'])
    requireArray('a', [])
    requireSignal('a', new AbortController().signal)
    optional(requireText, 'a', 'b')
    optional(requireText, 'a', undefined)
  }).not.toThrow()
})

it.each([
  [['a'], '"a"'],
  [['a', 'b'], '"a" and "b"'],
  [['a', 2, null], '"a", 2 and null'],
])('listOf(%j) is %s', (values, text) => {
  expect(listOf(values, 'and')).toBe(text)
})

it.each<[value: unknown, text: string]>([
  ['', '""'],
  ['a"\n', '"a\\"\\n"'],
  ['x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
  [`${'😀'.repeat(40)}\n`, `"${'😀'.repeat(40)}…"`],
  [7, '7'],
  [undefined, 'undefined'],
  [[], 'an array'],
  [() => 1, 'a function'],
  [{}, 'an object'],
])('describeValue(%o) is %s', (value, text) => {
  expect(describeValue(value)).toBe(text)
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
