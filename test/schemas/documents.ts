/** Arbitraries of documents that a JSON Schema describes, and of documents with one mutation. */
import fc from 'fast-check'
import { isSchema, type JsonSchema, visitSchema } from '../../src/cli/schema/json-schema.ts'
import { jsonValue } from '../support/json.ts'

/** Generates documents for the definitions of a schema, or for any of its subschemas. */
export function documentsIn(root: JsonSchema): (schema: JsonSchema) => fc.Arbitrary<unknown> {
  const defs = Object.entries({ ...root.$defs, ...root.definitions })
  const named = fc.letrec<Record<string, unknown>>((tie) => {
    const make = (schema: JsonSchema): fc.Arbitrary<unknown> => arbitrary(schema, make, tie)
    return Object.fromEntries(defs.map(([name, def]) => [name, make(def)]))
  })
  const tie = (name: string): fc.Arbitrary<unknown> => {
    const found = named[name]
    if (found === undefined) throw new Error(`The schema has no ${name}.`)
    return found
  }
  const make = (schema: JsonSchema): fc.Arbitrary<unknown> => arbitrary(schema, make, tie)
  // Through JSON, because documents are JSON and not JavaScript values.
  return (schema) => make(schema).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
}

function arbitrary(
  schema: JsonSchema,
  make: (schema: JsonSchema) => fc.Arbitrary<unknown>,
  tie: (name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return tie(nameOf(schema.$ref))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const options = schema.oneOf ?? schema.anyOf
  if (options !== undefined) {
    // At its depth limit, fast-check selects the first option.
    const shallowFirst = options.toSorted((a, b) => depthOf(a) - depthOf(b))
    return fc.oneof({ maxDepth: 3, withCrossShrink: true }, ...shallowFirst.map(make))
  }
  if (schema.allOf !== undefined) {
    const parts = fc.tuple(...schema.allOf.map(make))
    return parts.map((all) => (all.every(isSchema) ? Object.assign({}, ...all) : all[0]))
  }
  const [type, ...others] = schema.type === undefined ? [] : [schema.type].flat()
  if (others.length > 0) {
    return fc.oneof(...[type ?? '', ...others].map((each) => make({ ...schema, type: each })))
  }
  switch (type) {
    case 'string':
      return strings(schema)
    case 'integer':
      return fc
        .bigInt({
          min: BigInt(schema.minimum ?? Number.MIN_SAFE_INTEGER),
          max: BigInt(schema.maximum ?? Number.MAX_SAFE_INTEGER),
        })
        .map(Number)
    case 'number':
      return fc.double({
        noNaN: true,
        min: schema.minimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(make(schema.items ?? {}), { maxLength: 3 })
    case 'object':
      return objects(schema, make)
    default:
      return jsonValue({ maxDepth: 2 })
  }
}

function nameOf(ref: string): string {
  return decodeURIComponent(ref.replace(/^#\/(\$defs|definitions)\//, ''))
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

function depthOf(schema: JsonSchema): number {
  return schema.$ref !== undefined || schema.type === 'object' || schema.type === 'array' ? 1 : 0
}

function strings(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'date-time') return timestamps
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
  return fc.string({ minLength: schema.minLength ?? 0, maxLength: 8, unit: 'grapheme' })
}

/** RFC 3339 timestamps: with and without fraction, with `Z` or an offset. */
const timestamps: fc.Arbitrary<string> = fc
  .tuple(
    fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom('', '.1', '.123', '.123456789'),
    fc.constantFrom('Z', '+00:00', '+05:30', '-23:59'),
  )
  .map(([date, fraction, zone]) => date.toISOString().slice(0, 19) + fraction + zone)

function objects(
  schema: JsonSchema,
  make: (schema: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => [key, make(field)] as const)
  const declared = fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
  if (schema.additionalProperties === false) return declared
  const more = isSchema(schema.additionalProperties) ? make(schema.additionalProperties) : jsonValue()
  // A prefix keeps additional fields from colliding with declared ones.
  const key = fc.string({ maxLength: 4 }).map((text) => `x-${text}`)
  const extra = fc.dictionary(key, more, { maxKeys: 2 })
  return fc.tuple(extra, declared).map(([others, own]) => ({ ...others, ...own }))
}

/** The material of mutations: field names and values from all given schemas. */
export interface Material {
  readonly keys: readonly string[]
  readonly values: readonly unknown[]
  /** The values that fields of that name may have in any schema. */
  readonly valuesOf: ReadonlyMap<string, readonly unknown[]>
}

export function harvest(schemas: readonly JsonSchema[]): Material {
  const valuesOf = new Map<string, unknown[]>()
  const values = new Set<unknown>(EDGES)
  for (const root of schemas) {
    const defs = { ...root.$defs, ...root.definitions }
    visitSchema(root, (schema) => {
      for (const [key, field] of Object.entries(schema.properties ?? {})) {
        const target = field.$ref === undefined ? field : (defs[nameOf(field.$ref)] ?? {})
        const named = [...(target.enum ?? []), ...(target.const === undefined ? [] : [target.const])]
        for (const value of named) values.add(value)
        const found = [...(valuesOf.get(key) ?? []), ...named, ...justOutside(target)]
        valuesOf.set(key, [...new Set(found)])
      }
    })
  }
  return { keys: [...valuesOf.keys()], values: [...values], valuesOf }
}

/** Values that are almost valid for a field of any type. */
function justOutside({ minimum, maximum, format }: JsonSchema): unknown[] {
  if (format === 'date-time') return [null, '', ...NEARLY_INSTANTS]
  const below = minimum === undefined ? [] : [minimum - 1, minimum + 0.5]
  return [null, '', ...below, ...(maximum === undefined ? [] : [maximum + 1])]
}

/** What some validators accept as a date-time, and leap days. */
const NEARLY_INSTANTS = [
  '2026-03-14T08:00:60Z',
  '2026-03-14T24:00:00Z',
  '2026-03-14t08:00:00Z',
  '2026-03-14T08:00:00z',
  '2026-03-14 08:00:00Z',
  '2026-03-14T08:00:00+0200',
  '2026-03-14T08:00:00+24:00',
  '2026-03-14T08:00Z',
  '2026-03-14T08:00:00.Z',
  '2026-03-14T08:00:00',
  '2026-03-14T08:00:00Z\n',
  '٢٠٢٦-03-14T08:00:00Z',
  '2026-04-31T08:00:00Z',
  '2023-02-29T08:00:00Z',
  '2024-02-29T08:00:00Z',
  '1900-02-29T08:00:00Z',
  '2000-02-29T08:00:00Z',
]

const EDGES = [
  null,
  true,
  false,
  '',
  'text',
  '2026-02-30T00:00:00Z',
  '2026-03-14T08:00:00',
  0,
  -1,
  0.5,
  1,
  2,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e300,
  [],
  [0],
  [null],
  ['text'],
  [{}],
  {},
]

/** The document with one change: a field or item removed, replaced or added. */
export function mutated(document: fc.Arbitrary<unknown>, material: Material): fc.Arbitrary<unknown> {
  return fc
    .tuple(document, fc.nat(), fc.nat(), fc.nat(), fc.nat())
    .map(([value, place, how, key, what]) => mutate(value, { place, how, key, what }, material))
}

interface Choices {
  readonly place: number
  readonly how: number
  readonly key: number
  readonly what: number
}

function mutate(document: unknown, choices: Choices, material: Material): unknown {
  const pick = <T>(list: readonly T[], choice: number): T | undefined => list[choice % list.length]
  // A copy: a later change must not reach the material, or other documents with the same value.
  const valueFrom = (list: readonly unknown[]): unknown => structuredClone(pick(list, choices.what))
  const slots = slotsOf(document)
  const slot = pick(slots, choices.place)
  if (slot === undefined) return valueFrom(material.values)
  const { holder, key } = slot
  const near = material.valuesOf.get(String(key)) ?? []
  switch (choices.how % 6) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      return document
    case 1:
    case 2:
    case 3:
      holder[key] = valueFrom(near) ?? valueFrom(material.values)
      return document
    case 4:
      holder[key] = valueFrom(material.values)
      return document
    default: {
      const added = pick(material.keys, choices.key) ?? 'added'
      if (!Array.isArray(holder)) holder[added] = valueFrom(material.values)
      else holder.push(valueFrom(material.values))
      return document
    }
  }
}

interface Slot {
  readonly holder: Record<string | number, unknown>
  readonly key: string | number
}

/** Every location in a document, with as much weight on the outer ones as on all inner ones together. */
function slotsOf(document: unknown): Slot[] {
  if (typeof document !== 'object' || document === null) return []
  const holder = document as Record<string, unknown>
  const here = Object.keys(holder).map((key) => ({ holder, key }))
  const inside = Object.values(holder).flatMap(slotsOf)
  const times = Math.max(1, Math.ceil(inside.length / Math.max(1, here.length)))
  return [...Array.from({ length: times }, () => here).flat(), ...inside]
}
