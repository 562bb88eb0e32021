/** A list whose items can also be found by key. Plain JSON; items are never removed. */

import { emptyTrie, type Trie, trieGet, trieWith } from './hash-map.ts'
import { emptyList, type List, listAt, listReplaced, listWith } from './list.ts'

/** Items in the order in which they came, and where each is by its key. */
export interface Table<T> {
  readonly rows: List<T>
  /** Positions in `rows` by key. Items without a key are not in it. */
  readonly positions: Trie<number>
}

/** The table without items. */
export const emptyTable: Table<never> = { rows: emptyList, positions: emptyTrie }

/** The item with a key; `undefined` where there is none. */
export function tableGet<T>(table: Table<T>, key: string): T | undefined {
  const position = trieGet(table.positions, key)
  return position === undefined ? undefined : listAt(table.rows, position)
}

/** The table with the item of a key replaced, or added at the end where there is none. */
export function tableWith<T>(table: Table<T>, key: string, item: T): Table<T> {
  const position = trieGet(table.positions, key)
  if (position === undefined) {
    return { rows: listWith(table.rows, item), positions: trieWith(table.positions, key, table.rows.size) }
  }
  return { rows: listReplaced(table.rows, position, item), positions: table.positions }
}
