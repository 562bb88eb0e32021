/**
 * A persistent first-in first-out queue in plain JSON: holds the entries of a log.
 *
 *     front          middle: a queue of full blocks          back
 *     [a b c]        [[d … ] [e … ]] … [[x … ]]              [y z]
 *
 * Adding and removing return a new queue that shares all but one block with the old one. Each copies one block,
 * and changes the middle, a queue of the same kind, only once per {@link BLOCK} items: the cost is independent of
 * the length.
 */

const BLOCK = 32

/** The queue. The middle holds full blocks only. */
export interface Queue<T> {
  readonly front: readonly T[]
  readonly middle?: Queue<readonly T[]>
  readonly back: readonly T[]
}

export const emptyQueue: Queue<never> = { front: [], back: [] }

/** Adds an item at the end. */
export function enqueue<T>(queue: Queue<T>, item: T): Queue<T> {
  const { front, middle, back } = queue
  if (back.length < BLOCK) return { ...queue, back: [...back, item] }
  if (front.length === 0) return { front: back, back: [item] }
  return { front, middle: enqueue<readonly T[]>(middle ?? emptyQueue, back), back: [item] }
}

/** The first item; `undefined` if the queue is empty. */
export function peek<T>({ front, back }: Queue<T>): T | undefined {
  return front.length > 0 ? front[0] : back[0]
}

/** Removes the first item. */
export function dequeue<T>({ front, middle, back }: Queue<T>): Queue<T> {
  const rest = front.slice(1)
  if (rest.length > 0) return middle === undefined ? { front: rest, back } : { front: rest, middle, back }
  if (front.length === 0) return { front: back.slice(1), back: [] }
  const next = middle && peek(middle)
  if (middle === undefined || next === undefined) return { front: back, back: [] }
  const others = dequeue<readonly T[]>(middle)
  return peek(others) === undefined ? { front: next, back } : { front: next, middle: others, back }
}

/** The number of items. */
export function queueSize(queue: Queue<unknown>): number {
  const { front, middle, back } = queue
  return front.length + (middle === undefined ? 0 : queueSize(middle) * BLOCK) + back.length
}

/** The items from an index on, in order. */
export function queueItems<T>(queue: Queue<T>, from: number): T[] {
  const { front, middle, back } = queue
  if (middle === undefined) return [...front, ...back].slice(from)
  const items = front.slice(from)
  const skipped = Math.max(0, from - front.length)
  const middleSize = queueSize(middle) * BLOCK
  if (skipped < middleSize) {
    const blocks = queueItems<readonly T[]>(middle, Math.floor(skipped / BLOCK))
    for (const [i, block] of blocks.entries()) {
      for (let at = i === 0 ? skipped % BLOCK : 0; at < block.length; at++) items.push(block[at] as T)
    }
  }
  for (let at = Math.max(0, skipped - middleSize); at < back.length; at++) items.push(back[at] as T)
  return items
}
