/** Looking into JSON of which only the outline is known, without ever throwing. */

export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; an empty one when it is none. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The objects of a list; none when it is no list. */
export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : []
}

/** Whether the value is text with something in it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** JSON text as an object; `undefined` when it is no JSON or another type of value. */
export function parseFields(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return fields(value) === value ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}
