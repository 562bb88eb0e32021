/**
 * A bounded map that evicts what was not set for the longest time. Plain JSON; setting an entry returns a new map.
 *
 * Entries are set in the recent generation. When it is full, it becomes the older one, and the previous
 * older generation is evicted.
 */

import { emptyTrie, type HashTrie, hashOf, trieEntries, trieGet, trieSet } from './hash-trie.ts'

/** The map. An entry of `recent` takes precedence over one of `older`. */
export interface BoundedMap<V> {
  readonly recent: HashTrie<V>
  readonly older: HashTrie<V>
  /** The number of entries in `recent`. */
  readonly recentSize: number
}

/** The size of a generation. The map holds at least this many entries, and at most twice as many. */
export const GENERATION_SIZE = 4096

export const emptyBoundedMap: BoundedMap<never> = { recent: emptyTrie, older: emptyTrie, recentSize: 0 }

/** The value of a key; `undefined` if it is not set. */
export function boundedGet<V>({ recent, older }: BoundedMap<V>, key: string): V | undefined {
  const hash = hashOf(key)
  return trieGet(recent, key, hash) ?? trieGet(older, key, hash)
}

/** The map with an entry set, and whether others were evicted for it. */
export function boundedSet<V>(
  { recent, older, recentSize }: BoundedMap<V>,
  key: string,
  value: V,
): { map: BoundedMap<V>; hasEvicted: boolean } {
  const hash = hashOf(key)
  const isKnown = trieGet(recent, key, hash) !== undefined
  if (isKnown || recentSize < GENERATION_SIZE) {
    const size = isKnown ? recentSize : recentSize + 1
    return { map: { recent: trieSet(recent, key, hash, value), older, recentSize: size }, hasEvicted: false }
  }
  const map = { recent: trieSet<V>(emptyTrie, key, hash, value), older: recent, recentSize: 1 }
  return { map, hasEvicted: 'slots' in older || older.length > 0 }
}

/** All values, in no order. */
export function* boundedValues<V>({ recent, older }: BoundedMap<V>): Generator<V> {
  for (const [, value] of trieEntries(recent)) yield value
  for (const [key, value] of trieEntries(older)) {
    if (trieGet(recent, key, hashOf(key)) === undefined) yield value
  }
}
