/** One step of a reader: the events that it makes of an input, what it reports, and its next state. */

import { type BoundedMap, boundedDelete, boundedGet, boundedSet } from '../../core/bounded-map/bounded-map.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { isKnownEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { epochToTimestamp, MAX_EPOCH_MS } from '../shared/epoch-time.ts'
import { isBefore } from '../shared/timestamp.ts'
import { type GroupedMap, type GroupOf, groupedDelete, groupedEntries, groupedSet } from './grouped-map.ts'
import { MAX_ITEMS } from './item.ts'

/** An event without its context and time. */
export type Draft = EventDraft & { index?: number }

/** The task of an event. */
export interface DraftTask {
  readonly taskId: string
  /** `null` or omitted: it is no subtask. */
  readonly parentTaskId?: string | null
}

/** The part of the state of a reader that its drafts need. */
export interface DraftState {
  contextId: string
  /** The task of drafts that name no other. */
  taskId: string
  /** The time of the latest event, as RFC 3339 or in milliseconds since 1970; `null` before the first. */
  time: string | number | null
  /** How often each id was used, by what has it and the id. */
  ids: BoundedMap<number>
  /** What was reported once. */
  notes: readonly string[]
}

/** The maps of a state that hold what is open. */
export type ItemMap<State> = {
  [Name in keyof State]: State[Name] extends GroupedMap<infer _> ? Name : never
}[keyof State] &
  string

export type ItemOf<State, Name extends keyof State> = State[Name] extends GroupedMap<infer V> ? V : never

/** How the items of each map are grouped. */
export type Groups<State> = { readonly [Name in ItemMap<State>]: GroupOf<ItemOf<State, Name>> }

/** A step of a reader. Its state is a copy to assign to; nested values are replaced, not changed. */
export class DraftWriter<
  State extends DraftState,
  Options extends { readonly clock?: (() => string) | undefined },
> extends StepBuilder<State, ContextAnyEvent> {
  readonly options: Options
  readonly #groups: Groups<State>

  constructor(state: State, options: Options, groups: Groups<State>) {
    super(state)
    this.options = options
    this.#groups = groups
  }

  /** The time of the next event: that of the clock, but not before that of an earlier event. */
  get time(): string {
    const now = this.options.clock?.()
    if (now !== undefined) this.setTime(now)
    const { time } = this.state
    return textOf(time ?? 0)
  }

  /** Sets the time of the next events, unless it is before that of an earlier one. Returns whether it did. */
  setTime(time: NonNullable<DraftState['time']>): boolean {
    const { time: latest } = this.state
    if (latest !== null && isEarlier(time, latest)) return false
    this.state.time = time
    return true
  }

  /** Emits a draft with its context and time. It becomes the event: a new object. */
  emitDraft(draft: Draft, task: DraftTask = this.state): void {
    this.emit(this.#eventOf(draft, task) as unknown as ContextAnyEvent)
  }

  /** Emits a draft whose content is the sender's, if it is a valid event. Returns whether it is. */
  emitValid(draft: Draft, task: DraftTask = this.state): boolean {
    const event = this.#eventOf(draft, task)
    const isValid = isKnownEvent(event)
    if (isValid) this.emit(event as unknown as ContextAnyEvent)
    return isValid
  }

  #eventOf(draft: Draft, { taskId, parentTaskId }: DraftTask): Record<string, unknown> {
    const event = draft as unknown as Record<string, unknown>
    event.contextId = this.state.contextId
    event.taskId = taskId
    if (parentTaskId != null) event.parentTaskId = parentTaskId
    event.timestamp = this.time
    return event
  }

  /** Reports a guess once for the whole stream. */
  inferredOnce(what: string, message: string): void {
    if (this.state.notes.includes(what)) return
    this.state.notes = [...this.state.notes, what]
    this.inferred(what, message)
  }

  /** An id that nothing else of its sort has: the id itself the first time, `<id>#2` the second time. */
  uniqueId(sort: string, id: string): string {
    const { ids, unique } = withId(this.state.ids, `${sort}:`, id)
    this.state.ids = ids
    return unique
  }

  /** Lets an id be used again, as what had it was discarded. */
  freeId(sort: string, id: string): void {
    this.state.ids = boundedDelete(this.state.ids, `${sort}:${id}`)
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

/** An id that is not among those that were used, which it is afterwards: the id itself, or `<id>#2` and so on. */
export function withId(
  ids: BoundedMap<number>,
  space: string,
  id: string,
): { ids: BoundedMap<number>; unique: string } {
  const countOf = (id: string): number => boundedGet(ids, space + id) ?? 0
  let count = countOf(id) + 1
  let unique = count === 1 ? id : `${id}#${count}`
  while (count > 1 && countOf(unique) > 0) unique = `${id}#${++count}`
  const used = boundedSet(ids, space + unique, 1).map
  return { ids: unique === id ? used : boundedSet(used, space + id, count).map, unique }
}

/** Sets the time of the next events to that of a field, in milliseconds since 1970. Reports one that is not used. */
export function setEpoch(
  writer: Pick<DraftWriter<DraftState, object>, 'state' | 'setTime' | 'lossy'>,
  field: string,
  milliseconds: number,
): void {
  const whole = Math.min(Math.trunc(milliseconds), MAX_EPOCH_MS)
  if (writer.setTime(whole) && whole === milliseconds) return
  const range = `from ${writer.state.time} to ${MAX_EPOCH_MS}`
  writer.lossy(field, `Expected whole milliseconds ${range}, got ${milliseconds}.`, milliseconds)
}

function isEarlier(time: string | number, other: string | number): boolean {
  if (typeof time === 'number' && typeof other === 'number') return time < other
  return isBefore(textOf(time), textOf(other))
}

function textOf(time: string | number): string {
  return typeof time === 'number' ? epochToTimestamp(time) : time
}
