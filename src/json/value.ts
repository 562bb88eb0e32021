/** Reading, comparing and copying JSON values. */

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

/** The approximate length of a value as JSON text; `undefined` if it exceeds `limit`. */
export function sizeWithin(value: unknown, limit: number): number | undefined {
  let size = 0
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    size += typeof next === 'string' ? next.length + 2 : 2
    if (Array.isArray(next)) for (const item of next) pending.push(item)
    else if (isFields(next)) {
      for (const [name, member] of Object.entries(next)) {
        size += name.length
        pending.push(member)
      }
    }
    if (size + pending.length > limit) return undefined
  }
  return size
}

/** A copy of an object with one member set. */
export function withMember(
  record: Record<string, unknown>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  // A computed name creates an own member even for `__proto__`; an assignment would not.
  return { ...record, [name]: value }
}

/** A copy of an object without one member. */
export function withoutMember(record: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = record
  return rest
}
