/**
 * A bounded map that evicts what was not set for the longest time. Plain JSON.
 *
 * Entries are set in the recent generation. When it is full, it becomes the older one, and the previous
 * older generation is evicted.
 */

import { emptyMap, mapEntries, mapGet, mapSet, type PersistentMap } from './persistent-map.ts'

/** The map. An entry of `recent` takes precedence over one of `older`. */
export interface GenerationalMap<V> {
  readonly recent: PersistentMap<V>
  readonly older: PersistentMap<V>
  /** The number of entries in `recent`. */
  readonly recentSize: number
}

/** The size of a generation. The map holds at least this many entries, and at most twice as many. */
export const GENERATION_SIZE = 4096

export const emptyGenerational: GenerationalMap<never> = { recent: emptyMap, older: emptyMap, recentSize: 0 }

export function generationalGet<V>({ recent, older }: GenerationalMap<V>, key: string): V | undefined {
  return mapGet(recent, key) ?? mapGet(older, key)
}

/** The map with an entry set, and whether others were evicted for it. */
export function generationalSet<V>(
  { recent, older, recentSize }: GenerationalMap<V>,
  key: string,
  value: V,
): { map: GenerationalMap<V>; hasEvicted: boolean } {
  const isSet = mapGet(recent, key) !== undefined
  if (isSet || recentSize < GENERATION_SIZE) {
    const size = isSet ? recentSize : recentSize + 1
    return { map: { recent: mapSet(recent, key, value), older, recentSize: size }, hasEvicted: false }
  }
  const map = { recent: mapSet<V>(emptyMap, key, value), older: recent, recentSize: 1 }
  return { map, hasEvicted: 'slots' in older || older.length > 0 }
}

/** All values, in no order. */
export function* generationalValues<V>({ recent, older }: GenerationalMap<V>): Generator<V> {
  for (const [, value] of mapEntries(recent)) yield value
  for (const [key, value] of mapEntries(older)) if (mapGet(recent, key) === undefined) yield value
}

/** A list with one more item, without its first item if it would be longer than `max`. */
export function pushBounded<T>(list: readonly T[], item: T, max = 256): readonly T[] {
  return list.length < max ? [...list, item] : [...list.slice(1 - max), item]
}

/** A list without an item. */
export function without<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : list
}
