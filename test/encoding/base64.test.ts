// Tests Base64, whole and in chunks, against the platform.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendBase64,
  base64Size,
  canonicalBase64,
  fromBase64,
  isBase64,
  isJoinable,
  isSameBase64,
  toBase64,
} from '../../src/encoding/base64.ts'
import { runs } from '../support/runs.ts'

describe('Base64', () => {
  it('agrees with the platform', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64')
        expect(toBase64(bytes)).toBe(text)
        expect(fromBase64(text)).toEqual(bytes)
        expect(fromBase64(text.replaceAll('=', ''))).toEqual(bytes)
        expect(base64Size(text)).toBe(bytes.length)
        expect(isJoinable(text)).toBe(bytes.length % 3 === 0)
      }),
      { numRuns: runs(300) },
    )
  })

  it.each(['A', 'AAAAA', '====', 'AA=A', 'A===', 'AA-_', 'AA A', 'AA\n', 'AAA\u00c1', 'AAA='.repeat(2)])(
    'rejects %j',
    (text) => {
      expect(isBase64(text)).toBe(false)
      expect(fromBase64(text)).toBeUndefined()
      expect(appendBase64({ base64: '' }, text)).toBeUndefined()
    },
  )

  it.each([
    ['/w==', '/w==', true],
    ['_w', '/w==', true],
    ['/w', '/w==', true],
    ['/ w==\n', '/w==', true],
    ['/+', '/w==', false],
    ['AAB=', 'AAA=', false],
  ])('canonical: %j is rewritten as %j, the same digits: %s', (text, canonical, isSame) => {
    expect(canonicalBase64(text)).toBe(canonical)
    expect(isSameBase64(text, canonical)).toBe(isSame)
  })

  it('joins chunks cut at any byte', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 10 }), (pieces) => {
        let all: { base64: string; rest?: string } | undefined = { base64: '' }
        for (const piece of pieces) all = all && appendBase64(all, Buffer.from(piece).toString('base64'))
        expect(`${all?.base64}${all?.rest ?? ''}`).toBe(Buffer.concat(pieces).toString('base64'))
      }),
      { numRuns: runs(300) },
    )
  })
})
