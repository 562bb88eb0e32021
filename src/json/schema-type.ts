/** The types of JSON Schema. */

import { isFields } from '../validation/predicates.ts'

/** Whether a value has a type of JSON Schema. Every value has an unknown type. */
export function hasType(value: unknown, type: string): boolean {
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
