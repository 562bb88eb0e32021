// Tests SHA-256 against its vectors and the platform.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/encoding/sha256.ts'

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('matches a vector of the standard', (text, hex) => {
    expect(digestOf(new TextEncoder().encode(text))).toBe(`sha-256:${hex}`)
  })

  it('agrees with the platform, at every length', () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, n) => (n * 7 + 3) % 256))
    for (let length = 0; length < bytes.length; length++) {
      const part = bytes.subarray(0, length)
      expect(digestOf(part)).toBe(`sha-256:${createHash('sha256').update(part).digest('hex')}`)
    }
  })
})
