/**
 * A bounded map whose values belong to groups, such as the open messages of a task. The values of a group are found
 * without a search. Plain JSON.
 */

import {
  type BoundedMap,
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
  boundedUpdate,
  emptyBoundedMap,
} from '../../core/bounded-map/bounded-map.ts'

export interface GroupedMap<V> {
  readonly values: BoundedMap<V>
  readonly groups: Groups
  /** The place of the next value. */
  readonly next: number
}

/** By group: the keys of its values, with their places in the order in which they were added. */
type Groups = BoundedMap<BoundedMap<number>>

/** The group of a value; `null` if it belongs to none. */
export type GroupOf<V> = (value: V) => string | null

export const emptyGroupedMap: GroupedMap<never> = {
  values: emptyBoundedMap,
  groups: emptyBoundedMap,
  next: 0,
}

/** The map with a value set, and whether others were evicted for it. A value that changes its group is its last one. */
export function groupedSet<V>(
  { values, groups, next }: GroupedMap<V>,
  key: string,
  value: V,
  groupOf: GroupOf<V>,
  generationSize: number,
): { map: GroupedMap<V>; hasEvicted: boolean } {
  let known: V | undefined
  const set = boundedUpdate(
    values,
    key,
    (before) => {
      known = before
      return value
    },
    generationSize,
  )
  const group = groupOf(value)
  const before = known === undefined ? null : groupOf(known)
  let all = groups
  if (set.hasEvicted) all = withoutEvicted(set.map, groups, groupOf)
  if (before === group) return { map: { values: set.map, groups: all, next }, hasEvicted: set.hasEvicted }
  if (before !== null) all = withoutKey(all, before, key)
  if (group !== null) all = withKey(all, group, key, next)
  return { map: { values: set.map, groups: all, next: next + 1 }, hasEvicted: set.hasEvicted }
}

/** The map without a key. */
export function groupedDelete<V>(map: GroupedMap<V>, key: string, groupOf: GroupOf<V>): GroupedMap<V> {
  const { values, groups, next } = map
  const known = boundedGet(values, key)
  if (known === undefined) return map
  const group = groupOf(known)
  return {
    values: boundedDelete(values, key),
    groups: group === null ? groups : withoutKey(groups, group, key),
    next,
  }
}

/** The values of a group with their keys, in the order in which they were added. */
export function groupedEntries<V>({ values, groups }: GroupedMap<V>, group: string): [string, V][] {
  const keys = boundedGet(groups, group)
  if (keys === undefined) return []
  const inOrder = [...boundedEntries(keys)].sort(([, a], [, b]) => a - b)
  return inOrder.map(([key]): [string, V] => [key, boundedGet(values, key) as V])
}

/** Whether a value of a group is wanted. Does not order the group. */
export function groupedSome<V>(
  { values, groups }: GroupedMap<V>,
  group: string,
  isWanted: (value: V) => boolean,
): boolean {
  for (const [key] of boundedEntries(boundedGet(groups, group) ?? emptyBoundedMap)) {
    if (isWanted(boundedGet(values, key) as V)) return true
  }
  return false
}

/** Keys are forgotten with their values alone. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER

function withKey(groups: Groups, group: string, key: string, place: number): Groups {
  const keys = boundedSet(boundedGet(groups, group) ?? emptyBoundedMap, key, place, UNBOUNDED).map
  return boundedSet(groups, group, keys, UNBOUNDED).map
}

function withoutKey(groups: Groups, group: string, key: string): Groups {
  const keys = boundedDelete(boundedGet(groups, group) ?? emptyBoundedMap, key)
  if (keys.recentSize === 0) return boundedDelete(groups, group)
  return boundedSet(groups, group, keys, UNBOUNDED).map
}

/** The groups of the values that are left. */
function withoutEvicted<V>(values: BoundedMap<V>, groups: Groups, groupOf: GroupOf<V>): Groups {
  let left: Groups = emptyBoundedMap
  for (const [key, value] of boundedEntries(values)) {
    const group = groupOf(value)
    const place = group === null ? undefined : boundedGet(boundedGet(groups, group) ?? emptyBoundedMap, key)
    if (group !== null && place !== undefined) left = withKey(left, group, key, place)
  }
  return left
}
