/**
 * A persistent hash map with string keys, in plain JSON: setting an entry returns a new map that shares
 * most of its nodes with the old one. Any string is a key, `__proto__` included.
 *
 *     branch ──5 bits of the key's hash──▶ branch ──5 more──▶ leaf: up to 8 entries
 */

import { arrayWith } from './vector.ts'

/** A map from strings to values other than `undefined`. */
export type PersistentMap<V> = MapLeaf<V> | MapBranch<V>

/** A few entries. More than 8 only if the hashes of their keys are equal. */
export type MapLeaf<V> = readonly (readonly [key: string, value: V])[]

/** A node for each value of the next bits of the hash. */
export interface MapBranch<V> {
  readonly slots: readonly PersistentMap<V>[]
}

export const emptyMap: MapLeaf<never> = []

const BITS = 5
const WIDTH = 1 << BITS
const MASK = WIDTH - 1
const LEAF_SIZE = 8
/** After this shift, all 32 bits of the hash are used up. */
const LAST_SHIFT = 25

/** The value of a key; `undefined` if it is not set. */
export function mapGet<V>(map: PersistentMap<V>, key: string): V | undefined {
  let node = map
  for (let hash = hashOf(key); 'slots' in node; hash >>>= BITS) node = node.slots[hash & MASK] ?? emptyMap
  for (const [other, value] of node) if (other === key) return value
  return undefined
}

/** The map with an entry set. */
export function mapSet<V>(map: PersistentMap<V>, key: string, value: V): PersistentMap<V> {
  return withEntry(map, hashOf(key), 0, [key, value])
}

/** All entries, in no order. */
export function* mapEntries<V>(map: PersistentMap<V>): Generator<readonly [string, V]> {
  if ('slots' in map) for (const slot of map.slots) yield* mapEntries(slot)
  else yield* map
}

function withEntry<V>(
  node: PersistentMap<V>,
  hash: number,
  shift: number,
  entry: MapLeaf<V>[number],
): PersistentMap<V> {
  if ('slots' in node) {
    const slot = (hash >>> shift) & MASK
    const child = withEntry(node.slots[slot] ?? emptyMap, hash, shift + BITS, entry)
    return { slots: arrayWith(node.slots, slot, child) }
  }
  const at = node.findIndex(([key]) => key === entry[0])
  if (at !== -1) return arrayWith(node, at, entry)
  if (node.length < LEAF_SIZE || shift > LAST_SHIFT) return [...node, entry]
  let branch: PersistentMap<V> = { slots: Array.from({ length: WIDTH }, () => emptyMap) }
  for (const one of [...node, entry]) branch = withEntry(branch, hashOf(one[0]), shift, one)
  return branch
}

/** FNV-1a over the UTF-16 code units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
