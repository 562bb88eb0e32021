// Proves that a check made from a schema says what the schema says, and that none is made of a schema whose
// demands it would pass over.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  anyObject,
  count,
  fraction,
  id,
  maybe,
  metadata,
  ordinal,
  timestamp,
} from '../../src/events/fields.ts'
import { compileCheck } from '../../src/validation/compile-check.ts'
import { accepts } from '../support/accepts.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged } from '../support/zod-arbitrary.ts'

const known: readonly (readonly [name: string, schema: z.ZodMiniType])[] = [
  ['text', z.string()],
  ['an id', id],
  ['a time with zone', timestamp],
  ['a time with or without zone', z.iso.datetime({ offset: true, local: true })],
  ['a time to the millisecond', z.iso.datetime({ offset: true, precision: 3 })],
  ['a number', z.number()],
  ['a fraction', fraction],
  ['a count', count],
  ['an ordinal', ordinal],
  [
    'a number between bounds told twice',
    z.number().check(z.minimum(0), z.minimum(-1), z.maximum(1), z.maximum(2)),
  ],
  ['a whole number within wider bounds', z.int().check(z.maximum(1e300))],
  ['a flag', z.boolean()],
  ['null', z.null()],
  ['a word', z.enum(['a', 'b'])],
  ['a literal', z.literal(['a', 1, null])],
  ['a list', z.array(count)],
  ['one of several', z.union([z.string(), z.array(z.string()), anyObject])],
  ['nullable', z.nullable(count)],
  ['a field of any value', z.object({ any: z.unknown() })],
  ['a field of any value or none', z.object({ any: maybe(z.unknown()) })],
  ['a field that may be null or absent', z.object({ text: z.nullable(maybe(z.string())) })],
  ['metadata', metadata({ at: maybe(timestamp), toString: maybe(z.string()) })],
]

/** What generated values do not find by themselves. */
const edges: readonly unknown[] = [
  ...['2026-01-31T10:30:00', '2026-01-31T10:30', '2026-01-31T10:30Z', '2026-01-31T10:30:00.123Z'],
  ...['2026-01-31T10:30:00Z\n', '2026-01-31', '', 'a', 'c'],
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
  ...[
    [],
    [undefined],
    new Array(1),
    {},
    { any: undefined },
    Object.create({ any: 1 }),
    null,
    undefined,
    true,
  ],
]

describe.each(known)('the check of %s', (_name, schema) => {
  const check = compileCheck(schema)

  it('says what the schema says', () => {
    const values = accepted(schema)
    fc.assert(
      fc.property(fc.oneof(values, damaged(values), damaged(damaged(values))), (value) => {
        expect(check(value)).toBe(accepts(schema, value))
      }),
      { numRuns: runs(200) },
    )
  })

  it.each(edges.map((value) => [value]))('says so of %j', (value) => {
    expect(check(value)).toBe(accepts(schema, value))
  })
})

const strange: readonly (readonly [name: string, schema: z.ZodMiniType])[] = [
  ['a kind nothing is made of', z.date()],
  ['a record', z.record(z.string(), z.string())],
  ['a tuple', z.tuple([z.string()])],
  ['no value at all', z.never()],
  ['a transform', z.pipe(z.string(), z.transform(Number))],
  ['a default', z._default(z.string(), '')],
  ['text of a length', z.string().check(z.minLength(2))],
  ['text with a second demand', z.string().check(z.minLength(1), z.maxLength(9))],
  ['text of a pattern', z.string().check(z.regex(/a/))],
  ['text of another form', z.uuid()],
  ['a time with a demand', z.iso.datetime({ offset: true }).check(z.minLength(30))],
  ['a number above a bound', z.number().check(z.gt(0))],
  ['a number of steps', z.number().check(z.multipleOf(2))],
  ['a number of another form', z.float32()],
  ['a refined object', z.object({}).check(z.refine(() => false))],
  ['a list of a length', z.array(z.string()).check(z.minLength(1))],
  ['an object without other fields', z.strictObject({})],
  ['an object whose other fields are looked at', z.catchall(z.object({}), z.string())],
  ['a field that must not be undefined', z.object({ a: z.exactOptional(z.string()) })],
  ['one of several, but not two', z.xor([z.string(), z.literal('a')])],
]

describe('no check is made', () => {
  it.each(strange)('of %s', (_name, schema) => {
    expect(() => compileCheck(schema)).toThrow(TypeError)
  })

  it.each(strange)('of what holds %s', (_name, schema) => {
    for (const around of [z.object({ a: schema }), z.array(schema), z.optional(schema), z.nullable(schema)]) {
      expect(() => compileCheck(around)).toThrow(TypeError)
    }
    expect(() => compileCheck(z.union([z.null(), schema]))).toThrow(TypeError)
  })
})
