/** JSON pointers (RFC 6901), and what JSON values have at them. */

/** The names on the way to a place; `undefined` when a text is no pointer. */
export function pointerNames(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The position a name stands for in an array of a length; `undefined` when it is none. */
export function positionOf(name: string, length: number): number | undefined {
  if (!/^(0|[1-9]\d*)$/.test(name)) return undefined
  const position = Number(name)
  return position < length ? position : undefined
}

/** The value at a place, in a box; `undefined` when there is none. */
export function valueAt(
  document: unknown,
  names: readonly string[],
): { readonly value: unknown } | undefined {
  let value = document
  for (const name of names) {
    if (Array.isArray(value)) {
      const position = positionOf(name, value.length)
      if (position === undefined) return undefined
      value = value[position]
    } else if (isRecord(value) && Object.hasOwn(value, name)) value = value[name]
    else return undefined
  }
  return { value }
}

/** What is nested deeper is not walked: the stack has an end. */
export const DEEPEST = 1000

/**
 * Whether two JSON values are equal. Members may be in any order; numbers are equal by value. Values
 * nested deeper than 1000 levels are not.
 */
export function isEqualJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (depth > DEEPEST) return false
  if (Array.isArray(a)) {
    const isLike = Array.isArray(b) && a.length === b.length
    return isLike && a.every((item, i) => isEqualJson(item, b[i], depth + 1))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqualJson(a[name], b[name], depth + 1))
  )
}

/** How long a value is as JSON, roughly; `undefined` when that is more than there is room for. */
export function sizeWithin(value: unknown, room: number): number | undefined {
  let size = 0
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    size += typeof next === 'string' ? next.length + 2 : 2
    if (Array.isArray(next)) for (const item of next) rest.push(item)
    else if (isRecord(next)) {
      for (const [name, member] of Object.entries(next)) {
        size += name.length
        rest.push(member)
      }
    }
    if (size + rest.length > room) return undefined
  }
  return size
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy of a record with a member set, whatever its name is. */
export function withMember(
  record: Record<string, unknown>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  // A computed name in a literal makes a member of `__proto__` too, where an assignment would not.
  return { ...record, [name]: value }
}

export function withoutMember(record: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = record
  return rest
}
