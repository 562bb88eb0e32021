/**
 * A map from strings to values in plain JSON: setting an entry returns a new map that shares most of its nodes with
 * the old one. Any string is a key, `__proto__` included.
 *
 *     branch ──4 bits of the key's hash──▶ branch ──4 more──▶ leaf: up to 12 entries
 */

import { FNV_OFFSET_BASIS, fnv1a } from '../../encoding/fnv1a.ts'

/** A map from strings to values other than `undefined`. */
export type HashTrie<V> = Leaf<V> | Branch<V>

/**
 * A few entries. More than 12 only if the hashes of their keys are equal. Hash, key and value of each in turn, in one
 * list: a look-up that compares hashes reads no other object, and memory is what takes the time in a large map.
 */
type Leaf<V> = readonly (number | string | V)[]

/** A node for each value of the next bits of the hash. */
interface Branch<V> {
  readonly slots: readonly HashTrie<V>[]
}

export const emptyTrie: HashTrie<never> = []

const BITS = 4
const WIDTH = 1 << BITS
const MASK = WIDTH - 1
/** The members of an entry in a leaf. */
const ENTRY = 3
const LEAF_LENGTH = 12 * ENTRY
/** After this shift, all 32 bits of the hash are used up. */
const LAST_SHIFT = 28

/** The value of a key with the given hash; `undefined` if it is not set. */
export function trieGet<V>(trie: HashTrie<V>, key: string, hash: number): V | undefined {
  let node = trie
  for (let bits = hash; 'slots' in node; bits >>>= BITS) node = node.slots[bits & MASK] ?? emptyTrie
  const at = positionOf(node, key, hash)
  return at === -1 ? undefined : (node[at + 2] as V)
}

/** The map with an entry set, whose key has the given hash. */
export function trieSet<V>(trie: HashTrie<V>, key: string, hash: number, value: V): HashTrie<V> {
  return withEntry(trie, 0, hash, key, value)
}

/** The map without an entry, whose key has the given hash; the same map if it has none. */
export function trieDelete<V>(trie: HashTrie<V>, key: string, hash: number): HashTrie<V> {
  return trieGet(trie, key, hash) === undefined ? trie : withoutEntry(trie, 0, hash, key)
}

/** All entries, in no order. */
export function* trieEntries<V>(trie: HashTrie<V>): Generator<readonly [key: string, value: V]> {
  const nodes = [trie]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if ('slots' in node) nodes.push(...node.slots)
    else {
      for (let at = 0; at < node.length; at += ENTRY) yield [node[at + 1] as string, node[at + 2] as V]
    }
  }
}

/** The hash of a key: an integer of 32 bits with a sign, which engines store in place. */
export function hashOf(key: string): number {
  return fnv1a(FNV_OFFSET_BASIS, key) | 0
}

function withEntry<V>(node: HashTrie<V>, shift: number, hash: number, key: string, value: V): HashTrie<V> {
  if ('slots' in node) {
    const slot = (hash >>> shift) & MASK
    const slots = node.slots.slice()
    slots[slot] = withEntry(node.slots[slot] ?? emptyTrie, shift + BITS, hash, key, value)
    return { slots }
  }
  const at = positionOf(node, key, hash)
  if (at === -1 && node.length >= LEAF_LENGTH && shift <= LAST_SHIFT) {
    let branch: HashTrie<V> = { slots: Array.from({ length: WIDTH }, () => emptyTrie) }
    for (let i = 0; i < node.length; i += ENTRY) {
      branch = withEntry(branch, shift, node[i] as number, node[i + 1] as string, node[i + 2] as V)
    }
    return withEntry(branch, shift, hash, key, value)
  }
  if (at === -1) return [...node, hash, key, value]
  const leaf = node.slice()
  leaf[at + 2] = value
  return leaf
}

function withoutEntry<V>(node: HashTrie<V>, shift: number, hash: number, key: string): HashTrie<V> {
  if (!('slots' in node)) {
    const leaf = node.slice()
    leaf.splice(positionOf(node, key, hash), ENTRY)
    return leaf
  }
  const slots = node.slots.slice()
  const slot = (hash >>> shift) & MASK
  slots[slot] = withoutEntry(node.slots[slot] ?? emptyTrie, shift + BITS, hash, key)
  return slots.every((each) => !('slots' in each) && each.length === 0) ? emptyTrie : { slots }
}

/** Where an entry begins in a leaf; -1 if it has none with this key. */
function positionOf<V>(leaf: Leaf<V>, key: string, hash: number): number {
  for (let at = 0; at < leaf.length; at += ENTRY) if (leaf[at] === hash && leaf[at + 1] === key) return at
  return -1
}
