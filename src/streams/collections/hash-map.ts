/**
 * A map from texts in plain JSON that can be added to at a cost that does not grow with it, while older
 * versions of it stay as they are. Any text is a key, `__proto__` included.
 *
 *     branch ──5 bits of the key's hash──▶ branch ──5 more──▶ leaf: up to 8 entries
 */

import { copiedWith } from './list.ts'

/** A map from texts to values that are not `undefined`. */
export type Trie<V> = TrieLeaf<V> | TrieBranch<V>

/** Few entries. More than 8 only where the hashes of the keys are alike. */
export type TrieLeaf<V> = readonly (readonly [key: string, value: V])[]

/** Many entries, told apart by the next bits of their hash. */
export interface TrieBranch<V> {
  readonly slots: readonly Trie<V>[]
}

/** The map without entries. */
export const emptyTrie: TrieLeaf<never> = []

const BITS = 5
const WIDTH = 1 << BITS
const LAST = WIDTH - 1
const LEAF_SIZE = 8

/** The value of a key; `undefined` where there is none. */
export function trieGet<V>(trie: Trie<V>, key: string): V | undefined {
  let node = trie
  for (let hash = hashOf(key); 'slots' in node; hash >>>= BITS) node = node.slots[hash & LAST] ?? emptyTrie
  for (const [other, value] of node) if (other === key) return value
  return undefined
}

/** The map with the value of a key set. */
export function trieWith<V>(trie: Trie<V>, key: string, value: V): Trie<V> {
  return withEntry(trie, hashOf(key), 0, [key, value])
}

/** All entries, in no order. */
export function* trieEntries<V>(trie: Trie<V>): Generator<readonly [string, V]> {
  if ('slots' in trie) for (const slot of trie.slots) yield* trieEntries(slot)
  else yield* trie
}

function withEntry<V>(node: Trie<V>, hash: number, shift: number, entry: TrieLeaf<V>[number]): Trie<V> {
  if ('slots' in node) {
    const slot = (hash >>> shift) & LAST
    return {
      slots: copiedWith(
        node.slots,
        slot,
        withEntry(node.slots[slot] ?? emptyTrie, hash, shift + BITS, entry),
      ),
    }
  }
  const at = node.findIndex(([key]) => key === entry[0])
  if (at !== -1) return copiedWith(node, at, entry)
  // 32 bits of hash are used up after six branches; what is alike so far stays together.
  if (node.length < LEAF_SIZE || shift > 25) return [...node, entry]
  let branch: Trie<V> = { slots: Array.from({ length: WIDTH }, () => emptyTrie) }
  for (const one of [...node, entry]) branch = withEntry(branch, hashOf(one[0]), shift, one)
  return branch
}

/** FNV-1a over the UTF-16 code units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
