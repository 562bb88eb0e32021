// Proves that `null` is stripped from optional fields at any depth, unless the field is nullable.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { shapeOf } from '../../scripts/describe-schema.ts'
import { stripNulls } from '../../src/validation/walk.ts'

const inner = z.looseObject({ id: z.string(), diagnostic: z.optional(z.string()) })
const shape = shapeOf(
  z.looseObject({
    name: z.optional(z.string()),
    any: z.optional(z.unknown()),
    required: z.string(),
    inner: z.optional(inner),
    list: z.optional(z.array(inner)),
    nullable: z.nullable(inner),
    maybeNullable: z.optional(z.nullable(inner)),
    nothing: z.optional(z.null()),
  }),
)

describe('null', () => {
  it.each<[string, value: object, expected: object]>([
    ['is stripped from an optional field', { name: null }, {}],
    ['in an object', { inner: { id: 'a', diagnostic: null } }, { inner: { id: 'a' } }],
    ['in the objects of a list', { list: [{ id: 'a', diagnostic: null }] }, { list: [{ id: 'a' }] }],
    ['in an object that may be null', { nullable: { id: 'a', diagnostic: null } }, { nullable: { id: 'a' } }],
    ['or absent', { maybeNullable: { id: 'a', diagnostic: null } }, { maybeNullable: { id: 'a' } }],
  ])('%s %j', (_, value, expected) => {
    const before = structuredClone(value)
    expect(stripNulls(shape, value)).toEqual(expected)
    expect(value).toEqual(before)
  })

  it.each<[string, value: object]>([
    ['on a field that may be anything', { any: null }],
    ['on a field that is required', { required: null }],
    ['on a field nobody knows', { own: null }],
    ['where it is one of the values', { nullable: null, maybeNullable: null }],
    ['where it is the only value', { nothing: null }],
  ])('stays %s', (_, value) => {
    expect(stripNulls(shape, value)).toBe(value)
  })
})
