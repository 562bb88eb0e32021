// Proves that every issue has a message that names what was expected and what came.

import fc from 'fast-check'
import { decodeEvent, eventDecoder, run } from 'turnstream'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { shapeOf } from '../../scripts/describe-schema.ts'
import type { Issue, IssueCode } from '../../src/core/decode-result.ts'
import { count, fraction, id, ordinal, timestamp } from '../../src/events/records/fields.ts'
import { contextEventSchemas } from '../../src/events/records/schemas.ts'
import { issuesOf } from '../../src/validation/read.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged } from '../support/zod-arbitrary.ts'

/** A value that breaks one constraint, and the words for what was expected and what came. */
type Case = readonly [name: string, schema: z.ZodMiniType, value: unknown, code: IssueCode, words: string[]]

const cases: readonly Case[] = [
  ['text', z.string(), 7, 'invalid-type', ['a string', '7']],
  ['text', z.string(), null, 'invalid-type', ['a string', 'null']],
  ['text', z.string(), ['a'], 'invalid-type', ['a string', 'an array']],
  ['text', z.string(), {}, 'invalid-type', ['a string', 'an object']],
  ['text', z.string(), true, 'invalid-type', ['a string', 'true']],
  ['absent text', z.string(), undefined, 'missing', ['Missing', 'a string']],
  ['an id', id, '', 'out-of-range', ['a non-empty string', '""']],
  ['a flag', z.boolean(), 'yes', 'invalid-type', ['a boolean', 'a string']],
  ['null', z.null(), 7, 'invalid-type', ['null', '7']],
  ['an instant', timestamp, '2026-02-30', 'invalid-format', ['RFC 3339', 'time zone', '"2026-02-30"']],
  ['an instant', timestamp, 7, 'invalid-type', ['a string', '7']],
  [
    'a local instant',
    z.iso.datetime({ offset: true, local: true }),
    'noon',
    'invalid-format',
    ['RFC 3339', '"noon"'],
  ],
  ['an instant in UTC', z.iso.datetime(), 'noon', 'invalid-format', ['RFC 3339 in UTC', '"noon"']],
  ['an integer', z.int(), 1.5, 'invalid-type', ['an integer', '1.5']],
  ['an absent integer', z.int(), undefined, 'missing', ['Missing']],
  ['a count', count, -1, 'out-of-range', ['at least 0', '-1']],
  ['an ordinal', ordinal, 0, 'out-of-range', ['at least 1', '0']],
  ['a count', count, 2 ** 53, 'out-of-range', ['at most 9007199254740991', '9007199254740992']],
  ['a number', z.number(), '7', 'invalid-type', ['a number', 'a string']],
  ['a number', z.number(), Number.NaN, 'invalid-type', ['a number', 'NaN']],
  ['a fraction', fraction, 1.5, 'out-of-range', ['at most 1', '1.5']],
  ['a fraction', fraction, -0.5, 'out-of-range', ['at least 0', '-0.5']],
  ['an enum', z.enum(['a', 'b']), 'c', 'invalid-value', ['"a" or "b"', '"c"']],
  ['an absent enum', z.enum(['a', 'b']), undefined, 'missing', ['Missing', '"a" or "b"']],
  ['a literal', z.literal([1, true, null]), 'c', 'invalid-value', ['1 or true or null', '"c"']],
  ['a pattern', z.string().check(z.regex(/^a+$/)), 'b', 'invalid-format', ['/^a+$/', '"b"']],
  ['a pattern', z.string().check(z.regex(/^a+$/)), 7, 'invalid-type', ['a string', '7']],
  ['a list', z.array(z.string()), 'a', 'invalid-type', ['an array', 'a string']],
  ['an item', z.array(z.string()), ['a', 7], 'invalid-type', ['a string', '7']],
  ['an object', z.looseObject({}), [], 'invalid-type', ['an object', 'an array']],
  ['a field', z.looseObject({ a: z.string() }), {}, 'missing', ['Missing', 'a string']],
  ['an optional field', z.looseObject({ a: z.optional(id) }), { a: 7 }, 'invalid-type', ['a string', '7']],
  ['a nullable', z.nullable(z.string()), 7, 'invalid-type', ['a string', '7']],
  ['one of several', z.union([z.string(), z.boolean()]), 7, 'invalid-value', ['allowed forms', '7']],
  [
    'an item of one of several',
    z.union([z.array(count), z.null()]),
    [-1],
    'out-of-range',
    ['at least 0', '-1'],
  ],
]

describe.each(cases)('%s', (_, schema, value, code, words) => {
  it('that is wrong has a message', () => {
    const [first, ...more] = issuesOf(shapeOf(schema), value)
    expect(more).toEqual([])
    expect(first?.code).toBe(code)
    for (const word of words) expect(first?.message).toContain(word)
    expectMessage(first as Issue)
  })
})

describe('the tag of an object', () => {
  const schema = z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('a') }),
    z.looseObject({ type: z.literal('b') }),
  ])
  it.each([
    [{ type: 'c' }, 'invalid-value', ['"a" or "b"', '"c"']],
    [{ type: 7 }, 'invalid-value', ['"a" or "b"', '7']],
    [{}, 'missing', ['"a" or "b"', 'Missing']],
  ])('is named with the tag of %j', (value, code, words) => {
    const issues = issuesOf(shapeOf(schema), value)
    expect(issues).toMatchObject([{ code, path: '/type' }])
    for (const word of words) expect(issues[0]?.message).toContain(word)
  })
  it('is asked for in an object only', () => {
    const [first] = issuesOf(shapeOf(schema), 7)
    expect(first).toMatchObject({ code: 'invalid-type', path: '' })
    for (const word of ['an object', '7']) expect(first?.message).toContain(word)
  })
})

describe('the options of a union', () => {
  const schema = z.union([
    z.looseObject({ a: count }),
    z.looseObject({ a: z.number(), b: count }),
    z.string(),
  ])
  it('that are close give their own issues, if there is one of them', () => {
    expect(issuesOf(shapeOf(schema), { a: -1 })).toMatchObject([{ code: 'out-of-range', path: '/a' }])
  })
  it('are named together, if there are several or none', () => {
    const twice = z.union([count, ordinal])
    expect(issuesOf(shapeOf(twice), -1)).toMatchObject([{ code: 'invalid-value', path: '' }])
    expect(issuesOf(shapeOf(schema), 7)).toMatchObject([{ code: 'invalid-value', path: '' }])
  })
})

/** One value for every code. */
const byCode: Readonly<Record<IssueCode, () => readonly Issue[]>> = {
  missing: () => issuesIn({ kind: 'task-status' }),
  'invalid-type': () => issuesIn(7),
  'invalid-value': () => issuesIn({ ...event, status: 'done' }),
  'out-of-range': () => issuesIn({ ...event, taskId: '' }),
  'invalid-format': () => issuesIn({ ...event, timestamp: 'noon' }),
  unreadable: () =>
    issuesIn({
      get kind() {
        throw new Error('no')
      },
    }),
  'invalid-json': () => received('data: {]\n\n'),
  'too-large': () => received(`data: ${'x'.repeat(99)}\n\n`),
  'too-deep': () => received(`data: ${'['.repeat(9)}${']'.repeat(9)}\n\n`),
}

const event = {
  kind: 'task-status',
  contextId: 'c',
  taskId: 't',
  status: 'working',
  timestamp: '2026-01-31T10:30:00Z',
}

function issuesIn(value: unknown): readonly Issue[] {
  const decoded = decodeEvent(value)
  return decoded.status === 'invalid' ? decoded.issues : []
}

function received(text: string): readonly Issue[] {
  const [decoded] = run(eventDecoder({ maxMessageSize: 50, maxDepth: 5 })).push(text)
  return decoded?.status === 'invalid' ? decoded.issues : []
}

describe('every code', () => {
  it.each(Object.entries(byCode))('%s has a message', (code, issues) => {
    expect(issues().map((issue) => issue.code)).toContain(code)
    for (const issue of issues()) expect(issue.message).toMatch(/^[A-Z].{10,}[^\s]$/s)
  })
  it.each([
    ['too-large', '50'],
    ['too-deep', '5'],
  ] as const)('%s names the limit', (code, limit) => {
    expect(byCode[code]()[0]?.message).toContain(limit)
  })
})

describe.each(Object.entries(contextEventSchemas))('the issues of a damaged %s', (kind, schema) => {
  it('name what came at their path, or that nothing came', () => {
    fc.assert(
      fc.property(damaged(damaged(accepted(schema))), (value) => {
        fc.pre((value as { kind?: unknown } | null)?.kind === kind)
        for (const issue of issuesIn(value)) {
          expectMessage(issue)
          const actual = valueAt(value, issue.path)
          expect(
            namesOf(actual).some((name) => issue.message.endsWith(`got ${name}.`)) || actual === undefined,
          ).toBe(true)
          expect(issue.code === 'missing').toBe(issue.message.startsWith('Missing: expected '))
        }
      }),
      { numRuns: runs(60) },
    )
  })
})

/** The form of all messages about a value. */
function expectMessage({ message }: Issue): void {
  expect(message).toMatch(/^(?:Missing: expected \S.*\S|Expected \S.*\S, got \S.*)\.$/s)
}

/** The value at a JSON pointer. Own fields only: others do not count as present. */
function valueAt(value: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, key) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      value,
    )
}

/** What a message may call a value. */
function namesOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['an array']
  if (typeof value === 'object') return ['an object']
  if (typeof value === 'number') return [`the number ${value}`, `${value}`]
  if (typeof value === 'string')
    return [
      'a string',
      JSON.stringify([...value].length > 40 ? `${[...value].slice(0, 40).join('')}…` : value),
    ]
  return [`a ${typeof value}`, String(value)]
}
