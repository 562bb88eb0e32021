// Proves the persistent list and map against the language's own, SHA-256 by its vectors, and Base64.
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
  emptyMemory,
  GENERATION,
  recall,
  recollections,
  remembering,
} from '../../../src/streams/collections/generational-map.ts'
import {
  emptyTrie,
  type Trie,
  trieEntries,
  trieGet,
  trieWith,
} from '../../../src/streams/collections/hash-map.ts'
import {
  emptyList,
  type List,
  listAt,
  listItems,
  listReplaced,
  listWith,
} from '../../../src/streams/collections/list.ts'
import { runs } from '../../support/runs.ts'

describe('list', () => {
  it('is an array, at every size up to three levels', () => {
    let list: List<number> = emptyList
    for (let n = 0; n < 34_000; n++) {
      list = listWith(list, n)
      if (n % 997 === 0 || (n & (n - 1)) === 0 || n % 1024 < 2) {
        for (const at of [0, n >> 1, n]) expect(listAt(list, at)).toBe(at)
        expect(listAt(list, n + 1)).toBeUndefined()
      }
    }
    expect(listItems(list)).toEqual(Array.from({ length: 34_000 }, (_, n) => n))
  })

  it('changes like an array, and leaves what was before', () => {
    const step = fc.record({ at: fc.nat(2000), value: fc.integer() })
    fc.assert(
      fc.property(fc.nat(1500), fc.array(step, { maxLength: 60 }), (size, steps) => {
        let list: List<unknown> = emptyList
        for (let n = 0; n < size; n++) list = listWith(list, [n])
        const before = listItems(list)
        const array: unknown[] = [...before]
        let next = list
        for (const { at, value } of steps) {
          if (at < array.length) {
            array[at] = value
            next = listReplaced(next, at, value)
          } else {
            array.push(value)
            next = listWith(next, value)
          }
        }
        expect(listItems(JSON.parse(JSON.stringify(next)) as typeof next)).toEqual(array)
        expect(listItems(list)).toEqual(before)
      }),
      { numRuns: runs(50) },
    )
  })
})

describe('map', () => {
  it('is a Map, whatever the keys', () => {
    // Texts that have one hash by FNV-1a stay together however deep the map is.
    const alike = ['costarring', 'liquid', 'declinate', 'macallums', 'altarage', 'zinke']
    const key = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constantFrom(...alike, '__proto__', 'constructor'),
      fc.uuid(),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer()), { maxLength: 300 }), (entries) => {
        let trie: Trie<number> = emptyTrie
        for (const [name, value] of entries) trie = trieWith(trie, name, value)
        const map = new Map(entries)
        expect(new Map(trieEntries(JSON.parse(JSON.stringify(trie)) as typeof trie))).toEqual(map)
        for (const [name, value] of map) expect(trieGet(trie, name)).toBe(value)
        expect(trieGet(trie, 'never there')).toBeUndefined()
      }),
      { numRuns: runs(100) },
    )
  })

  it('takes any number of keys of one hash', () => {
    // Pairs of texts with the same hash, joined in all ways, have it again at every place.
    const pairs = Array.from({ length: 16 }, (_, n) =>
      [0, 1, 2, 3].map((bit) => ((n >> bit) & 1 ? 'liquid' : 'costarring')).join(''),
    )
    let trie: Trie<number> = emptyTrie
    for (const [n, name] of pairs.entries()) trie = trieWith(trie, name, n)
    for (const [n, name] of pairs.entries()) expect(trieGet(trie, name)).toBe(n)
  })
})

describe('memory', () => {
  it('remembers the last generation at least, and no more than two', () => {
    let memory = remembering<number>(emptyMemory, 'k0', 0).memory
    const forgettings: number[] = []
    for (let n = 1; n < 3 * GENERATION; n++) {
      const step = remembering(memory, `k${n}`, n)
      if (step.hasForgotten) forgettings.push(n)
      memory = step.memory
      expect(recall(memory, `k${Math.max(0, n - GENERATION + 1)}`)).toBeDefined()
    }
    expect(forgettings).toEqual([2 * GENERATION])
    expect(recall(memory, 'k0')).toBeUndefined()
    expect([...recollections(memory)]).toHaveLength(2 * GENERATION)
    const again = remembering(memory, `k${GENERATION + 1}`, -1).memory
    expect([...recollections(again)].filter((n) => n === GENERATION + 1 || n === -1)).toEqual([-1])
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
  ])('of a vector of the standard', (text, hex) => {
    expect(digestOf(new TextEncoder().encode(text))).toBe(`sha-256:${hex}`)
  })

  it('is what the platform says, at every length', () => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, n) => (n * 7 + 3) % 256))
    for (let length = 0; length < bytes.length; length++) {
      const part = bytes.subarray(0, length)
      expect(digestOf(part)).toBe(`sha-256:${createHash('sha256').update(part).digest('hex')}`)
    }
  })
})

describe('Base64', () => {
  it('is what the platform says', () => {
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
    'refuses %j',
    (text) => {
      expect(isBase64(text)).toBe(false)
      expect(fromBase64(text)).toBeUndefined()
      expect(appendBase64({ base64: '' }, text)).toBeUndefined()
    },
  )

  it('joins pieces cut anywhere', () => {
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
