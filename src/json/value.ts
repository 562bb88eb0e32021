/** Reading, comparing and changing JSON values. */

import { isFields } from '../validation/predicates.ts'

/** Parses a reference token as an index of an array of `length` items; `undefined` if it is not one. */
export function arrayIndex(token: string, length: number): number | undefined {
  if (!/^(0|[1-9]\d*)$/.test(token)) return undefined
  const index = Number(token)
  return index < length ? index : undefined
}

/** The value at a location, wrapped in an object; `undefined` if the location does not exist. */
export function valueAt(
  document: unknown,
  tokens: readonly string[],
): { readonly value: unknown } | undefined {
  let value = document
  for (const token of tokens) {
    if (Array.isArray(value)) {
      const index = arrayIndex(token, value.length)
      if (index === undefined) return undefined
      value = value[index]
    } else if (isFields(value) && Object.hasOwn(value, token)) value = value[token]
    else return undefined
  }
  return { value }
}

/** The maximum nesting depth of a recursion, to protect the stack. */
export const MAX_DEPTH = 1000

/**
 * Whether two JSON values are equal. The order of members does not matter; numbers are compared by value.
 * Values nested more than 1000 levels deep count as different.
 */
export function isEqualJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(a)) {
    const isSameLength = Array.isArray(b) && a.length === b.length
    return isSameLength && a.every((item, i) => isEqualJson(item, b[i], depth + 1))
  }
  if (!isFields(a) || !isFields(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqualJson(a[name], b[name], depth + 1))
  )
}
