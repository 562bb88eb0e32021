/**
 * A map from strings to values in plain JSON: setting an entry returns a new map that shares most of its nodes with
 * the old one. Any string is a key, `__proto__` included.
 *
 *     branch ──5 bits of the key's hash──▶ branch ──5 more──▶ leaf: up to 8 entries
 */

import { FNV_OFFSET_BASIS, fnv1a } from '../../encoding/fnv1a.ts'

/** A map from strings to values other than `undefined`. */
export type HashTrie<V> = Leaf<V> | Branch<V>

/** A few entries. More than 8 only if the hashes of their keys are equal. */
type Leaf<V> = readonly Entry<V>[]

type Entry<V> = readonly [key: string, value: V]

/** A node for each value of the next bits of the hash. */
interface Branch<V> {
  readonly slots: readonly HashTrie<V>[]
}

export const emptyTrie: HashTrie<never> = []

const BITS = 5
const WIDTH = 1 << BITS
const MASK = WIDTH - 1
const LEAF_SIZE = 8
/** After this shift, all 32 bits of the hash are used up. */
const LAST_SHIFT = 25

/** The value of a key with the given hash; `undefined` if it is not set. */
export function trieGet<V>(trie: HashTrie<V>, key: string, hash: number): V | undefined {
  let node = trie
  for (let bits = hash; 'slots' in node; bits >>>= BITS) node = node.slots[bits & MASK] ?? emptyTrie
  return node[positionOf(node, key)]?.[1]
}

/** The map with an entry set, whose key has the given hash. */
export function trieSet<V>(trie: HashTrie<V>, key: string, hash: number, value: V): HashTrie<V> {
  return withEntry(trie, hash, 0, [key, value])
}

/** The map without an entry, whose key has the given hash; the same map if it has none. */
export function trieDelete<V>(trie: HashTrie<V>, key: string, hash: number): HashTrie<V> {
  return trieGet(trie, key, hash) === undefined ? trie : withoutEntry(trie, hash, key)
}

/** All entries, in no order. */
export function* trieEntries<V>(trie: HashTrie<V>): Generator<Entry<V>> {
  if ('slots' in trie) for (const slot of trie.slots) yield* trieEntries(slot)
  else yield* trie
}

/** The hash of a key. */
export function hashOf(key: string): number {
  return fnv1a(FNV_OFFSET_BASIS, key)
}

function withEntry<V>(node: HashTrie<V>, hash: number, shift: number, entry: Entry<V>): HashTrie<V> {
  if ('slots' in node) {
    const slot = (hash >>> shift) & MASK
    const slots = node.slots.slice()
    slots[slot] = withEntry(node.slots[slot] ?? emptyTrie, hash, shift + BITS, entry)
    return { slots }
  }
  const at = positionOf(node, entry[0])
  if (at === -1 && node.length >= LEAF_SIZE && shift <= LAST_SHIFT) {
    let branch: HashTrie<V> = { slots: Array.from({ length: WIDTH }, () => emptyTrie) }
    for (const one of [...node, entry]) branch = withEntry(branch, hashOf(one[0]), shift, one)
    return branch
  }
  const leaf = node.slice()
  leaf[at === -1 ? leaf.length : at] = entry
  return leaf
}

function withoutEntry<V>(node: HashTrie<V>, hash: number, key: string): HashTrie<V> {
  if (!('slots' in node)) return node.filter((entry) => entry[0] !== key)
  const slots = node.slots.slice()
  const slot = hash & MASK
  slots[slot] = withoutEntry(node.slots[slot] ?? emptyTrie, hash >>> BITS, key)
  return slots.every((each) => !('slots' in each) && each.length === 0) ? emptyTrie : { slots }
}

function positionOf<V>(leaf: Leaf<V>, key: string): number {
  for (let at = 0; at < leaf.length; at++) if (leaf[at]?.[0] === key) return at
  return -1
}
