/** Which keywords of a JSON Schema are checked: what may not be let through is compared with those alone. */

import { parsePointer, toPointer } from '../encoding/pointer.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { valueAt } from './value.ts'

/** The most schemas within one. */
const MAX_SCHEMAS = 10_000

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isList = (value: unknown): boolean => Array.isArray(value)
const isAny = (): boolean => true
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const types = ['null', 'boolean', 'string', 'number', 'integer', 'array', 'object']

/** The keywords without a schema in them, with what they may be. */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().every((type) => types.includes(type as string)) && !isEmpty(value),
  enum: isList,
  const: isAny,
  ...{ minimum: isNumber, maximum: isNumber, exclusiveMinimum: isNumber, exclusiveMaximum: isNumber },
  ...{ minLength: isNumber, maxLength: isNumber, minItems: isNumber, maxItems: isNumber },
  required: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  ...{ title: isAny, description: isAny, default: isAny, examples: isAny, deprecated: isAny },
  ...{ $schema: isAny, $comment: isAny, readOnly: isAny, writeOnly: isAny },
}

/** The keywords with schemas in them. */
const oneSchema = new Set(['items', 'additionalProperties', 'not'])
const listOfSchemas = new Set(['allOf', 'anyOf', 'oneOf'])
const namedSchemas = new Set(['properties', '$defs', 'definitions'])

/**
 * A pointer to the first place of a schema that `schemaIssues` does not check: an unknown keyword, such as `pattern` and `if`, or
 * a known one with a value that it cannot have. `undefined` if it checks all.
 */
export function uncheckedPlace(root: unknown): string | undefined {
  const waiting: { readonly schema: unknown; readonly path: readonly string[] }[] = [
    { schema: root, path: [] },
  ]
  for (let count = 0; ; count++) {
    const next = waiting.pop()
    if (next === undefined) return undefined
    const { schema, path } = next
    if (typeof schema === 'boolean') continue
    if (!isFields(schema) || count >= MAX_SCHEMAS) return toPointer(path)
    for (const [name, value] of Object.entries(schema)) {
      const within = schemasIn(name, value)
      if (within === undefined && !isKnown(root, name, value)) return toPointer([...path, name])
      for (const [key, each] of within ?? []) waiting.push({ schema: each, path: [...path, name, ...key] })
    }
  }
}

/** A schema as a part of another one, at a pointer: its references to itself are to that part. */
export function schemaAt(pointer: string, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((each) => schemaAt(pointer, each))
  if (!isFields(schema)) return schema
  const moved = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (values.has(name)) return [name, value]
    if (name === '$ref') return [name, typeof value === 'string' ? referenceAt(pointer, value) : value]
    if (!schemasByName.has(name) || !isFields(value)) return [name, schemaAt(pointer, value)]
    const named = Object.entries(value).map(([key, each]) => [key, schemaAt(pointer, each)])
    return [name, Object.fromEntries(named)]
  })
  return Object.fromEntries(moved)
}

function referenceAt(pointer: string, reference: string): string {
  return /^#(?:\/|$)/.test(reference) ? `#${pointer}${reference.slice(1)}` : reference
}

/** Keywords whose values are no schemas, and those with schemas by names that are no keywords. */
const values = new Set(['const', 'enum', 'default', 'examples'])
const schemasByName = new Set([...namedSchemas, 'patternProperties', 'dependentSchemas'])

/** The schemas in a keyword; `undefined` if it has no schemas. */
function schemasIn(name: string, value: unknown): [path: string[], schema: unknown][] | undefined {
  if (oneSchema.has(name)) return [[[], value]]
  if (listOfSchemas.has(name) && Array.isArray(value) && value.length > 0)
    return value.map((each, i) => [[String(i)], each])
  if (namedSchemas.has(name) && isFields(value))
    return Object.entries(value).map(([key, each]) => [[key], each])
  return undefined
}

function isKnown(root: unknown, name: string, value: unknown): boolean {
  if (name !== '$ref') return Object.hasOwn(keywords, name) && keywords[name]?.(value) === true
  const tokens = typeof value === 'string' && value.startsWith('#') ? parsePointer(value.slice(1)) : undefined
  return tokens !== undefined && isFields(valueAt(root, tokens)?.value as Fields)
}
