// Proves that arguments which arrive as values at JSON paths are the arguments, in any order.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath, type Segment } from '../../../src/providers/gemini-content/json-path.ts'
import {
  addValue,
  endOfArguments,
  noArguments,
  type PathValue,
} from '../../../src/providers/gemini-content/path-arguments.ts'
import { runs } from '../../support/runs.ts'

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', '0'), fc.string())

/** Objects that values at paths can build: no container is empty. */
const { root } = fc.letrec<{ root: Record<string, unknown>; inner: unknown }>((tie) => ({
  inner: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('inner'), { minLength: 1, maxLength: 3 }),
    tie('root'),
  ),
  root: fc.dictionary(name, tie('inner'), { minKeys: 1, maxKeys: 4 }),
}))

/** The values of an object, texts in pieces. */
function valuesOf(value: unknown, path: readonly Segment[] = []): PathValue[][] {
  if (Array.isArray(value)) return value.flatMap((inner, at) => valuesOf(inner, [...path, at]))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, [...path, key]))
  }
  if (typeof value !== 'string') return [[{ path, value: value as number, continues: false }]]
  const half = Math.floor(value.length / 2)
  return [
    [
      { path, value: value.slice(0, half), continues: true },
      { path, value: value.slice(half), continues: false },
    ],
  ]
}

/** The text that values are written as, and whether they could be completed. */
function write(values: readonly PathValue[]): { text: string; isComplete: boolean } {
  let args = noArguments
  let text = ''
  for (const value of values) {
    const [next, added] = addValue(args, value)
    args = JSON.parse(JSON.stringify(next))
    text += added
  }
  const end = endOfArguments(args, text)
  return { text: text + (end ?? ''), isComplete: end !== undefined }
}

describe('values at JSON paths', () => {
  it('are the arguments', () => {
    fc.assert(
      fc.property(root, (value) => {
        const { text } = write(valuesOf(value).flat())
        expect(JSON.parse(text)).toEqual(value)
        expect(text).toBe(JSON.stringify(value))
      }),
      { numRuns: runs(500) },
    )
  })

  it('are the arguments in any order, and texts side by side', () => {
    const shuffled = root.chain((value) => {
      const lists = Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, [key]))
      const order = lists.flatMap((list, at) => list.map(() => at))
      return fc.tuple(
        fc.constant(value),
        fc.constant(lists),
        fc.shuffledSubarray(order, { minLength: order.length }),
      )
    })
    fc.assert(
      fc.property(shuffled, ([value, lists, order]) => {
        // The pieces of a text keep their order.
        const rest = lists.map((list) => [...list])
        const { text, isComplete } = write(order.map((at) => rest[at]?.shift() as PathValue))
        expect(isComplete).toBe(true)
        expect(JSON.parse(text)).toEqual(value)
      }),
      { numRuns: runs(500) },
    )
  })

  it('are complete if only the order of members differs', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 2, maxLength: 6 }), (names) => {
        const first = names.map((key) => ({ path: ['x', key], value: 1, continues: false }))
        const between = { path: ['y'], value: true, continues: false }
        const more = names.map((key) => ({ path: ['x', 'z', key], value: 'two', continues: false }))
        const { text } = write([...first.filter(({ path }) => path[1] !== 'z'), between, ...more])
        const read = JSON.parse(text)
        expect(Object.keys(read.x.z).sort()).toEqual([...names].sort())
        expect(read.y).toBe(true)
        for (const key of names) if (key !== 'z') expect(Object.entries(read.x)).toContainEqual([key, 1])
      }),
      { numRuns: runs(200) },
    )
  })

  it('cannot be completed by a text that goes on', () => {
    const open = { path: ['a'], value: 'b', continues: true }
    expect(write([open])).toEqual({ text: '{"a":"b', isComplete: false })
    expect(write([open, { path: ['a'], value: 1, continues: false }]).isComplete).toBe(false)
  })

  it.each([64, 65])('go on in 64 texts at a time: %i', (count) => {
    const texts = Array.from({ length: count }, (_, i) => ({ path: [`k${i}`], value: 'a', continues: true }))
    const last = { path: ['last'], value: 1, continues: false }
    const ends = texts.map((one) => ({ ...one, continues: false }))
    expect(write([...texts, last, ...ends]).isComplete).toBe(count === 64)
  })

  it('cannot be completed with an index beyond the end of an array', () => {
    const far = { path: ['a', 7], value: 1, continues: false }
    expect(write([far]).isComplete).toBe(false)
    expect(write([{ path: ['a', 0], value: 1, continues: false }, far]).isComplete).toBe(false)
  })
})

describe('a JSON path', () => {
  it.each([
    ['$.a', ['a']],
    ['$.a.b[0].c', ['a', 'b', 0, 'c']],
    ['$.a[10][2]', ['a', 10, 2]],
    [`$['first name']["it's"]`, ['first name', "it's"]],
    [String.raw`$['it\'s']`, ["it's"]],
    ['$.größe', ['größe']],
    ['$', undefined],
    ['$[0]', undefined],
    ['a', undefined],
    ['$.', undefined],
    ['$..a', undefined],
    ['$.a[*]', undefined],
    [`$${'.a'.repeat(65)}`, undefined],
    [`$.${'a'.repeat(5000)}`, undefined],
  ])('%s', (path, segments) => {
    expect(parsePath(path)).toEqual(segments)
  })
})
