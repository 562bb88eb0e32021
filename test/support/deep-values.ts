/** Streams with a value that is nested deeper than any stack. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import { toPointer } from '../../src/encoding/pointer.ts'
import { type ContextAnyEvent, decodeEvent } from '../../src/index.ts'
import { emptyView, foldEvent, type View } from '../../src/streams/index.ts'
import { resultsOf } from './mapper-laws.ts'
import { runs } from './runs.ts'

/** `JSON.parse` takes this many levels; a function that calls itself for each of them does not. */
const LEVELS = 100_000

const deepArray = nested((inner) => [inner])
const deepObject = nested((inner) => ({ inner }))
/** Some fields hold JSON as text. */
const deepTexts = ['['.repeat(LEVELS) + ']'.repeat(LEVELS), `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`]

/** An object that is nested 100 000 levels deep. */
export const deepRecord = deepObject as Readonly<Record<string, unknown>>

function nested(around: (inner: unknown) => unknown): unknown {
  let value: unknown = null
  for (let level = 0; level < LEVELS; level++) value = around(value)
  return value
}

type Path = readonly string[]

/**
 * Streams in which one item has a deeply nested array or object, or the JSON of one: in place of one of its values, or as
 * a new field of one of its objects. Empty streams stay empty.
 */
export function withDeepValue<In>(streams: fc.Arbitrary<readonly In[]>): fc.Arbitrary<readonly In[]> {
  return fc
    .tuple(streams, fc.nat(), fc.nat(), fc.constantFrom(deepArray, deepObject, ...deepTexts))
    .map(([stream, itemPick, pathPick, deep]) => {
      const at = itemPick % Math.max(stream.length, 1)
      const paths = pathsIn(stream[at], [])
      const path = paths[pathPick % Math.max(paths.length, 1)]
      if (path === undefined) return stream
      const copy = stream.map((item, i) => (i === at ? (withValue(item, path, deep) as In) : item))
      // Printing the value would overflow the stack.
      const text = `${stream.length} items, of which number ${at} is deep at ${toPointer(path)}`
      return Object.defineProperty(copy, fc.toStringMethod, { value: () => text })
    })
}

/** The paths of the values in a value, and of a new field of each of its objects. */
function pathsIn(value: unknown, path: Path): Path[] {
  const own = path.length === 0 ? [] : [path]
  if (typeof value !== 'object' || value === null) return own
  const inner = Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key]))
  return Array.isArray(value) ? [...own, ...inner] : [...own, ...inner, [...path, 'x-deep']]
}

function withValue(value: unknown, [key, ...rest]: Path, deep: unknown): unknown {
  if (key === undefined) return deep
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = withValue(copy[key], rest, deep)
  return copy
}

/**
 * Checks that a machine takes streams with a deep value, and that each of its diagnostics can be serialized, unless they
 * have the values that it does not read.
 */
export function expectTakesDeepValues<In>(
  machine: () => Machine<unknown, In, unknown, never>,
  streams: fc.Arbitrary<readonly In[]>,
  reportsValues = false,
): void {
  fc.assert(
    fc.property(withDeepValue(streams), (inputs) => {
      const results = resultsOf(machine(), inputs)
      if (reportsValues) return
      expect(() => JSON.stringify(results.map(({ diagnostics }) => diagnostics))).not.toThrow()
    }),
    { numRuns: runs(100) },
  )
}

/** What makes messages of a view, as a machine that takes the events of the view. */
export function ofView(messages: (view: View) => unknown): Machine<unknown, ContextAnyEvent, unknown, never> {
  return {
    initial: emptyView,
    step(view, event) {
      const decoded = decodeEvent(event)
      return { state: decoded.status === 'known' ? foldEvent(view as View, decoded.event) : view, out: [] }
    },
    end: (view) => ({ state: view, out: [messages(view as View)] }),
  }
}
