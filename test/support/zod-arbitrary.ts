/** Arbitraries of values that a zod schema accepts, and of values with one change. */
import fc from 'fast-check'
import type * as z from 'zod/mini'
import { jsonNumber, jsonValue } from './json.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Values that are known to break validators. */
const hostile: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  undefined,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  2 ** 53 - 1,
  '',
  ' ',
  '__proto__',
  'content-delta',
  '2026-02-30T00:00:00Z',
  [],
  [null],
  [[]],
  {},
  { __proto__: null },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { constructor: 1 },
  { length: 3 },
)

const timestamp: fc.Arbitrary<string> = fc
  .tuple(
    fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom('Z', '+00:00', '-08:00', '+23:59'),
    fc.constantFrom('', '.1', '.123', '.123456789'),
  )
  .map(([date, zone, fraction]) => date.toISOString().slice(0, 19) + fraction + zone)

/** Text with quotes, line breaks and unpaired surrogates. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('\n', '\r\n', '\u2028', '\ud800', '"', '<thinking>', '__proto__'),
)

/** Any value that the schema accepts. */
export function accepted(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'unknown':
      return jsonValue({ maxDepth: 2 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'optional':
      return accepted(def.innerType)
    case 'nullable':
      return fc.option(accepted(def.innerType))
    case 'array':
      return fc.array(accepted(def.element), { minLength: checksOf(def).length, maxLength: 3 })
    case 'union':
      return fc.oneof(...def.options.map(accepted))
    case 'string':
      return acceptedText(def)
    case 'number':
      return acceptedNumber(def)
    case 'object':
      return acceptedObject(def)
    default:
      throw new Error(`No values can be generated for ${def.type}.`)
  }
}

type Def = z.core.$ZodTypes['_zod']['def']

function checksOf(def: Def): z.core.$ZodChecks['_zod']['def'][] {
  return (def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def)
}

function acceptedText(def: Def): fc.Arbitrary<string> {
  if ('format' in def && def.format === 'base64') return fc.base64String({ maxLength: 12 })
  if ('format' in def && def.format === 'datetime') {
    return 'offset' in def && def.offset ? timestamp : timestamp.filter((value) => value.endsWith('Z'))
  }
  const checks = checksOf(def)
  const pattern = checks.find((check) => check.check === 'string_format')
  if (pattern !== undefined && 'pattern' in pattern && pattern.pattern instanceof RegExp) {
    return fc.stringMatching(pattern.pattern)
  }
  return checks.some((check) => check.check === 'min_length') ? text.filter((value) => value !== '') : text
}

function acceptedNumber(def: Def): fc.Arbitrary<number> {
  let min = -1e6
  let max = Number.MAX_SAFE_INTEGER
  for (const check of checksOf(def)) {
    if (check.check === 'greater_than') min = Number(check.value)
    if (check.check === 'less_than') max = Number(check.value)
  }
  if ('format' in def && def.format === 'safeint') {
    return fc.oneof(fc.integer({ min, max: Math.min(max, 1000) }), fc.constant(max), fc.constant(min))
  }
  const top = Math.min(max, 1e6)
  return fc.oneof({ arbitrary: jsonNumber(min, top), weight: 3 }, fc.constantFrom(min, top))
}

function acceptedObject({ shape, catchall }: z.core.$ZodObjectDef): fc.Arbitrary<Record<string, unknown>> {
  const required: string[] = []
  const fields: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [key, field] of Object.entries(shape)) {
    fields[key] = accepted(field)
    if ((field as z.core.$ZodTypes)._zod.optin !== 'optional') required.push(key)
  }
  const extra = fc.dictionary(fc.constantFrom('x-extra', 'note', 'constructor'), jsonValue({ maxDepth: 1 }), {
    maxKeys: catchall?._zod.def.type === 'never' ? 0 : 1,
  })
  return fc
    .tuple(fc.record(fields, { requiredKeys: required }), extra)
    .map(([known, more]) => ({ ...more, ...known }))
}

/** The value with one field or item, at any depth, removed, replaced or moved by one, which may cross a bound. */
export function damaged(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      value,
      fc.nat(),
      fc.oneof(
        fc.constant({ remove: true as const }),
        hostile.map((by) => ({ by })),
        fc.constantFrom(1 as const, -1 as const).map((step) => ({ step })),
      ),
    )
    .map(([whole, pick, change]) => {
      const copy = structuredClone(whole)
      const places = placesIn(copy)
      const place = places[pick % places.length]
      if (place === undefined) return 'by' in change ? change.by : undefined
      if ('remove' in change) delete place.holder[place.key]
      else if ('by' in change) place.holder[place.key] = change.by
      else place.holder[place.key] = moved(place.holder[place.key], change.step)
      return copy
    })
}

/** A number one higher or lower, a text with one character more or less, a list with one item more or less. */
function moved(value: unknown, step: 1 | -1): unknown {
  if (typeof value === 'number') return value + step
  if (typeof value === 'string') return step === 1 ? `${value}x` : value.slice(0, -1)
  if (Array.isArray(value)) return step === 1 ? [...value, value.at(-1)] : value.slice(0, -1)
  return value
}

interface Place {
  holder: Record<string, unknown>
  key: string
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}

/** JSON values with little nesting. */
export const json: fc.Arbitrary<Json> = jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
