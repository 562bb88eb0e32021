/**
 * A list in plain JSON that can be appended to and changed at a cost that does not grow with it, while
 * older versions of it stay as they are.
 *
 *     items 0–31 │ items 32–63 │ … │ tail: the last 1–32
 *     └──── leaves of a tree ──────┘
 */

/** A list that grows with history. Read it with {@link listItems}. */
export interface List<T> {
  /** How many items there are. */
  readonly size: number
  /** The items before the tail, in a tree of arrays of at most 32. */
  readonly tree: readonly unknown[]
  /** How many levels of arrays the tree has, the items' own counted in. */
  readonly depth: number
  /** The last items, 32 at most. */
  readonly tail: readonly T[]
}

/** Positions are cut into fives of bits, one for each level. */
const BITS = 5
const WIDTH = 1 << BITS
const LAST = WIDTH - 1

/** The list without items. */
export const emptyList: List<never> = { size: 0, tree: [], depth: 2, tail: [] }

/** All items, in order, as an array of one's own. */
export function listItems<T>(list: List<T>): T[] {
  const items = list.tree.flat(list.depth - 1) as T[]
  for (const item of list.tail) items.push(item)
  return items
}

/** The item at a position; `undefined` where there is none. */
export function listAt<T>({ size, tree, depth, tail }: List<T>, position: number): T | undefined {
  const start = size - tail.length
  if (position >= start) return tail[position - start]
  let node: unknown = tree
  for (let shift = BITS * (depth - 1); shift >= 0; shift -= BITS) {
    node = (node as readonly unknown[])[(position >>> shift) & LAST]
  }
  return node as T | undefined
}

/** The list with one more item at its end. */
export function listWith<T>({ size, tree, depth, tail }: List<T>, item: T): List<T> {
  if (tail.length < WIDTH) return { size: size + 1, tree, depth, tail: [...tail, item] }
  const leaves = (size - tail.length) / WIDTH
  const isFull = leaves === WIDTH ** (depth - 1)
  return {
    size: size + 1,
    tree: isFull ? withLeaf([tree], depth + 1, leaves, tail) : withLeaf(tree, depth, leaves, tail),
    depth: isFull ? depth + 1 : depth,
    tail: [item],
  }
}

/** The list with the item at a position, which it has, replaced. */
export function listReplaced<T>(list: List<T>, position: number, item: T): List<T> {
  const { size, tree, depth, tail } = list
  const start = size - tail.length
  return position >= start
    ? { size, tree, depth, tail: copiedWith(tail, position - start, item) }
    : { size, tree: withItem(tree, BITS * (depth - 1), position, item), depth, tail }
}

function withLeaf(node: readonly unknown[], depth: number, place: number, leaf: unknown): unknown[] {
  if (depth === 2) return [...node, leaf]
  const span = WIDTH ** (depth - 2)
  const slot = Math.floor(place / span)
  const child = withLeaf((node[slot] ?? []) as readonly unknown[], depth - 1, place % span, leaf)
  return slot < node.length ? copiedWith(node, slot, child) : [...node, child]
}

function withItem(node: readonly unknown[], shift: number, position: number, item: unknown): unknown[] {
  const slot = (position >>> shift) & LAST
  if (shift === 0) return copiedWith(node, slot, item)
  return copiedWith(node, slot, withItem(node[slot] as readonly unknown[], shift - BITS, position, item))
}

/** Like `with`, which engines do item by item, where `slice` copies at once. */
export function copiedWith<T>(items: readonly T[], position: number, item: T): T[] {
  const copy = items.slice()
  copy[position] = item
  return copy
}
