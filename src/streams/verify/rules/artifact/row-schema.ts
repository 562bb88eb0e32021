/** Checking rows against the part of a JSON Schema that needs no interpreter. */

import { hasType } from '../../../../json/schema-type.ts'
import { isFields } from '../../../../validation/predicates.ts'
import type { RowSchema } from '../../state/artifact-state.ts'

/** Only this many columns are checked. */
const MAX_COLUMNS = 64

/** The part of a schema that is checked. `null` if there is none. */
export function rowSchemaOf(schema: Record<string, unknown>): RowSchema | null {
  // Drafts before 2019-09 ignore all keywords beside a reference.
  if ('$ref' in schema) return null
  const required = Array.isArray(schema.required) ? schema.required.filter(isString) : []
  const properties = isFields(schema.properties) ? Object.entries(schema.properties) : []
  const types = properties.flatMap(([name, property]) => {
    if (!isFields(property) || '$ref' in property) return []
    const of = typesIn(property.type)
    return of.length === 0 ? [] : [[name, of] as const]
  })
  return { required: required.slice(0, MAX_COLUMNS), types: types.slice(0, MAX_COLUMNS) }
}

function typesIn(type: unknown): string[] {
  return Array.isArray(type) ? type.filter(isString) : isString(type) ? [type] : []
}

/** The first column that is missing or has another type; `undefined` if the row matches. */
export function invalidColumn(
  row: Record<string, unknown>,
  { required, types }: RowSchema,
): string | undefined {
  const missing = required.find((name) => !Object.hasOwn(row, name))
  if (missing !== undefined) return missing
  const wrong = types.find(
    ([name, of]) => Object.hasOwn(row, name) && !of.some((type) => hasType(row[name], type)),
  )
  return wrong?.[0]
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
