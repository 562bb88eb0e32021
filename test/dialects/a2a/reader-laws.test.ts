// Proves that reading A2A loses nothing silently, is legal, and gives the same from a stream as from the task it leads to.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromA2a } from '../../../src/dialects/a2a/index.ts'
import { parsePointer } from '../../../src/encoding/pointer.ts'
import { withForeignFields } from '../../support/foreign-fields.ts'
import { jsonValue } from '../../support/json.ts'
import { errorsOf, expectReaderLaw, expectTotal, leavesOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { a2aStreams } from './a2a-streams.ts'
import { outcomeOf } from './outcome.ts'
import { runFromA2a, versions } from './support.ts'

/** What A2A needs to carry its content. */
const structure = /\/(kind|state|role|final|append|lastChunk|data_part_compat)$/

/** The id of the text of the task, which events name by no id. */
const ownText = 't:content'

/** Whether bytes are spelled in the alphabet of Base64 for URLs: events have the same bytes in the usual one. */
function isUrlSafe(path: string, value: unknown): boolean {
  return /\/(?:bytes|raw)$/.test(path) && typeof value === 'string' && /^[\w-]*[-_][\w-]*$/.test(value)
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** How a value is changed: replaced, or its member renamed. */
const damage = fc.oneof(
  jsonValue({ maxDepth: 2 }).map((value) => ({ value })),
  fc.constantFrom('x', 'text', 'data', 'metadata', 'state', 'raw').map((name) => ({ name })),
)

type Damage = { readonly value: unknown } | { readonly name: string }

/** The items with one value of one item changed. */
function damaged(items: readonly unknown[], at: number, where: number, change: Damage): readonly unknown[] {
  const index = at % items.length
  const leaves = leavesOf(items[index])
  const { path } = leaves[where % leaves.length] ?? { path: '' }
  const keys = parsePointer(path) ?? []
  const copy = structuredClone(items[index]) as Record<string, unknown>
  const depth = 1 + (where % keys.length)
  let parent = copy
  for (const key of keys.slice(0, depth - 1)) parent = parent[key] as Record<string, unknown>
  const key = keys[depth - 1] as string
  if ('value' in change) parent[key] = change.value
  else if (!Array.isArray(parent)) {
    parent[change.name] = parent[key]
    delete parent[key]
  }
  return items.map((item, i) => (i === index ? copy : item))
}

/** The items with one text empty. */
function withEmptyText(items: readonly unknown[], n: number): readonly unknown[] {
  const texts = items.flatMap((item, i) =>
    leavesOf(item).flatMap(({ path }) => (path.endsWith('/text') ? [{ i, path }] : [])),
  )
  const chosen = texts[n % texts.length]
  if (chosen === undefined) return items
  return items.map((item, i) => {
    if (i !== chosen.i) return item
    const copy = structuredClone(item) as Record<string, unknown>
    const keys = parsePointer(chosen.path) ?? []
    let parent = copy
    for (const key of keys.slice(0, -1)) parent = parent[key] as Record<string, unknown>
    parent.text = ''
    return copy
  })
}

describe.each(versions)('the reader of A2A %s', (version) => {
  it('loses nothing silently, and is legal', () => {
    expectReaderLaw({
      machine: () => fromA2a({ now: () => 0 }) as never,
      streams: a2aStreams(version).map(({ items }) => items),
      isStructure: (path, value) => structure.test(path) || value === ownText,
      runs: 300,
    })
  })

  it('loses no field that the protocol does not know', () => {
    expectReaderLaw({
      machine: () => fromA2a({ now: () => 0 }) as never,
      streams: withForeignFields(a2aStreams(version).map(({ items }) => items)),
      isStructure: (path, value) => structure.test(path) || value === ownText,
      isLegal: false,
    })
  })

  it('of the task at the end loses nothing silently either', () => {
    expectReaderLaw({
      machine: () => fromA2a({ now: () => 0 }) as never,
      streams: a2aStreams(version).map(({ tasks }) => tasks.slice(-1)),
      isStructure: (path, value) => structure.test(path) || value === ownText,
      runs: 300,
    })
  })

  it('loses nothing silently of damaged items either', () => {
    expectReaderLaw({
      machine: () => fromA2a({ now: () => 0 }) as never,
      streams: fc
        .tuple(
          a2aStreams(version, { growing: false }),
          fc.array(fc.tuple(fc.nat(), fc.nat(), damage), { maxLength: 3 }),
        )
        .map(([{ items }, damages]) =>
          damages.reduce<readonly unknown[]>(
            (all, [at, where, change]) => damaged(all, at, where, change),
            items,
          ),
        ),
      // `null` stands for a member that is absent.
      isStructure: (path, value) =>
        structure.test(path) || value === ownText || isEmpty(value) || isUrlSafe(path, value),
      isLegal: false,
      runs: 300,
    })
  })

  it('loses nothing silently of a stream that ends anywhere', () => {
    expectReaderLaw({
      machine: () => fromA2a({ now: () => 0 }) as never,
      streams: fc
        .tuple(a2aStreams(version, { growing: false }), fc.nat(), fc.array(fc.nat(), { maxLength: 3 }))
        .map(([{ items }, end, empty]) => {
          const cut = items.slice(0, 1 + (end % items.length))
          return empty.reduce<readonly unknown[]>(withEmptyText, cut)
        }),
      isStructure: (path, value) => structure.test(path) || value === ownText || isEmpty(value),
      isLegal: false,
      runs: 300,
    })
  })

  it('loses nothing silently if the stream is cut and the task is sent again', () => {
    expectReaderLaw({
      machine: () => fromA2a({ now: () => 0 }) as never,
      streams: fc
        .tuple(a2aStreams(version, { growing: false }), fc.nat(), fc.nat())
        .map(([{ items, tasks }, from, away]) => {
          const cut = 1 + (from % items.length)
          const back = Math.min(cut + (away % 6), items.length)
          return [...items.slice(0, cut), tasks[back - 1], ...items.slice(back), ...tasks.slice(-1)]
        }),
      isStructure: (path, value) => structure.test(path) || value === ownText,
      runs: 200,
    })
  })

  it('takes any value as input', () => {
    expectTotal(
      () => fromA2a({ now: () => 0 }) as never,
      a2aStreams(version).map(({ items }) => items),
    )
  })

  it('gives the same from a stream as from its last task', () => {
    fc.assert(
      fc.property(a2aStreams(version), ({ items, tasks }) => {
        const read = runFromA2a(tasks.slice(-1))
        expect(outcomeOf(runFromA2a(items).out)).toEqual(outcomeOf(read.out))
      }),
      { numRuns: runs(300) },
    )
  })

  it('gives the same if the stream is cut and the task is sent again, at any point', () => {
    fc.assert(
      fc.property(a2aStreams(version), fc.nat(), fc.nat(), ({ items, tasks }, from, away) => {
        const cut = 1 + (from % items.length)
        const back = Math.min(cut + (away % 6), items.length)
        const seen = [...items.slice(0, cut), tasks[back - 1], ...items.slice(back)]
        const read = runFromA2a(seen)
        expect(outcomeOf(read.out)).toEqual(outcomeOf(runFromA2a(items).out))
        expect(errorsOf(read.out)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })
})
