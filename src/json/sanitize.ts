/** Making sure that what goes out is JSON: metadata and tool results may hold anything. */

import type { JsonValue } from '../core/schema.ts'
import { toWellFormed } from '../encoding/surrogates.ts'
import type { Metadata } from '../events/fields.ts'
import { isFields } from '../validation/predicates.ts'

/** Deeper values are cut off: readers refuse them, and a cyclic value has no end. */
const MAX_DEPTH = 64

/**
 * A copy of a value as JSON can say it. Members that are `undefined` or no data at all go, a
 * number that is not finite becomes `null`, a big integer and a date become text, and half a
 * character becomes U+FFFD.
 *
 * @param onChange - Called when the copy says something else than the value.
 */
export function cleanJson(value: unknown, onChange: () => void = () => {}): JsonValue | undefined {
  try {
    return clean(value, 0, onChange)
  } catch {
    // A getter or a `toJSON` that throws.
    onChange()
    return undefined
  }
}

/** The same for an object. Anything else is wrapped as `{ value }`. */
export function cleanObject(value: unknown, onChange?: () => void): Metadata {
  const copy = cleanJson(value, onChange)
  if (copy === undefined) return {}
  return isFields(copy) ? (copy as Metadata) : { value: copy }
}

function clean(value: unknown, depth: number, onChange: () => void): JsonValue | undefined {
  switch (typeof value) {
    case 'string': {
      const text = toWellFormed(value)
      if (text !== value) onChange()
      return text
    }
    case 'boolean':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      onChange()
      return null
    case 'bigint':
      onChange()
      return String(value)
    case 'object':
      return value === null ? null : cleanComposite(value, depth + 1, onChange)
    case 'undefined':
      return undefined
    default:
      onChange()
      return undefined
  }
}

function cleanComposite(value: object, depth: number, onChange: () => void): JsonValue | undefined {
  if (depth > MAX_DEPTH) {
    onChange()
    return undefined
  }
  if (Array.isArray(value)) return value.map((item) => clean(item, depth, onChange) ?? null)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    onChange()
    return clean(value.toJSON(), depth, onChange)
  }
  const entries: [string, JsonValue][] = []
  for (const [key, inner] of Object.entries(value)) {
    const copy = clean(inner, depth, onChange)
    if (copy !== undefined) entries.push([toWellFormed(key), copy])
  }
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(entries)
}
