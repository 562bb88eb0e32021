/** Reads JSON of uncertain shape without throwing. */

export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; an empty object if it is not one. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The items of an array as objects; empty if the value is not an array. */
export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : []
}

/** Whether the value is a non-empty string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Parses JSON text to an object; `undefined` if it is not JSON or not an object. */
export function parseFields(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return fields(value) === value ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}
