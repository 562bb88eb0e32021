// Tests the bounded map, and the trie that holds its entries, against Map.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BoundedMap,
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
  boundedValues,
  emptyBoundedMap,
  GENERATION_SIZE,
} from '../../../src/core/bounded-map/bounded-map.ts'
import {
  emptyTrie,
  type HashTrie,
  hashOf,
  trieEntries,
  trieGet,
  trieSet,
} from '../../../src/core/bounded-map/hash-trie.ts'
import { runs } from '../../support/runs.ts'

describe('hash trie', () => {
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
        let map: HashTrie<number> = emptyTrie
        for (const [name, value] of entries) map = trieSet(map, name, hashOf(name), value)
        const expected = new Map(entries)
        expect(new Map(trieEntries(JSON.parse(JSON.stringify(map)) as typeof map))).toEqual(expected)
        for (const [name, value] of expected) expect(trieGet(map, name, hashOf(name))).toBe(value)
        expect(trieGet(map, 'never there', hashOf('never there'))).toBeUndefined()
      }),
      { numRuns: runs(100) },
    )
  })

  it('holds any number of keys with one hash', () => {
    // All concatenations of two strings with the same hash have the same hash again.
    const pairs = Array.from({ length: 16 }, (_, n) =>
      [0, 1, 2, 3].map((bit) => ((n >> bit) & 1 ? 'liquid' : 'costarring')).join(''),
    )
    let map: HashTrie<number> = emptyTrie
    for (const [n, name] of pairs.entries()) map = trieSet(map, name, hashOf(name), n)
    for (const [n, name] of pairs.entries()) expect(trieGet(map, name, hashOf(name))).toBe(n)
  })
})

describe('bounded map', () => {
  it('equals a map after any settings and deletions, and shares no change with earlier ones', () => {
    const key = fc.integer({ min: 0, max: 40 }).map((n) => (n === 0 ? '__proto__' : `k${n}`))
    const change = fc.record({ key, value: fc.option(fc.nat()) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        let map: BoundedMap<number> = emptyBoundedMap
        const model = new Map<string, number>()
        for (const { key: name, value } of changes) {
          const before = JSON.stringify(map)
          const next: BoundedMap<number> =
            value === null ? boundedDelete(map, name) : boundedSet(map, name, value).map
          expect(JSON.stringify(map)).toBe(before)
          if (value === null && !model.has(name)) expect(next).toBe(map)
          if (value === null) model.delete(name)
          else model.set(name, value)
          map = JSON.parse(JSON.stringify(next)) as BoundedMap<number>
          expect(boundedGet(map, name)).toBe(model.get(name))
        }
        expect(new Map(boundedEntries(map))).toEqual(model)
        expect(map.recentSize).toBe(model.size)
        for (const name of model.keys()) map = boundedDelete(map, name)
        expect(map).toEqual(emptyBoundedMap)
      }),
      { numRuns: runs(100) },
    )
  })

  it('deletes from both generations', () => {
    let map: BoundedMap<number> = emptyBoundedMap
    for (let n = 0; n < 3; n++) map = boundedSet(map, `k${n}`, n, 2).map
    map = boundedSet(map, 'k0', 9, 2).map
    expect(boundedGet(boundedDelete(map, 'k0'), 'k0')).toBeUndefined()
    expect(boundedDelete(map, 'k0').recentSize).toBe(1)
    expect([...boundedEntries(boundedDelete(map, 'k1'))].sort()).toEqual([
      ['k0', 9],
      ['k2', 2],
    ])
  })

  it('holds at least one generation and at most two', () => {
    let map = boundedSet<number>(emptyBoundedMap, 'k0', 0).map
    const evictions: number[] = []
    for (let n = 1; n < 3 * GENERATION_SIZE; n++) {
      const step = boundedSet(map, `k${n}`, n)
      if (step.hasEvicted) evictions.push(n)
      map = step.map
      expect(boundedGet(map, `k${Math.max(0, n - GENERATION_SIZE + 1)}`)).toBeDefined()
    }
    expect(evictions).toEqual([2 * GENERATION_SIZE])
    expect(boundedGet(map, 'k0')).toBeUndefined()
    expect([...boundedValues(map)]).toHaveLength(2 * GENERATION_SIZE)
    const again = boundedSet(map, `k${GENERATION_SIZE + 1}`, -1).map
    expect([...boundedValues(again)].filter((n) => n === GENERATION_SIZE + 1 || n === -1)).toEqual([-1])
  })

  it('keeps the older generation when an entry of a full recent one is set again', () => {
    let map = emptyBoundedMap as BoundedMap<number>
    for (let n = 0; n < 2 * GENERATION_SIZE; n++) map = boundedSet(map, `k${n}`, n).map
    const again = boundedSet(map, `k${GENERATION_SIZE}`, -1)
    expect(again.hasEvicted).toBe(false)
    expect(boundedGet(again.map, 'k0')).toBe(0)
  })
})
