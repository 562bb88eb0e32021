// Proves that a compiled check accepts the same values as its schema, and that unsupported schemas throw.

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
  ['a field of any value', z.object({ any: z.unknown() })],
  ['an optional field of any value', z.object({ any: maybe(z.unknown()) })],
  ['an optional nullable field', z.object({ text: z.nullable(maybe(z.string())) })],
  ['metadata', metadata({ at: maybe(timestamp), toString: maybe(z.string()) })],
]

/** Edge cases that generated values do not contain. */
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
  ['text of a pattern', z.string().check(z.regex(/a/))],
  ['a UUID', z.uuid()],
  ['a time with a check', z.iso.datetime({ offset: true }).check(z.minLength(30))],
  ['a number with an exclusive bound', z.number().check(z.gt(0))],
  ['a multiple', z.number().check(z.multipleOf(2))],
  ['a float32', z.float32()],
  ['a refined object', z.object({}).check(z.refine(() => false))],
  ['a list of a length', z.array(z.string()).check(z.minLength(1))],
  ['an object without other fields', z.strictObject({})],
  ['an object with validated unknown fields', z.catchall(z.object({}), z.string())],
  ['a field that must not be undefined', z.object({ a: z.exactOptional(z.string()) })],
  ['an exclusive union', z.xor([z.string(), z.literal('a')])],
]

describe('throws for an unsupported schema', () => {
  it.each(unsupported)('%s', (_name, schema) => {
    expect(() => compileCheck(schema)).toThrow(TypeError)
  })

  it.each(unsupported)('containing %s', (_name, schema) => {
    for (const around of [z.object({ a: schema }), z.array(schema), z.optional(schema), z.nullable(schema)]) {
      expect(() => compileCheck(around)).toThrow(TypeError)
    }
    expect(() => compileCheck(z.union([z.null(), schema]))).toThrow(TypeError)
  })
})
