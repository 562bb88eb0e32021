/** Short lists whose length is bounded. */

/** A list with one more item, without its first item if it would be longer than `max`. */
export function pushBounded<T>(list: readonly T[], item: T, max = 256): readonly T[] {
  return list.length < max ? [...list, item] : [...list.slice(1 - max), item]
}

/** A list with an item, which is added as {@link pushBounded} does if it is not there. */
export function including<T>(list: readonly T[], item: T, max?: number): readonly T[] {
  return list.includes(item) ? list : pushBounded(list, item, max)
}

/** A list without an item; the same list if it has no such item. */
export function without<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : list
}
