// Proves that `null` is stripped from optional fields at any depth, unless the field is nullable: by the walker, and
// by what it is compared with.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { shapeOf } from '../../scripts/describe-schema.ts'
import { read } from '../../src/validation/read.ts'

const inner = z.looseObject({ id: z.string(), diagnostic: z.optional(z.string()) })
const one = z.looseObject({ only: z.optional(z.string()) })
const schema = z.looseObject({
  name: z.optional(z.string()),
  other: z.optional(z.string()),
  any: z.optional(z.unknown()),
  required: z.optional(z.nullable(z.string())),
  inner: z.optional(inner),
  list: z.optional(z.array(inner)),
  single: z.optional(z.array(one)),
  nullables: z.optional(z.array(z.nullable(inner))),
  lists: z.optional(z.array(z.array(inner))),
  either: z.optional(z.union([z.looseObject({ a: z.string(), b: z.optional(z.string()) }), inner])),
  tagged: z.optional(
    z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('a'), a: z.optional(z.string()) }),
      z.looseObject({ type: z.literal('b'), b: z.optional(z.string()) }),
    ]),
  ),
  nullable: z.optional(z.nullable(inner)),
  maybeNullable: z.optional(z.nullable(inner)),
  nothing: z.optional(z.null()),
})

describe('null', () => {
  const strip = (value: unknown) => read(shapeOf(schema), value).value
  it.each<[string, value: object, expected: object]>([
    ['is stripped from an optional field', { name: null }, {}],
    ['is stripped from two', { name: null, other: null, own: 1 }, { own: 1 }],
    ['in an object', { inner: { id: 'a', diagnostic: null } }, { inner: { id: 'a' } }],
    ['in the objects of a list', { list: [{ id: 'a', diagnostic: null }] }, { list: [{ id: 'a' }] }],
    [
      'in some objects of a list',
      { list: [{ id: 'a' }, { id: 'b', diagnostic: null }, { id: 'c' }, { id: 'd', diagnostic: null }] },
      { list: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }] },
    ],
    [
      'next to items that may be null',
      { nullables: [null, { id: 'a', diagnostic: null }] },
      { nullables: [null, { id: 'a' }] },
    ],
    ['in objects with one field', { single: [{ only: null }] }, { single: [{}] }],
    ['in lists of lists', { lists: [[{ id: 'a', diagnostic: null }]] }, { lists: [[{ id: 'a' }]] }],
    ['in one of several forms', { either: { a: '', b: null } }, { either: { a: '' } }],
    ['in another of them', { either: { id: 'a', diagnostic: null } }, { either: { id: 'a' } }],
    ['where a tag says so', { tagged: { type: 'b', a: null, b: null } }, { tagged: { type: 'b', a: null } }],
    ['in an object that may be null', { nullable: { id: 'a', diagnostic: null } }, { nullable: { id: 'a' } }],
    ['or absent', { maybeNullable: { id: 'a', diagnostic: null } }, { maybeNullable: { id: 'a' } }],
    [
      'in two objects',
      { inner: { id: 'a', diagnostic: null }, list: [{ id: 'b', diagnostic: null }] },
      { inner: { id: 'a' }, list: [{ id: 'b' }] },
    ],
    ['in several places', { name: null, inner: { id: 'a', diagnostic: null } }, { inner: { id: 'a' } }],
  ])('%s %j', (_, value, expected) => {
    const before = structuredClone(value)
    expect(strip(value)).toEqual(expected)
    expect(value).toEqual(before)
  })

  it.each<[string, value: object]>([
    ['on a field that may be anything', { any: null }],
    ['on a field nobody knows', { own: null }],
    ['where it is one of the values', { required: null, nullable: null, maybeNullable: null }],
    ['where it is the only value', { nothing: null }],
    ['where there is none', { name: 'a', list: [{ id: 'a' }], either: { a: '' }, tagged: { type: 'a' } }],
  ])('stays %s', (_, value) => {
    expect(strip(value)).toBe(value)
  })
})

it('is not looked for in inherited fields', () => {
  const value = Object.create({ name: null, inner: { id: 'a', diagnostic: null } })
  expect(read(shapeOf(schema), value).value).toBe(value)
})
