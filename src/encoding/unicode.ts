/** Unicode in JSON: which texts of a value have unpaired surrogates, and the value without them (RFC 7493, 2.1). */
import { isWellFormed, toWellFormed } from './surrogates.ts'

/** Deeper values are not looked at: no reader takes them. */
const MAX_DEPTH = 256

/** Whether all texts and member names of a JSON value are Unicode. */
export function isUnicode(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isWellFormed(value)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return true
  if (Array.isArray(value)) {
    for (const item of value) if (!isUnicode(item, depth + 1)) return false
    return true
  }
  for (const key in value) {
    // Most members are short texts: a call for each takes longer than the check.
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'string' ? !isWellFormed(inner) : !isUnicode(inner, depth + 1)) return false
    if (!isWellFormed(key)) return false
  }
  return true
}

/** Called with the place of a text or member name, and the text itself. */
export type OnHalf = (path: readonly (string | number)[], text: string) => void

/**
 * The value with U+FFFD for each unpaired surrogate; the value itself if it has none.
 *
 * @param onHalf - Called for each text and member name that has one.
 */
export function toUnicode(value: unknown, onHalf: OnHalf, path: readonly (string | number)[] = []): unknown {
  if (typeof value === 'string') {
    if (isWellFormed(value)) return value
    onHalf(path, value)
    return toWellFormed(value)
  }
  if (isUnicode(value) || path.length > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item, i) => toUnicode(item, onHalf, [...path, i]))
  const entries = Object.entries(value as object).map(([key, inner]): [string, unknown] => {
    if (!isWellFormed(key)) onHalf([...path, key], key)
    return [toWellFormed(key), toUnicode(inner, onHalf, [...path, key])]
  })
  // Creates an own member even for `__proto__`; an assignment would not.
  return Object.fromEntries(entries)
}
