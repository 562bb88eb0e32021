/** Bounded and persistent collections. */

export type { Trie, TrieBranch, TrieLeaf } from './hash-map.ts'
export { type List, listItems } from './list.ts'
export type { Queue } from './queue.ts'
export type { Table } from './table.ts'
