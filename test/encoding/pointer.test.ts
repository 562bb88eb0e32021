// Proves that JSON Pointers are formatted and parsed as RFC 6901 defines.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parsePointer, readPointer, toPointer } from '../../src/encoding/pointer.ts'

it.each([
  ['', []],
  ['/foo/0', ['foo', '0']],
  ['/', ['']],
  ['/a~1b', ['a/b']],
  ['/m~0n', ['m~n']],
  ['/~01', ['~1']],
])('parses %j', (pointer, tokens) => {
  expect(parsePointer(pointer)).toEqual(tokens)
  expect(toPointer(tokens)).toBe(pointer)
})

it.each(['a', 'a/b', '/~', '/~2', '/a~'])('rejects %j', (text) => {
  expect(parsePointer(text)).toBeUndefined()
})

it('parses what it formats', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (tokens) => {
      expect(parsePointer(toPointer(tokens))).toEqual(tokens)
    }),
  )
})

it('reads the value at a pointer, of own fields only', () => {
  const value = { a: [{ 'b/c': null }], d: 'text' }
  expect(readPointer(value, '')).toBe(value)
  expect(readPointer(value, '/a/0/b~1c')).toBe(null)
  for (const pointer of ['/x', '/a/1', '/a/0/b~1c/d', '/d/length', '/toString', '/~', 'a']) {
    expect(readPointer(value, pointer), pointer).toBeUndefined()
  }
})
