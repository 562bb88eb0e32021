/**
 * A bounded map that evicts what was not set for the longest time. Plain JSON; setting an entry returns a new map.
 *
 * Entries are set in the recent generation. When it is full, it becomes the older one, and the previous
 * older generation is evicted.
 */

import { emptyTrie, type HashTrie, hashOf, trieDelete, trieEntries, trieGet, trieSet } from './hash-trie.ts'

/** The map. An entry of `recent` takes precedence over one of `older`. */
export interface BoundedMap<V> {
  readonly recent: HashTrie<V>
  readonly older: HashTrie<V>
  /** The number of entries in `recent`. */
  readonly recentSize: number
}

/** The size of a generation if none is stated. */
export const GENERATION_SIZE = 4096

export const emptyBoundedMap: BoundedMap<never> = { recent: emptyTrie, older: emptyTrie, recentSize: 0 }

/** The value of a key; `undefined` if it is not set. */
export function boundedGet<V>({ recent, older }: BoundedMap<V>, key: string): V | undefined {
  const hash = hashOf(key)
  return trieGet(recent, key, hash) ?? trieGet(older, key, hash)
}

/**
 * The map with an entry set, and whether others were evicted for it.
 *
 * @param generationSize - The map holds at least this many of the most recently set entries, and at most twice as many.
 */
export function boundedSet<V>(
  map: BoundedMap<V>,
  key: string,
  value: V,
  generationSize: number = GENERATION_SIZE,
): { map: BoundedMap<V>; hasEvicted: boolean } {
  const hash = hashOf(key)
  return withValue(map, key, hash, value, trieGet(map.recent, key, hash) !== undefined, generationSize)
}

/** The map with an entry set to what `change` returns for its value, as {@link boundedSet}. One look-up for both. */
export function boundedUpdate<V>(
  map: BoundedMap<V>,
  key: string,
  change: (value: V | undefined) => V,
  generationSize: number = GENERATION_SIZE,
): { map: BoundedMap<V>; hasEvicted: boolean } {
  const hash = hashOf(key)
  const known = trieGet(map.recent, key, hash)
  const value = change(known ?? trieGet(map.older, key, hash))
  return withValue(map, key, hash, value, known !== undefined, generationSize)
}

function withValue<V>(
  { recent, older, recentSize }: BoundedMap<V>,
  key: string,
  hash: number,
  value: V,
  isKnown: boolean,
  generationSize: number,
): { map: BoundedMap<V>; hasEvicted: boolean } {
  if (isKnown || recentSize < generationSize) {
    const size = isKnown ? recentSize : recentSize + 1
    return { map: { recent: trieSet(recent, key, hash, value), older, recentSize: size }, hasEvicted: false }
  }
  const map = { recent: trieSet<V>(emptyTrie, key, hash, value), older: recent, recentSize: 1 }
  return { map, hasEvicted: 'slots' in older || older.length > 0 }
}

/**
 * The map after it was set, with some of what was evicted for that, and how many these are. `hasLost`: there is more of it. Omitted:
 * nothing was to be evicted.
 *
 * @param max - How many are kept besides the older generation.
 */
export function keepingSome<V>(
  before: BoundedMap<V>,
  after: BoundedMap<V>,
  isKept: (value: V) => boolean,
  max: number,
): { map: BoundedMap<V>; kept?: number; hasLost?: boolean } {
  if (after.older !== before.recent) return { map: after }
  const evicted = [...trieEntries(before.older)].filter(
    ([key, value]) => boundedGet(after, key) === undefined && isKept(value),
  )
  let { older } = after
  const kept = evicted.slice(0, max)
  for (const [key, value] of kept) older = trieSet(older, key, hashOf(key), value)
  return { map: { ...after, older }, kept: kept.length, hasLost: evicted.length > max }
}

/** The map without an entry; the same map if it has none with this key. */
export function boundedDelete<V>(map: BoundedMap<V>, key: string): BoundedMap<V> {
  const hash = hashOf(key)
  const recent = trieDelete(map.recent, key, hash)
  const older = trieDelete(map.older, key, hash)
  if (recent === map.recent && older === map.older) return map
  return { recent, older, recentSize: recent === map.recent ? map.recentSize : map.recentSize - 1 }
}

/** All entries, in no order. */
export function* boundedEntries<V>({ recent, older }: BoundedMap<V>): Generator<readonly [string, V]> {
  yield* trieEntries(recent)
  for (const entry of trieEntries(older)) {
    const [key] = entry
    if (trieGet(recent, key, hashOf(key)) === undefined) yield entry
  }
}

/** All values, in no order. */
export function* boundedValues<V>(map: BoundedMap<V>): Generator<V> {
  for (const [, value] of boundedEntries(map)) yield value
}
