// Proves that values are accepted exactly when Ajv accepts them, for the keywords that are checked.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaIssues } from '../../src/json/schema-issues.ts'
import { schemaAt } from '../../src/json/schema-keywords.ts'
import { jsonValue } from '../support/json.ts'
import { runs } from '../support/runs.ts'

const { schema: anySchema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'boolean', 'null') }),
    fc.record({ type: fc.constant(['string', 'null']) }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom(1, 'a', null, true), { minLength: 1 }) }),
    fc.record({ const: fc.oneof(fc.constantFrom<unknown>(1, 'a', null), jsonValue()) }),
    fc.record({ minimum: fc.integer(), exclusiveMaximum: fc.integer() }),
    fc.record({ minLength: fc.nat(3), maxLength: fc.nat(9), minItems: fc.nat(2), maxItems: fc.nat(5) }),
    fc.record({ items: tie('schema') }),
    fc.record({
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { noNullPrototype: true }),
      required: fc.uniqueArray(fc.constantFrom('a', 'b')),
      additionalProperties: tie('schema'),
    }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('schema') }),
    fc.record({ $ref: fc.constant('#/$defs/text') }),
  ),
}))

const value = fc.oneof(
  fc.constantFrom<unknown>(
    1,
    'a',
    null,
    true,
    0,
    'aaaa',
    [],
    [1],
    ['a', 'b'],
    {},
    { a: 1 },
    { a: 'a', b: null },
  ),
  jsonValue(),
)

describe('schemaIssues', () => {
  it('accepts what Ajv accepts', () => {
    const ajv = new Ajv2020({ strict: false })
    fc.assert(
      fc.property(anySchema, value, (inner, given) => {
        const schema = { $defs: { text: { type: 'string', minLength: 1 } }, allOf: [inner] }
        const accepts = ajv.compile(schema)
        expect(schemaIssues(schema, given).length === 0).toBe(accepts(given))
      }),
      { numRuns: runs(300) },
    )
  })

  it('accepts the same by a schema that is a part of another one', () => {
    fc.assert(
      fc.property(anySchema, value, (inner, given) => {
        const schema = {
          $defs: { text: { type: 'string', minLength: 1 }, $ref: { const: { $ref: '#' } } },
          properties: { $ref: { $ref: '#' } },
          anyOf: [inner, { $ref: '#/$defs/$ref' }],
        }
        const part = { properties: { 'a/b': schemaAt('/properties/a~1b', schema) }, required: ['a/b'] }
        const isAccepted = (by: unknown, what: unknown): boolean => schemaIssues(by, what).length === 0
        expect(isAccepted(part, { 'a/b': given })).toBe(isAccepted(schema, given))
        const nested = { $ref: given }
        expect(isAccepted(part, { 'a/b': nested })).toBe(isAccepted(schema, nested))
      }),
      { numRuns: runs(300) },
    )
  })

  it('takes bounded time, and refuses what it could not check', () => {
    const loop = { $ref: '#' }
    expect(schemaIssues(loop, 1)).toMatchObject([{ code: 'too-deep' }])
    expect(schemaIssues({ not: loop }, 1).length).toBeGreaterThan(0)
    const wide = { anyOf: Array.from({ length: 10 }, () => ({ $ref: '#' })) }
    expect(schemaIssues(wide, 1).length).toBeGreaterThan(0)
    expect(schemaIssues({ items: { type: 'string' } }, Array(1e6).fill(1))).toHaveLength(32)
  })

  it('ignores what is not a schema', () => {
    for (const schema of [null, 1, 'a', [], { type: 7 }, { enum: 'a' }, { $ref: 'https://schema.example' }]) {
      expect(schemaIssues(schema, 1)).toEqual([])
    }
  })
})
