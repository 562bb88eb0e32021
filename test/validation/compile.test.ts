// Proves that compiled checks and zod agree on every value of every vocabulary: verdict, and code and path of the first
// fault.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shapeOf } from '../../scripts/describe-schema.ts'
import { parsePointer } from '../../src/encoding/pointer.ts'
import { checkEvent, decodeEvent, isKnownEvent } from '../../src/events/decode.ts'
import { contextEventSchemas } from '../../src/events/records/schemas.ts'
import { exactCheck } from '../../src/validation/exact.ts'
import { isPlain } from '../../src/validation/predicates.ts'
import { checkOf, issuesOf, read } from '../../src/validation/read.ts'
import type { Shape } from '../../src/validation/shape.ts'
import { union } from '../../src/validation/union.ts'
import { runs } from '../support/runs.ts'
import { vocabularies } from '../support/vocabularies.ts'
import { accepted, damaged } from '../support/zod-arbitrary.ts'
import { firstFault, withoutNulls } from '../support/zod-oracle.ts'

const all = vocabularies.flatMap(({ name, schemas }) =>
  Object.entries(schemas).map(([kind, schema]) => ({ name, kind, schema })),
)

describe.each(all)('$name $kind', ({ schema }) => {
  const shape = shapeOf(schema)
  const values = fc.oneof(accepted(schema), damaged(accepted(schema)), damaged(damaged(accepted(schema))))

  it('is validated as by zod', () => {
    fc.assert(
      fc.property(values, (value) => {
        const fault = firstFault(schema, value)
        const [issue] = issuesOf(shape, value, { refusesNulls: true })
        expect(issue && { code: issue.code, path: issue.path }).toEqual(fault)
        const isFit = checkOf(shape)(value)
        if (isFit) expect(fault).toBeUndefined()
        else expect(issue === undefined && isJson(value)).toBe(false)
      }),
      { numRuns: runs(100) },
    )
  })

  it('has issues that each lead to a field or item of an object or array in the value', () => {
    fc.assert(
      fc.property(values, (value) => {
        for (const { path } of issuesOf(shape, value)) {
          const holder = (parsePointer(path) ?? []).slice(0, -1).reduce((at: unknown, key) => {
            expect(typeof at).toBe('object')
            return (at as Readonly<Record<string, unknown>> | null)?.[key]
          }, value)
          if (path !== '') expect(Object(holder), path).toBe(holder)
        }
      }),
      { numRuns: runs(50) },
    )
  })

  it('has the same nulls removed', () => {
    fc.assert(
      fc.property(values, (value) => {
        const rest = withoutNulls(schema, value)
        const fault = firstFault(schema, rest)
        const [issue] = issuesOf(shape, value)
        expect(issue && { code: issue.code, path: issue.path }).toEqual(fault)
        if (issue === undefined) expect(read(shape, value).value).toEqual(rest)
      }),
      { numRuns: runs(50) },
    )
  })

  if (shape[0] !== 'fields') return

  it('has the same issues of a field whichever others are missing', () => {
    fc.assert(
      fc.property(values, fc.nat(), (value, pick) => {
        const names = isPlain(value) ? Object.keys(value) : []
        const name = names[pick % Math.max(1, names.length)]
        if (name === undefined) return
        const { [name]: _, ...rest } = value as Readonly<Record<string, unknown>>
        const others = issuesOf(shape, value).filter(({ path }) => parsePointer(path)?.[0] !== name)
        const left = issuesOf(shape, rest).filter(({ path }) => parsePointer(path)?.[0] !== name)
        expect(left).toEqual(others)
      }),
      { numRuns: runs(100) },
    )
  })
})

describe.each(Object.entries(contextEventSchemas))('decoding %s', (kind, schema) => {
  it('reports what zod reports first, and strips the same nulls', () => {
    fc.assert(
      fc.property(fc.oneof(accepted(schema), damaged(damaged(accepted(schema)))), (value) => {
        fc.pre((value as { kind?: unknown } | null)?.kind === kind)
        const rest = withoutNulls(schema, value)
        const fault = firstFault(schema, rest)
        const decoded = decodeEvent(value)
        if (fault === undefined) expect(decoded).toEqual({ status: 'known', event: rest })
        else expect(decoded).toMatchObject({ status: 'invalid', issues: { 0: fault } })
        const isFit = firstFault(schema, value) === undefined
        if (isKnownEvent(value)) expect(isFit).toBe(true)
        else expect(isFit && isJson(value)).toBe(false)
      }),
      { numRuns: runs(100) },
    )
  })
})

/** Whether a value is what `JSON.parse` returns: no object of a class, and no `undefined`. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== undefined
  if (Array.isArray(value)) return Array.from(value as unknown[]).every(isJson)
  return isPlain(value) && Object.values(value).every(isJson)
}

it('knows no kind of another name', () => {
  const kinds = [
    '',
    'content-deltb',
    'CONTENT-DELTA',
    '__proto__',
    'constructor',
    'internal:',
    'x'.repeat(99),
  ]
  for (const kind of kinds) expect(checkEvent(kind, {})).toBeUndefined()
})

it('an object with other fields is not exact, and one that declares none is a value', () => {
  const shape: Shape = [
    'fields',
    { id: 'id', data: ['maybe', ['fields', {}]], inner: ['maybe', ['fields', { a: 'text' }]] },
  ]
  const exact = exactCheck(shape)
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('id', 'data', 'inner', 'x', 'y'), fc.object({ maxDepth: 1 })),
      (fields) => {
        const value = { ...fields, id: 'a', inner: { a: '' } }
        const others = Object.keys(value).filter((name) => !['id', 'data', 'inner'].includes(name))
        expect(exact(value)).toBe(others.length === 0)
      },
    ),
  )
  expect(exact({ id: 'a', inner: { a: '', b: 1 } })).toBe(false)
  expect(exact({ id: 'a', x: undefined })).toBe(false)
})

it.each<[name: string, options: readonly Shape[], value: object]>([
  [
    'has another choice',
    [
      ['fields', { type: ['of', 'a'], count: ['int', 0, 9] }],
      ['fields', { type: ['of', 'b'], count: ['int', 0, 9] }],
    ],
    { type: 'a', count: -1 },
  ],
  [
    'is a union of other types',
    [
      ['fields', { type: ['or', ['text', 'boolean'], union], count: ['int', 0, 9] }],
      ['fields', { type: ['int', 0, 9], count: ['int', 0, 9] }],
    ],
    { type: 5, count: -1 },
  ],
])('an option of a union is not close if a field %s', (_, options, value) => {
  expect(issuesOf(['or', options, union], value)).toMatchObject([{ code: 'out-of-range', path: '/count' }])
})

it('a union adds no more issues than fit', () => {
  const counts: Shape = ['list', ['int', 0, 9]]
  const shape: Shape = ['fields', { first: counts, second: ['or', [counts, 'text'], union] }]
  const wrong = Array.from({ length: 20 }, () => -1)
  expect(issuesOf(shape, { first: wrong, second: wrong })).toHaveLength(32)
})

it('a list of choices does not contain its own name', () => {
  const [issue] = issuesOf(['of', 'a', 'b'], 'of')
  expect(issue).toMatchObject({ code: 'invalid-value', message: 'Expected "a" or "b", got "of".' })
})

it('an issue after that of a tag has its own path', () => {
  const shape = ['fields', { change: ['by', 'type', { a: ['fields', {}] }], next: 'text' }] as const
  expect(issuesOf(shape, { change: { type: 'b' }, next: 1 }).map(({ path }) => path)).toEqual([
    '/change/type',
    '/next',
  ])
})

it('an inherited tag selects nothing', () => {
  const tagged = Object.create({ type: 'a' }) as object
  expect(issuesOf(['by', 'type', { a: ['fields', {}] }], tagged)).toMatchObject([{ path: '/type' }])
})

it('a copy without nulls keeps a field named __proto__ as data', () => {
  const value = JSON.parse('{ "name": null, "__proto__": { "polluted": true } }') as object
  const copy = read(['fields', { name: ['maybe', 'text'] }], value).value as object
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}')
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})

describe('a hostile value', () => {
  const item = shapeOf(vocabularies.find(({ name }) => name === 'a2a')?.schemas.message as never)
  const message = (parts: unknown): object => ({ messageId: 'm', role: 'ROLE_AGENT', parts })

  it.each([
    ['of another type', 1],
    ['empty', {}],
    ['with an unknown field', { text: 'a', foo: 1 }],
    ['with two contents', { text: 'a', url: 'b' }],
  ])('is not read beyond 32 faults: parts %s', (_, part) => {
    const read: number[] = []
    const parts = new Proxy(
      Array.from({ length: 1000 }, () => part),
      {
        get: (target, key, receiver) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) read.push(Number(key))
          return Reflect.get(target, key, receiver) as unknown
        },
      },
    )
    expect(issuesOf(item, message(parts))).toHaveLength(32)
    expect(Math.max(...read)).toBeLessThan(32)
  })
})
