/**
 * A first-in first-out list of plain JSON: what the log keeps its entries in.
 *
 *     front          middle, a queue of full blocks          back
 *     [a b c]        [[d … ] [e … ]] … [[x … ]]              [y z]
 *
 * Adding and taking away return a new queue that shares all but one block with the old one. A block
 * is copied for each, and the middle once in {@link BLOCK} times, itself a queue of the same kind: the
 * cost does not grow with the length.
 */

const BLOCK = 32

/** The list. An item is in exactly one place; the middle holds full blocks only. */
export interface Queue<T> {
  readonly front: readonly T[]
  readonly middle?: Queue<readonly T[]>
  readonly back: readonly T[]
}

export const emptyQueue: Queue<never> = { front: [], back: [] }

/** The queue with one more item at its end. */
export function push<T>(queue: Queue<T>, item: T): Queue<T> {
  const { front, middle, back } = queue
  if (back.length < BLOCK) return { ...queue, back: [...back, item] }
  if (front.length === 0) return { front: back, back: [item] }
  return { front, middle: push<readonly T[]>(middle ?? emptyQueue, back), back: [item] }
}

/** The first item; `undefined` when there is none. */
export function first<T>({ front, back }: Queue<T>): T | undefined {
  return front.length > 0 ? front[0] : back[0]
}

/** The queue without its first item. */
export function shift<T>({ front, middle, back }: Queue<T>): Queue<T> {
  const rest = front.slice(1)
  if (rest.length > 0) return middle === undefined ? { front: rest, back } : { front: rest, middle, back }
  if (front.length === 0) return { front: back.slice(1), back: [] }
  const next = middle && first(middle)
  if (middle === undefined || next === undefined) return { front: back, back: [] }
  const others = shift<readonly T[]>(middle)
  return first(others) === undefined ? { front: next, back } : { front: next, middle: others, back }
}

/** How many items there are. */
export function sizeOf(queue: Queue<unknown>): number {
  const { front, middle, back } = queue
  return front.length + (middle === undefined ? 0 : sizeOf(middle) * BLOCK) + back.length
}

/** The items from a place on, in order. The place is counted from the first item, from 0. */
export function itemsFrom<T>(queue: Queue<T>, from: number): T[] {
  const { front, middle, back } = queue
  if (middle === undefined) return [...front, ...back].slice(from)
  const items = front.slice(from)
  const past = Math.max(0, from - front.length)
  const held = sizeOf(middle) * BLOCK
  if (past < held) {
    const blocks = itemsFrom<readonly T[]>(middle, Math.floor(past / BLOCK))
    for (const [i, block] of blocks.entries()) {
      for (let at = i === 0 ? past % BLOCK : 0; at < block.length; at++) items.push(block[at] as T)
    }
  }
  for (let at = Math.max(0, past - held); at < back.length; at++) items.push(back[at] as T)
  return items
}
