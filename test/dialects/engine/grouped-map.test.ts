// The values of each group are those a plain map has, in the order in which they joined it.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundedEntries, boundedGet } from '../../../src/core/bounded-map/bounded-map.ts'
import {
  emptyGroupedMap,
  type GroupedMap,
  groupedDelete,
  groupedEntries,
  groupedSet,
} from '../../../src/dialects/engine/grouped-map.ts'
import { runs } from '../../support/runs.ts'

interface Value {
  readonly group: string | null
  readonly number: number
}

const groupOf = ({ group }: Value): string | null => group
const groups = ['a', '__proto__', ''] as const

const changes = fc.array(
  fc.record({
    // Objects list keys that are numbers first, in their own order.
    key: fc.nat(11).map((n) => (n === 0 ? '__proto__' : n < 6 ? String(n) : `k${n}`)),
    group: fc.constantFrom(null, ...groups),
    isDeleted: fc.boolean(),
    number: fc.nat(),
  }),
  { maxLength: 60 },
)

it('has many values in order', () => {
  const numbers = Array.from({ length: 500 }, (_, number) => number)
  const map = numbers.reduce<GroupedMap<Value>>(
    (all, number) => groupedSet(all, `${(number * 7) % 500}`, { group: 'a', number }, groupOf, 1000).map,
    emptyGroupedMap,
  )
  expect(groupedEntries(map, 'a').map(([, { number }]) => number)).toEqual(numbers)
})

it('has a value that stays in its group at its place', () => {
  const set = (map: GroupedMap<Value>, [key, number]: readonly [string, number]): GroupedMap<Value> =>
    groupedSet(map, key, { group: 'a', number }, groupOf, 1000).map
  const map = (
    [
      ['x', 1],
      ['y', 2],
      ['x', 3],
    ] as const
  ).reduce(set, emptyGroupedMap)
  expect(groupedEntries(map, 'a').map(([key, { number }]) => [key, number])).toEqual([
    ['x', 3],
    ['y', 2],
  ])
})

it.each([3, 1000])('has the values of each group in order, with generations of %i', (size) => {
  fc.assert(
    fc.property(changes, (list) => {
      let map: GroupedMap<Value> = emptyGroupedMap
      let model: [string, Value][] = []
      for (const { key, group, isDeleted, number } of list) {
        const known = model.find(([each]) => each === key)
        const value = { group, number }
        if (isDeleted) map = groupedDelete(map, key, groupOf)
        else map = groupedSet(map, key, value, groupOf, size).map
        if (isDeleted) model = model.filter((entry) => entry !== known)
        else if (known !== undefined && known[1].group === group) known[1] = value
        else model = [...model.filter((entry) => entry !== known), [key, value]]
        // What was evicted is in no group.
        const kept = new Map(boundedEntries(map.values))
        model = model.filter(([each]) => kept.has(each))
        for (const each of groups) {
          expect(groupedEntries(map, each)).toEqual(model.filter(([, { group }]) => group === each))
        }
        for (const [each, value] of model) expect(boundedGet(map.values, each)).toEqual(value)
        expect(JSON.parse(JSON.stringify(map))).toEqual(map)
      }
      for (const { key } of list) map = groupedDelete(map, key, groupOf)
      expect({ values: map.values.recentSize, groups: map.groups.recentSize }).toEqual({
        values: 0,
        groups: 0,
      })
    }),
    { numRuns: runs(200) },
  )
})
