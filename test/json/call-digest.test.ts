// Proves that equal calls have equal digests, other calls other ones, and that canonical JSON is as RFC 8785 has it.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { callDigest } from '../../src/json/call-digest.ts'
import { canonicalJson } from '../../src/json/canonical.ts'
import { isEqualJson } from '../../src/json/value.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

it('equal values have one text, and it parses to them', () => {
  fc.assert(
    fc.property(jsonValue(), jsonValue(), (a, b) => {
      const text = canonicalJson(a) ?? ''
      expect(isEqualJson(JSON.parse(text), a)).toBe(true)
      expect(canonicalJson(b) === text).toBe(isEqualJson(a, b))
    }),
    { numRuns: runs(300) },
  )
})

it('sorts members by UTF-16 code units and writes no spaces', () => {
  const value = JSON.parse(
    '{"\\u20ac":1,"\\r":[2,-0,1e21],"\\ufb33":{"b":null,"a":"\\u2028"},"\\ud83d\\ude00":0.1}',
  ) as unknown
  expect(canonicalJson(value)).toBe('{"\\r":[2,0,1e+21],"€":1,"😀":0.1,"\ufb33":{"a":"\u2028","b":null}}')
})

it('the digest is that of the canonical text, for arguments as values and as text', () => {
  const hash = createHash('sha256').update('["book",{"a":[1],"b":2}]').digest('hex')
  expect(callDigest({ toolName: 'book', arguments: { b: 2, a: [1] } })).toBe(`sha-256:${hash}`)
  expect(callDigest({ toolName: 'book', arguments: ' {"b":2.0, "a":[1]}' })).toBe(`sha-256:${hash}`)
  expect(callDigest({ toolName: 'book', arguments: '' })).toBe(
    callDigest({ toolName: 'book', arguments: {} }),
  )
  expect(callDigest({ toolName: 'book', arguments: '{' })).not.toBe(
    callDigest({ toolName: 'book', arguments: {} }),
  )
})

it('a value that is nested too deep has no text', () => {
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  expect(canonicalJson(deep)).toBeUndefined()
})
