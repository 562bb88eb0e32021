/**
 * The ids of calls, requests and thoughts in a protocol that has one space for them: in the stream they are unique only
 * within their task. The first one keeps its id, and one of another task with the same id gets a suffix.
 */

import {
  type BoundedMap,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../core/bounded-map/bounded-map.ts'
import type { Machine, Step } from '../../core/machine.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { eachItemId, type ItemType } from '../../events/item-ids.ts'
import { itemKey } from '../../streams/context-key.ts'
import { isFields } from '../../validation/predicates.ts'

interface WireIds {
  /** Whose the ids on the wire are: an `itemKey`, by type and id. */
  readonly owners: BoundedMap<string>
  /** Whether an id has a suffix. */
  readonly hasSuffixes: boolean
}

const noIds: WireIds = { owners: emptyBoundedMap, hasSuffixes: false }

/** The owner of what is not of the stream: no `itemKey`. */
const NOBODY = ''

/** How many suffixes an id gets, if those are ids of other calls as well. */
const MAX_SUFFIXES = 4

/** The id of a task on the wire if another task has it. Of the characters that model providers take in ids. */
export function withSuffix(id: string, taskId: string): string {
  return `${id}_${taskId}`
}

/** The state of {@link oneIdSpace}. */
interface OneIdSpace<State> {
  readonly writer: State
  readonly ids: WireIds
}

/**
 * Gives a writer events with the ids that they have on the wire.
 *
 * @param isDropped - Whether the writer drops an event, so that its ids are not on the wire. Omitted: they are.
 * @param taken - The ids of what readers had before the stream. Omitted: nothing.
 */
export function oneIdSpace<State, Out, End>(
  machine: Machine<State, ContextAnyEvent, Out, End>,
  isDropped: (state: State, event: ContextAnyEvent) => boolean = () => false,
  taken: readonly (readonly [type: ItemType, id: string])[] = [],
): Machine<OneIdSpace<State>, ContextAnyEvent, Out, End> {
  const owners = taken.reduce((all, [type, id]) => boundedSet(all, `${type} ${id}`, NOBODY).map, noIds.owners)
  const next = (ids: WireIds, step: Step<State, Out>): Step<OneIdSpace<State>, Out> => {
    return { ...step, state: { writer: step.state, ids } }
  }
  return {
    initial: { writer: machine.initial, ids: { ...noIds, owners } },
    step({ writer, ids }, event) {
      // What is dropped must not pass for what has the id.
      if (isDropped(writer, event)) return next(ids, machine.step(writer, onWire(ids, event)))
      const known = withIdsOf(ids, event)
      return next(known, machine.step(writer, known.hasSuffixes ? onWire(known, event) : event))
    },
    end: ({ writer, ids }, reason) => next(ids, machine.end(writer, reason)),
  }
}

/**
 * The events of a history with the ids that {@link oneIdSpace} gives those of the stream: what was first there is so here.
 *
 * @param isShown - Whether the reader sees an event: the ids of others are not counted. Omitted: it sees all.
 */
export function wireEvents(
  events: readonly ContextAnyEvent[],
  isShown: (event: ContextAnyEvent) => boolean = () => true,
): readonly ContextAnyEvent[] {
  if (!hasSharedIds(events)) return events
  const inTime = events
    .filter(isShown)
    .map((event) => ({ event, at: Date.parse(event.timestamp) }))
    .sort((a, b) => a.at - b.at)
  let ids = noIds
  for (const { event } of inTime) ids = withIdsOf(ids, event)
  return events.map((event) => onWire(ids, event))
}

/** Whether two tasks have the same id. */
function hasSharedIds(events: readonly ContextAnyEvent[]): boolean {
  const owners = new Map<string, string>()
  let isShared = false
  for (const event of events) {
    eachItemId(event, (type, id) => {
      const [key, owner] = [`${type} ${id}`, itemKey(event, id)]
      if ((owners.get(key) ?? owner) !== owner) isShared = true
      owners.set(key, owner)
    })
  }
  return isShared
}

/** The ids after those that an event names. */
function withIdsOf(ids: WireIds, event: ContextAnyEvent): WireIds {
  let { owners, hasSuffixes } = ids
  eachItemId(event, (type, id) => {
    const owner = itemKey(event, id)
    let name = id
    for (let i = 0; i < MAX_SUFFIXES; i++) {
      const known = boundedGet(owners, `${type} ${name}`)
      if (known === undefined) owners = boundedSet(owners, `${type} ${name}`, owner).map
      if (known === undefined || known === owner) break
      hasSuffixes = true
      name = withSuffix(name, event.taskId)
    }
  })
  return owners === ids.owners && hasSuffixes === ids.hasSuffixes ? ids : { owners, hasSuffixes }
}

/** The id of an item of a task on the wire, and whether it is on the wire. */
function wireIdOf(
  { owners }: WireIds,
  type: ItemType,
  event: ContextAnyEvent,
  id: string,
): { readonly name: string; readonly isKnown: boolean } {
  const owner = itemKey(event, id)
  let name = id
  for (let i = 0; i < MAX_SUFFIXES; i++) {
    const known = boundedGet(owners, `${type} ${name}`)
    if (known === owner || known === undefined) return { name, isKnown: known === owner }
    name = withSuffix(name, event.taskId)
  }
  return { name, isKnown: false }
}

/** The fields with an id, by what they name. Those of `metadata` may name what another task has. */
const ownFields: readonly (readonly [string, readonly ItemType[]])[] = [
  ['toolCallId', ['call']],
  ['inputId', ['input']],
  ['authId', ['auth']],
  ['thoughtId', ['thought']],
]
const metadataFields: readonly (readonly [string, readonly ItemType[]])[] = [
  ['toolCallId', ['call']],
  ['relatedTo', ['thought', 'call']],
  ['blockedBy', ['input', 'auth']],
]

/** An event with the ids that its task has on the wire; the same event if they are its own. */
function onWire(ids: WireIds, event: ContextAnyEvent): ContextAnyEvent {
  const nameOf = (type: ItemType, id: string, isOwn: boolean): string => {
    const { name, isKnown } = wireIdOf(ids, type, event, id)
    return isOwn || isKnown ? name : id
  }
  const renamed = (value: object, fields: typeof ownFields, isOwn: boolean): object => {
    let copy = value as Record<string, unknown>
    for (const [field, types] of fields) {
      const id = (value as Readonly<Record<string, unknown>>)[field]
      if (typeof id !== 'string') continue
      const name = types.map((type) => nameOf(type, id, isOwn)).find((each) => each !== id)
      if (name !== undefined) copy = { ...copy, [field]: name }
    }
    return copy
  }
  const { metadata, error } = event as { readonly metadata?: unknown; readonly error?: unknown }
  let own = renamed(event, ownFields, true)
  if (isFields(metadata)) {
    let named: object = renamed(metadata, metadataFields, false)
    if (event.kind === 'input-required' && event.metadata?.toolCall !== undefined) {
      const { toolCall } = event.metadata
      const id = nameOf('call', toolCall.id, true)
      if (id !== toolCall.id) named = { ...named, toolCall: { ...toolCall, id } }
    }
    if (named !== metadata) own = { ...own, metadata: named }
  }
  if (isFields(error)) {
    const named = renamed(error, ownFields, true)
    if (named !== error) own = { ...own, error: named }
  }
  return own as ContextAnyEvent
}
