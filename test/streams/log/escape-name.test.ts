// Proves that an escaped name is plain ASCII, stands for one name alone, and can be read again.
import fc from 'fast-check'
import { escapeName, unescapeName } from 'turnstream/streams'
import { expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'

const characters = fc.constantFrom(
  '\0',
  '\ud800',
  '\udc00',
  '\ufffd',
  '%',
  '%00',
  '/',
  '.',
  '~',
  ' ',
  'é',
  '😀',
  '}',
)
const names = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: characters, minLength: 1 }),
)

it('is ASCII, and gives the name back', () => {
  fc.assert(
    fc.property(names, (name) => {
      const text = escapeName(name)
      expect(text).toMatch(/^(?:[\w\-.~]|%[0-9A-F]{2})+$/)
      expect(unescapeName(text)).toBe(name)
    }),
    { numRuns: runs(1000) },
  )
})

it.each(['%', '%0', '%zz', '%ff', 'a b', 'é', '%61', '%e9', '\ud800'])(
  'refuses %j, which it has not written',
  (text) => {
    expect(unescapeName(text)).toBeUndefined()
  },
)
