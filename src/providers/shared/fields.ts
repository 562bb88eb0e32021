/** Reading chunks of a provider, of which any field may be missing or of another type. */

import { jsonText } from '../../json/json-text.ts'
import { type Fields, isCount, isFields, isId } from '../../validation/predicates.ts'
import { fieldsOf, textOf } from '../../validation/read-fields.ts'

export { type Fields, fieldsOf, isFields, textOf }

/** The objects of an array; none if it is something else. */
export function objectsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** The first of the values that is a text with at least one character; otherwise an empty text. */
export function firstText(...values: readonly unknown[]): string {
  return textOf(values.find(isId))
}

/** A number of tokens or characters; `undefined` if it is something else. */
export function countOf(value: unknown): number | undefined {
  return isCount(value) ? (value as number) : undefined
}

/** The sum of the counts that are known; `undefined` if none is. */
export function sumOf(...values: readonly unknown[]): number | undefined {
  const counts = values.map(countOf).filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

/** A JSON value as text; empty if it is nested too deep. */
export function jsonTextOf(value: unknown): string {
  return jsonText(value) ?? ''
}

/** The members of an object whose names are not listed, unless they are `null`. */
export function without(fields: Fields, names: ReadonlySet<string>): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name, value]) => value != null && !names.has(name))
  return Object.fromEntries(entries)
}
