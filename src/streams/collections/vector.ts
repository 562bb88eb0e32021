/**
 * A persistent vector in plain JSON: appending or replacing an item returns a new vector that shares most
 * of its nodes with the old one.
 *
 *     items 0–31 │ items 32–63 │ … │ tail: the last 1–32
 *     └──── leaves of a tree ──────┘
 */

/** A persistent list. Read it with `vectorItems`. */
export interface Vector<T> {
  /** The number of items. */
  readonly size: number
  /** The items before the tail, in a tree of arrays of at most 32. */
  readonly tree: readonly unknown[]
  /** The number of levels of arrays in the tree, including that of the items. */
  readonly depth: number
  /** The last items, at most 32. */
  readonly tail: readonly T[]
}

/** Each level of the tree uses this many bits of an item's position. */
const BITS = 5
const WIDTH = 1 << BITS
const MASK = WIDTH - 1

export const emptyVector: Vector<never> = { size: 0, tree: [], depth: 2, tail: [] }

/** A new array of all items, in order. */
export function vectorItems<T>({ tree, depth, tail }: Vector<T>): T[] {
  const items = tree.flat(depth - 1) as T[]
  for (const item of tail) items.push(item)
  return items
}

/** The item at a position; `undefined` past the end. */
export function vectorGet<T>({ size, tree, depth, tail }: Vector<T>, position: number): T | undefined {
  const start = size - tail.length
  if (position >= start) return tail[position - start]
  let node: unknown = tree
  for (let shift = BITS * (depth - 1); shift >= 0; shift -= BITS) {
    node = (node as readonly unknown[])[(position >>> shift) & MASK]
  }
  return node as T | undefined
}

/** The vector with one more item at its end. */
export function vectorPush<T>({ size, tree, depth, tail }: Vector<T>, item: T): Vector<T> {
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

/** The vector with the item at an existing position replaced. */
export function vectorSet<T>({ size, tree, depth, tail }: Vector<T>, position: number, item: T): Vector<T> {
  const start = size - tail.length
  return position >= start
    ? { size, tree, depth, tail: arrayWith(tail, position - start, item) }
    : { size, tree: withItem(tree, BITS * (depth - 1), position, item), depth, tail }
}

function withLeaf(node: readonly unknown[], depth: number, place: number, leaf: unknown): unknown[] {
  if (depth === 2) return [...node, leaf]
  const span = WIDTH ** (depth - 2)
  const slot = Math.floor(place / span)
  const child = withLeaf((node[slot] ?? []) as readonly unknown[], depth - 1, place % span, leaf)
  return slot < node.length ? arrayWith(node, slot, child) : [...node, child]
}

function withItem(node: readonly unknown[], shift: number, position: number, item: unknown): unknown[] {
  const slot = (position >>> shift) & MASK
  if (shift === 0) return arrayWith(node, slot, item)
  return arrayWith(node, slot, withItem(node[slot] as readonly unknown[], shift - BITS, position, item))
}

/** An array with the item at a position replaced. Faster than `with`, which engines do not copy at once. */
export function arrayWith<T>(items: readonly T[], position: number, item: T): T[] {
  const copy = items.slice()
  copy[position] = item
  return copy
}
