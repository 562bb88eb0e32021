// Proves that the shape of a schema accepts the same values, and that unsupported schemas throw.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { shapeOf } from '../../scripts/describe-schema.ts'
import {
  anyObject,
  count,
  fraction,
  id,
  maybe,
  metadata,
  ordinal,
  timestamp,
} from '../../src/events/records/fields.ts'
import { issuesOf } from '../../src/validation/read.ts'
import { accepts } from '../support/accepts.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged } from '../support/zod-arbitrary.ts'

const known: readonly (readonly [name: string, schema: z.ZodMiniType])[] = [
  ['text', z.string()],
  ['an id', id],
  ['a time with zone', timestamp],
  ['a time with or without zone', z.iso.datetime({ offset: true, local: true })],
  ['a time in UTC', z.iso.datetime()],
  ['Base64', z.base64()],
  ['text of a pattern', z.string().check(z.regex(/^a+$/))],
  ['a list of a length', z.array(z.string()).check(z.minLength(1))],
  ['an object without other fields', z.strictObject({ a: maybe(z.string()) })],
  ['strict objects', z.union([z.strictObject({ a: id, c: maybe(id) }), z.strictObject({ b: id })])],
  ['a number', z.number()],
  ['a fraction', fraction],
  ['a count', count],
  ['an ordinal', ordinal],
  [
    'a number with redundant bounds',
    z.number().check(z.minimum(0), z.minimum(-1), z.maximum(1), z.maximum(2)),
  ],
  ['an integer with wider bounds', z.int().check(z.maximum(1e300))],
  ['a flag', z.boolean()],
  ['null', z.null()],
  ['an enum', z.enum(['a', 'b'])],
  ['a literal', z.literal(['a', 1, null])],
  ['a list', z.array(count)],
  ['one of several', z.union([z.string(), z.array(z.string()), anyObject])],
  ['nullable', z.nullable(count)],
  ['a field of any value', z.looseObject({ any: z.unknown() })],
  ['an optional field of any value', z.looseObject({ any: maybe(z.unknown()) })],
  ['an optional nullable field', z.looseObject({ text: z.nullable(maybe(z.string())) })],
  ['metadata', metadata({ at: maybe(timestamp) })],
]

/** Edge cases that generated values do not contain. */
const edges: readonly unknown[] = [
  ...['2026-01-31T10:30:00', '2026-01-31T10:30', '2026-01-31T10:30Z', '2026-01-31T10:30:00.123Z'],
  ...[
    '2026-01-31T10:30:00Z\n',
    '2026-01-31T10:30:00+01:00',
    'AQ==',
    'AQ',
    'A===',
    'AQ==\n',
    '2026-01-31',
    '',
    'a',
    'c',
  ],
  ...[
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    2 ** 53,
    -(2 ** 53),
    1.5,
    -0,
  ],
  ...[[], [undefined], new Array(1), {}, { any: undefined }, null, undefined, true],
]

describe.each(known)('the shape of %s', (_name, schema) => {
  const shape = shapeOf(schema)
  const check = (value: unknown): boolean => issuesOf(shape, value, { refusesNulls: true }).length === 0

  it('accepts the same values as the schema', () => {
    const values = accepted(schema)
    fc.assert(
      fc.property(fc.oneof(values, damaged(values), damaged(damaged(values))), (value) => {
        expect(check(value)).toBe(accepts(schema, value))
      }),
      { numRuns: runs(200) },
    )
  })

  it.each(edges.map((value) => [value]))('agrees with the schema on %j', (value) => {
    expect(check(value)).toBe(accepts(schema, value))
  })
})

const unsupported: readonly (readonly [name: string, schema: z.ZodMiniType])[] = [
  ['a date', z.date()],
  ['a record', z.record(z.string(), z.string())],
  ['a tuple', z.tuple([z.string()])],
  ['never', z.never()],
  ['a transform', z.pipe(z.string(), z.transform(Number))],
  ['a default', z._default(z.string(), '')],
  ['text of a length', z.string().check(z.minLength(2))],
  ['text with two checks', z.string().check(z.minLength(1), z.maxLength(9))],
  ['a UUID', z.uuid()],
  ['a time with a check', z.iso.datetime({ offset: true }).check(z.minLength(30))],
  ['a number with an exclusive bound', z.number().check(z.gt(0))],
  ['a multiple', z.number().check(z.multipleOf(2))],
  ['a float32', z.float32()],
  ['a refined object', z.looseObject({}).check(z.refine(() => false))],
  ['a list of at most a length', z.array(z.string()).check(z.maxLength(1))],
  ['a time to the millisecond', z.iso.datetime({ offset: true, precision: 3 })],
  ['a local time', z.iso.datetime({ local: true })],
  ['an object with validated unknown fields', z.catchall(z.object({}), z.string())],
  ['a field that must not be undefined', z.looseObject({ a: z.exactOptional(z.string()) })],
  ['an exclusive union', z.xor([z.string(), z.literal('a')])],
]

describe('throws for an unsupported schema', () => {
  it.each(unsupported)('%s', (_name, schema) => {
    expect(() => shapeOf(schema)).toThrow()
  })

  it.each(unsupported)('containing %s', (_name, schema) => {
    for (const around of [
      z.looseObject({ a: schema }),
      z.array(schema),
      z.optional(schema),
      z.nullable(schema),
    ]) {
      expect(() => shapeOf(around)).toThrow()
    }
    expect(() => shapeOf(z.union([z.null(), schema]))).toThrow()
  })
})
