// Proves that each predicate accepts the same values as the schema it stands for.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { anyObject, count, id, ordinal } from '../../src/events/records/fields.ts'
import {
  isCount,
  isFields,
  isId,
  isIntegerIn,
  isListOf,
  isOrdinal,
  isPlain,
  isText,
} from '../../src/validation/predicates.ts'
import { accepts } from '../support/accepts.ts'
import { runs } from '../support/runs.ts'

const max = Number.MAX_SAFE_INTEGER
/** Values next to the bounds of all predicates. */
const edges: readonly unknown[] = [
  ...[
    0,
    -0,
    1,
    -1,
    2,
    -2,
    3,
    0.5,
    -0.5,
    1.5,
    1 + Number.EPSILON,
    -Number.MIN_VALUE,
    max,
    max + 1,
    -max,
    1e300,
  ],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...['', ' ', '0', null, undefined, true, [], ['a'], {}, { length: 1 }, Object.create(null), new Map(), 1n],
]

describe.each([
  ['isText', isText, z.string()],
  ['isId', isId, id],
  ['isCount', isCount, count],
  ['isOrdinal', isOrdinal, ordinal],
  ['isIntegerIn', (value: unknown) => isIntegerIn(value, -1, 2), z.int().check(z.minimum(-1), z.maximum(2))],
  ['isFields', isFields, anyObject],
  ['isListOf', (value: unknown) => isListOf(value, isCount), z.array(count)],
] as const)('%s accepts the same values as its schema', (_name, check, schema) => {
  it.each(edges.map((value) => [value]))('such as %s', (value) => {
    expect(check(value)).toBe(accepts(schema, value))
  })

  it('of any type', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.double(), fc.maxSafeInteger()), (value) => {
        expect(check(value)).toBe(accepts(schema, value))
      }),
      { numRuns: runs(1000) },
    )
  })
})

it('isListOf looks at holes too', () => {
  expect(isListOf(new Array(1), isCount)).toBe(false)
  expect(isListOf(new Array(1), () => true)).toBe(true)
})

it.each<[value: unknown, expected: boolean]>([
  [{}, true],
  [Object.create(null), true],
  [JSON.parse('{"__proto__":{"a":1}}'), true],
  [Object.create({}), false],
  [new (class {})(), false],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [() => {}, false],
])('isPlain(%o) is %s', (value, expected) => {
  expect(isPlain(value)).toBe(expected)
})
