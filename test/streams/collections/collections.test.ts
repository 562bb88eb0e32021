// Tests the persistent collections against Array and Map, SHA-256 by its vectors, and Base64.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendBase64,
  base64Size,
  fromBase64,
  isBase64,
  isJoinable,
  toBase64,
} from '../../../src/encoding/base64.ts'
import { digestOf } from '../../../src/encoding/sha256.ts'
import {
  emptyGenerational,
  GENERATION_SIZE,
  generationalGet,
  generationalSet,
  generationalValues,
} from '../../../src/streams/collections/generational-map.ts'
import {
  emptyMap,
  mapEntries,
  mapGet,
  mapSet,
  type PersistentMap,
} from '../../../src/streams/collections/persistent-map.ts'
import {
  emptyVector,
  type Vector,
  vectorGet,
  vectorItems,
  vectorPush,
  vectorSet,
} from '../../../src/streams/collections/vector.ts'
import { runs } from '../../support/runs.ts'

describe('vector', () => {
  it('agrees with an array, at every size up to three levels', () => {
    let vector: Vector<number> = emptyVector
    for (let n = 0; n < 34_000; n++) {
      vector = vectorPush(vector, n)
      if (n % 997 === 0 || (n & (n - 1)) === 0 || n % 1024 < 2) {
        for (const at of [0, n >> 1, n]) expect(vectorGet(vector, at)).toBe(at)
        expect(vectorGet(vector, n + 1)).toBeUndefined()
      }
    }
    expect(vectorItems(vector)).toEqual(Array.from({ length: 34_000 }, (_, n) => n))
  })

  it('changes like an array, and leaves the old vector unchanged', () => {
    const step = fc.record({ at: fc.nat(2000), value: fc.integer() })
    fc.assert(
      fc.property(fc.nat(1500), fc.array(step, { maxLength: 60 }), (size, steps) => {
        let vector: Vector<unknown> = emptyVector
        for (let n = 0; n < size; n++) vector = vectorPush(vector, [n])
        const before = vectorItems(vector)
        const array: unknown[] = [...before]
        let next = vector
        for (const { at, value } of steps) {
          if (at < array.length) {
            array[at] = value
            next = vectorSet(next, at, value)
          } else {
            array.push(value)
            next = vectorPush(next, value)
          }
        }
        expect(vectorItems(JSON.parse(JSON.stringify(next)) as typeof next)).toEqual(array)
        expect(vectorItems(vector)).toEqual(before)
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('map', () => {
  it('agrees with a Map, for any keys', () => {
    // Strings with the same FNV-1a hash stay in one leaf at any depth.
    const colliding = ['costarring', 'liquid', 'declinate', 'macallums', 'altarage', 'zinke']
    const key = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constantFrom(...colliding, '__proto__', 'constructor'),
      fc.uuid(),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer()), { maxLength: 300 }), (entries) => {
        let map: PersistentMap<number> = emptyMap
        for (const [name, value] of entries) map = mapSet(map, name, value)
        const expected = new Map(entries)
        expect(new Map(mapEntries(JSON.parse(JSON.stringify(map)) as typeof map))).toEqual(expected)
        for (const [name, value] of expected) expect(mapGet(map, name)).toBe(value)
        expect(mapGet(map, 'never there')).toBeUndefined()
      }),
      { numRuns: runs(100) },
    )
  })

  it('holds any number of keys with one hash', () => {
    // All concatenations of two strings with the same hash have the same hash again.
    const pairs = Array.from({ length: 16 }, (_, n) =>
      [0, 1, 2, 3].map((bit) => ((n >> bit) & 1 ? 'liquid' : 'costarring')).join(''),
    )
    let map: PersistentMap<number> = emptyMap
    for (const [n, name] of pairs.entries()) map = mapSet(map, name, n)
    for (const [n, name] of pairs.entries()) expect(mapGet(map, name)).toBe(n)
  })
})

describe('generational map', () => {
  it('holds at least one generation and at most two', () => {
    let generational = generationalSet<number>(emptyGenerational, 'k0', 0).map
    const evictions: number[] = []
    for (let n = 1; n < 3 * GENERATION_SIZE; n++) {
      const step = generationalSet(generational, `k${n}`, n)
      if (step.hasEvicted) evictions.push(n)
      generational = step.map
      expect(generationalGet(generational, `k${Math.max(0, n - GENERATION_SIZE + 1)}`)).toBeDefined()
    }
    expect(evictions).toEqual([2 * GENERATION_SIZE])
    expect(generationalGet(generational, 'k0')).toBeUndefined()
    expect([...generationalValues(generational)]).toHaveLength(2 * GENERATION_SIZE)
    const again = generationalSet(generational, `k${GENERATION_SIZE + 1}`, -1).map
    expect([...generationalValues(again)].filter((n) => n === GENERATION_SIZE + 1 || n === -1)).toEqual([-1])
  })
})

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
