/** Converts arbitrary values to JSON: at run time, metadata and tool results may contain anything. */

import type { JsonValue } from '../core/json-value.ts'
import { toWellFormed } from '../encoding/surrogates.ts'
import { isFields } from '../validation/predicates.ts'

/** An object that JSON can represent. */
type JsonObject = { [key: string]: JsonValue | undefined }

/** Deeper values are removed: readers reject them, and a cyclic value never ends. */
const MAX_DEPTH = 64

/**
 * A copy of a value that JSON can represent. Drops members that are `undefined`, functions or symbols;
 * replaces a non-finite number by `null`, a bigint and a date by text, and an unpaired surrogate by U+FFFD.
 *
 * @param onChange - Called for each difference between the copy and the value.
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

/** Like {@link cleanJson}, but returns an object: any other value is wrapped as `{ value }`. */
export function cleanObject(value: unknown, onChange?: () => void): JsonObject {
  const copy = cleanJson(value, onChange)
  if (copy === undefined) return {}
  return isFields(copy) ? (copy as JsonObject) : { value: copy }
}

/** The JSON text of {@link cleanJson}; `null` for a value that it removes. */
export function cleanText(value: unknown, onChange?: () => void): string {
  return JSON.stringify(cleanJson(value, onChange) ?? null)
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
  // Creates an own member even for `__proto__`; an assignment would not.
  return Object.fromEntries(entries)
}
