/** Checking rows against a schema, as far as that goes without interpreting JSON Schema. */
import { isFields } from '../../validation/predicates.ts'
import type { VerifiedColumns } from './state.ts'

/** Columns that are remembered. */
const MOST_COLUMNS = 64

/** What a schema asks of a row, as far as it is checked; `null` when that is nothing. */
export function columnsOf(schema: Record<string, unknown>): VerifiedColumns | null {
  // Beside a reference, older drafts ignore everything else.
  if ('$ref' in schema) return null
  const required = Array.isArray(schema.required) ? schema.required.filter(isText) : []
  const properties = isFields(schema.properties) ? Object.entries(schema.properties) : []
  const types = properties.flatMap(([name, property]) => {
    if (!isFields(property) || '$ref' in property) return []
    const of = typesIn(property.type)
    return of.length === 0 ? [] : [[name, of] as const]
  })
  return { required: required.slice(0, MOST_COLUMNS), types: types.slice(0, MOST_COLUMNS) }
}

function typesIn(type: unknown): string[] {
  return Array.isArray(type) ? type.filter(isText) : isText(type) ? [type] : []
}

/** The column of a row that is not as it must be; `undefined` when all are. */
export function wrongColumn(
  row: Record<string, unknown>,
  { required, types }: VerifiedColumns,
): string | undefined {
  const missing = required.find((name) => !Object.hasOwn(row, name))
  if (missing !== undefined) return missing
  const wrong = types.find(
    ([name, of]) => Object.hasOwn(row, name) && !of.some((type) => isOf(type, row[name])),
  )
  return wrong?.[0]
}

/** Whether a value is of a type; of a type that is none, everything is. */
function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'boolean':
    case 'string':
    case 'number':
      return typeof value === type
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isFields(value)
    default:
      return true
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
