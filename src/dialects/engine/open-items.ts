/** A step of a reader whose input names what it has open: texts, thoughts, calls, requests, tasks. */

import { boundedGet } from '../../core/bounded-map/bounded-map.ts'
import { MAX_ITEMS } from '../shared/limits.ts'
import { type DraftClock, type DraftState, DraftWriter } from './draft.ts'
import { type GroupedMap, type GroupOf, groupedDelete, groupedEntries, groupedSet } from './grouped-map.ts'

/** The maps of a state that hold what is open. */
export type ItemMap<State> = {
  [Name in keyof State]: State[Name] extends GroupedMap<infer _> ? Name : never
}[keyof State] &
  string

export type ItemOf<State, Name extends keyof State> = State[Name] extends GroupedMap<infer V> ? V : never

/** How the items of each map are grouped. */
export type Groups<State> = { readonly [Name in ItemMap<State>]: GroupOf<ItemOf<State, Name>> }

/** A step of a reader, with the items of its state. */
export class ItemWriter<
  State extends DraftState,
  Options extends { readonly clock?: DraftClock | undefined },
> extends DraftWriter<State, Options> {
  readonly #groups: Groups<State>

  constructor(state: State, options: Options, groups: Groups<State>) {
    super(state, options)
    this.#groups = groups
  }

  /** What is open under a key, or was of late. */
  item<Name extends ItemMap<State>>(map: Name, key: string): ItemOf<State, Name> | undefined {
    return boundedGet(this.#map(map).values, key)
  }

  /** The items of a group, with their keys, in the order in which they were added. */
  itemsOf<Name extends ItemMap<State>>(map: Name, group: string): [string, ItemOf<State, Name>][] {
    return groupedEntries(this.#map(map), group)
  }

  /** Adds or replaces an item. Reports if others are removed for it. */
  setItem<Name extends ItemMap<State>>(map: Name, key: string, item: ItemOf<State, Name>): void {
    const set = groupedSet(this.#map(map), key, item, this.#groups[map], MAX_ITEMS)
    this.state[map] = set.map as State[Name]
    if (set.hasEvicted) this.diagnostic('state-evicted', `Removed ${map}, of more than ${MAX_ITEMS}.`)
  }

  deleteItem<Name extends ItemMap<State>>(map: Name, key: string): void {
    this.state[map] = groupedDelete(this.#map(map), key, this.#groups[map]) as State[Name]
  }

  #map<Name extends ItemMap<State>>(name: Name): GroupedMap<ItemOf<State, Name>> {
    return this.state[name] as GroupedMap<ItemOf<State, Name>>
  }
}
