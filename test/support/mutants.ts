/** Bodies that are almost valid: parts of them replaced, left out, doubled or moved. */
import fc from 'fast-check'
import { jsonValue } from './json.ts'

type Path = readonly (string | number)[]

/** What readers stumble over: names that objects inherit, and values of other types. */
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1.5,
    1e300,
    '',
    ' ',
    '\ud800',
    [],
    {},
    [null],
    [[]],
    'x'.repeat(5000),
  ),
  fc
    .constantFrom('toString', 'valueOf', 'length', '__proto__', 'constructor', 'then', 'toJSON', 'type', 'id')
    .map((name) => JSON.parse(`{"${name}":{"toString":null,"valueOf":null}}`) as unknown),
  jsonValue({ maxDepth: 2 }),
)

const change = fc.record({
  at: fc.nat(999),
  how: fc.constantFrom(
    'replaced' as const,
    'replaced' as const,
    'left out' as const,
    'doubled' as const,
    'nested' as const,
  ),
  value: values,
})

/** A body with one to three changes anywhere in it. */
export function mutantsOf(body: unknown): fc.Arbitrary<unknown> {
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce<unknown>((changed, { at, how, value }) => {
      const paths = pathsIn(changed)
      const path = paths[at % paths.length] ?? []
      return changedAt(changed, path, (before) => {
        if (how === 'replaced') return [value]
        if (how === 'left out') return []
        return how === 'doubled' ? [before, before] : [[before]]
      })
    }, structuredClone(body)),
  )
}

function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([name, each]) =>
      pathsIn(each, [...at, Array.isArray(value) ? Number(name) : name]),
    ),
  ]
}

/** A copy with other values at a path: none, one, or in an array several. */
function changedAt(value: unknown, [name, ...rest]: Path, to: (before: unknown) => unknown[]): unknown {
  if (name === undefined) return to(value)[0] ?? null
  const inner = (before: unknown): unknown[] => (rest.length > 0 ? [changedAt(before, rest, to)] : to(before))
  if (Array.isArray(value)) return value.flatMap((each, i) => (i === name ? inner(each) : [each]))
  const entries = Object.entries(value as object)
  return Object.fromEntries(
    entries.flatMap(([key, each]) => (key === name ? inner(each).map((one) => [key, one]) : [[key, each]])),
  )
}
