/** JSON in one form for all equal values, to compare and to hash. */

import { isFields } from '../validation/predicates.ts'
import { MAX_DEPTH } from './value.ts'

/**
 * The text of a JSON value without spaces and with sorted members, as RFC 8785 writes it. `undefined` if it is nested
 * more than 1000 levels deep.
 */
export function canonicalJson(value: unknown): string | undefined {
  try {
    return write(value, 0)
  } catch (error) {
    if (error === TOO_DEEP) return undefined
    throw error
  }
}

const TOO_DEEP: unique symbol = /* @__PURE__ */ Symbol('too deep')

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw TOO_DEEP
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`
  if (!isFields(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${write(value[name], depth + 1)}`)
  return `{${members.join(',')}}`
}
