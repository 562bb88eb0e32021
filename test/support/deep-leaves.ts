/** The law that no machine throws on a value that is nested deeper than any recursion can follow. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Machine } from '../../src/core/machine.ts'
import { type ContextAnyEvent, decodeEvent } from '../../src/index.ts'
import { emptyView, foldEvent, type View } from '../../src/streams/index.ts'
import { resultsOf } from './mapper-laws.ts'
import { runs } from './runs.ts'

const DEPTH = 100_000

/** Lists in lists, objects in objects, and the text of each. */
const deepValues = {
  list: (): unknown => JSON.parse(deepValues.listText()),
  object: (): unknown => JSON.parse(deepValues.objectText()),
  listText: (): string => '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  objectText: (): string => `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
}

export type DeepValue = keyof typeof deepValues

/** A value that is nested 100 000 levels deep, or text of which it is the JSON. */
export const deepValue = (form: DeepValue): unknown => deepValues[form]()

/** The places of a value: each leaf and container in it, and an unknown member of each object. */
function placesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) => [
    [...path, key],
    ...placesOf(each, [...path, key]),
  ])
  return Array.isArray(value) ? inner : [...inner, [...path, 'x-deep']]
}

/** A copy of a value with another one at a place. */
function withValueAt(value: unknown, [key, ...rest]: readonly string[], inner: unknown): unknown {
  if (key === undefined) return inner
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = withValueAt(copy[key], rest, inner)
  return copy
}

/** Checks that a machine takes any stream with a value at any place that is nested 100 000 levels deep. */
export function expectDeepTaken<In>(
  machine: () => Machine<unknown, In, unknown, never>,
  streams: fc.Arbitrary<readonly In[]>,
): void {
  const form = fc.constantFrom(...(Object.keys(deepValues) as DeepValue[]))
  fc.assert(
    fc.property(streams, form, fc.nat(), fc.nat(), (inputs, name, at, place) => {
      const changed = at % inputs.length
      const places = placesOf(inputs[changed])
      const path = places[place % places.length] as string[]
      const deep = inputs.map((input, i) =>
        i === changed ? (withValueAt(input, path, deepValue(name)) as In) : input,
      )
      const failure = thrownBy(() => resultsOf(machine(), deep))
      expect({ path, input: inputs[changed], failure }).toEqual({
        path,
        input: inputs[changed],
        failure: undefined,
      })
    }),
    { numRuns: runs(100) },
  )
}

/** What a function throws; `undefined` if nothing. The value itself is too deep to be printed. */
function thrownBy(body: () => unknown): string | undefined {
  try {
    body()
    return undefined
  } catch (error) {
    return String((error as Error).stack)
      .split('\n')
      .slice(0, 4)
      .join('\n')
  }
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
