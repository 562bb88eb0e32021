// Recorded streams with faults: chunks that are lost, sent twice or out of order, and values of any type.

import fc from 'fast-check'
import { jsonValue } from '../json.ts'

type Mutation = (chunks: readonly unknown[]) => readonly unknown[]

/** A place in a list, as a fraction of its length. */
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const placeIn = (list: readonly unknown[], at: number): number => Math.floor(at * list.length)

const removal = fraction.map(
  (at): Mutation =>
    (chunks) =>
      chunks.toSpliced(placeIn(chunks, at), 1),
)

const repetition = fraction.map(
  (at): Mutation =>
    (chunks) => {
      const place = placeIn(chunks, at)
      return chunks.toSpliced(place, 0, ...chunks.slice(place, place + 1))
    },
)

const move = fc.tuple(fraction, fraction).map(
  ([from, to]): Mutation =>
    (chunks) => {
      const place = placeIn(chunks, from)
      return chunks.toSpliced(place, 1).toSpliced(placeIn(chunks, to), 0, ...chunks.slice(place, place + 1))
    },
)

/** The paths of all values in a value. */
export function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))]
}

/** A copy with another value at a path; `undefined` removes the field. */
export function withValue(value: unknown, [name, ...rest]: readonly string[], next: unknown): unknown {
  if (name === undefined) return next
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[name] = withValue(copy[name], rest, next)
  if (next === undefined && rest.length === 0 && !Array.isArray(copy)) delete copy[name]
  return copy
}

const replacement = fc
  .tuple(fraction, fraction, jsonValue({ maxDepth: 2 }))
  .map(([at, which, next]): Mutation => {
    return (chunks) => {
      const place = placeIn(chunks, at)
      const paths = pathsOf(chunks[place])
      return chunks.with(place, withValue(chunks[place], paths[placeIn(paths, which)] ?? [], next))
    }
  })

/** The chunks with some faults. */
export function mutationsOf(chunks: readonly unknown[]): fc.Arbitrary<readonly unknown[]> {
  const mutation = fc.oneof(removal, repetition, move, replacement, replacement)
  return fc
    .array(mutation, { minLength: 1, maxLength: 6 })
    .map((mutations) => mutations.reduce((list, mutate) => (list.length === 0 ? list : mutate(list)), chunks))
}
