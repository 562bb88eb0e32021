/** A persistent list whose items can also be found by key. Plain JSON; items are never removed. */

import { emptyMap, mapGet, mapSet, type PersistentMap } from './persistent-map.ts'
import { emptyVector, type Vector, vectorGet, vectorPush, vectorSet } from './vector.ts'

/** Items in the order in which they were added, and their positions by key. */
export interface KeyedList<T> {
  readonly items: Vector<T>
  /** Positions in `items`, by key. Items without a key have no entry. */
  readonly positions: PersistentMap<number>
}

export const emptyKeyed: KeyedList<never> = { items: emptyVector, positions: emptyMap }

/** The item with a key; `undefined` if there is none. */
export function keyedGet<T>({ items, positions }: KeyedList<T>, key: string): T | undefined {
  const position = mapGet(positions, key)
  return position === undefined ? undefined : vectorGet(items, position)
}

/** The list with the item of a key replaced, or added at the end if the key is new. */
export function keyedSet<T>({ items, positions }: KeyedList<T>, key: string, item: T): KeyedList<T> {
  const position = mapGet(positions, key)
  return position === undefined
    ? { items: vectorPush(items, item), positions: mapSet(positions, key, items.size) }
    : { items: vectorSet(items, position, item), positions }
}
