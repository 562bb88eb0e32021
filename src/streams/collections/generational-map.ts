/**
 * A map that forgets: what was neither set nor changed for long goes. Plain JSON.
 *
 * Two generations: what is set goes into the young one; when that is full it becomes the old one, and
 * the old one is forgotten.
 */
import { emptyTrie, type Trie, trieEntries, trieGet, trieWith } from './hash-map.ts'

export interface Memory<V> {
  readonly young: Trie<V>
  readonly old: Trie<V>
  /** How many there are in the young generation. */
  readonly size: number
}

/** How many a generation holds: this many are remembered at least, and twice as many at most. */
export const GENERATION = 4096

export const emptyMemory: Memory<never> = { young: emptyTrie, old: emptyTrie, size: 0 }

export function recall<V>({ young, old }: Memory<V>, key: string): V | undefined {
  return trieGet(young, key) ?? trieGet(old, key)
}

/** The memory with a value set, and whether others were forgotten for it. */
export function remembering<V>(
  { young, old, size }: Memory<V>,
  key: string,
  value: V,
): { memory: Memory<V>; hasForgotten: boolean } {
  if (trieGet(young, key) !== undefined) {
    return { memory: { young: trieWith(young, key, value), old, size }, hasForgotten: false }
  }
  if (size < GENERATION) {
    return { memory: { young: trieWith(young, key, value), old, size: size + 1 }, hasForgotten: false }
  }
  const memory = { young: trieWith<V>(emptyTrie, key, value), old: young, size: 1 }
  return { memory, hasForgotten: 'slots' in old || old.length > 0 }
}

/** Everything that is remembered, in no order. */
export function* recollections<V>({ young, old }: Memory<V>): Generator<V> {
  for (const [, value] of trieEntries(young)) yield value
  for (const [key, value] of trieEntries(old)) if (trieGet(young, key) === undefined) yield value
}

/** A short list with one more item, and without the first where it would be too long. */
export function listed<T>(list: readonly T[], item: T, most = 256): readonly T[] {
  return list.length < most ? [...list, item] : [...list.slice(1 - most), item]
}

/** A short list without an item. */
export function unlisted<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : list
}
