/** The bounds of the lists in the state. */

/** The maximum length of a list. */
export const MAX_ITEMS = 64

/** The maximum length of a name in a list, in UTF-16 units. */
const MAX_NAME = 1024

/** Whether a list may have dropped items. */
export function isFull(list: readonly unknown[]): boolean {
  return list.length === MAX_ITEMS
}

/** A list of names that can be stored; `null` if it has too many, or one is too long. */
export function storable(names: readonly string[]): readonly string[] | null {
  return names.length < MAX_ITEMS && names.every(({ length }) => length <= MAX_NAME) ? [...names] : null
}
