/** JSON Schema documents: their type, and functions to traverse them. */

/** A JSON Schema, with the keywords that the published schemas use. */
export interface JsonSchema {
  $schema?: string
  $id?: string
  $ref?: string
  $defs?: Record<string, JsonSchema>
  definitions?: Record<string, JsonSchema>
  title?: string
  description?: string
  examples?: unknown[]
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  if?: JsonSchema
  then?: JsonSchema
  [keyword: string]: unknown
}

const MAPS = ['$defs', 'definitions', 'properties'] as const
const LISTS = ['oneOf', 'anyOf', 'allOf', 'prefixItems'] as const
const SINGLES = ['items', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'] as const

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy with `change` applied to every subschema, innermost first. */
export function mapSchema(
  schema: JsonSchema,
  change: (schema: JsonSchema, pointer: string) => JsonSchema,
  pointer = '',
): JsonSchema {
  const copy: JsonSchema = { ...schema }
  for (const [keyword, key, inner] of subschemas(schema)) {
    const at = `${pointer}/${keyword}${key === undefined ? '' : `/${escapePointer(key)}`}`
    const changed = mapSchema(inner, change, at)
    if (key === undefined) copy[keyword] = changed
    else if (Array.isArray(copy[keyword])) copy[keyword] = copy[keyword].with(Number(key), changed)
    else copy[keyword] = { ...(copy[keyword] as object), [key]: changed }
  }
  return change(copy, pointer)
}

/** Calls `visit` for the schema and each nested schema. */
export function visitSchema(schema: JsonSchema, visit: (schema: JsonSchema, pointer: string) => void): void {
  mapSchema(schema, (inner, pointer) => {
    visit(inner, pointer)
    return inner
  })
}

/** The direct subschemas: keyword, key within the keyword if it has several, subschema. */
function* subschemas(schema: JsonSchema): Generator<[string, string | undefined, JsonSchema]> {
  for (const keyword of MAPS) {
    for (const [key, inner] of Object.entries(schema[keyword] ?? {})) yield [keyword, key, inner]
  }
  for (const keyword of LISTS) {
    const list = schema[keyword]
    if (!Array.isArray(list)) continue
    for (const [index, inner] of list.entries()) yield [keyword, String(index), inner as JsonSchema]
  }
  for (const keyword of SINGLES) {
    const inner = schema[keyword]
    if (isSchema(inner)) yield [keyword, undefined, inner]
  }
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

const DEFS = '#/$defs/'

/** A reference to a named definition. */
export function refTo(name: string): JsonSchema {
  return { $ref: DEFS + name }
}

/** The name that a reference points to; `undefined` if it is not a reference to a definition. */
export function refName(schema: JsonSchema): string | undefined {
  return schema.$ref?.startsWith(DEFS) ? schema.$ref.slice(DEFS.length) : undefined
}

/** Resolves a reference into `root`; returns any other schema itself. */
export function resolve(root: JsonSchema, schema: JsonSchema): JsonSchema {
  const name = refName(schema)
  if (name === undefined) return schema
  const target = root.$defs?.[name]
  if (target === undefined) throw new Error(`Expected a definition of ${name}, got none.`)
  return target
}

/** A copy without unused definitions. */
export function withoutUnused(root: JsonSchema): JsonSchema {
  const { $defs = {}, ...rest } = root
  const used = new Set<string>()
  const follow = (schema: JsonSchema): void =>
    visitSchema(schema, (inner) => {
      const name = refName(inner)
      if (name === undefined || used.has(name)) return
      used.add(name)
      follow(resolve(root, inner))
    })
  follow(rest)
  return { ...rest, $defs: Object.fromEntries(Object.entries($defs).filter(([name]) => used.has(name))) }
}

/** A copy with sorted keys, so that equal values have equal text. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isSchema(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]))
}

/** Whether two JSON values are equal, regardless of the order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}
