/** One step of `fromAgUi`: the events it emits, its diagnostics, and its next state. */

import { boundedDelete, boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent, EventContext } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { eventShapes } from '../../../events/shapes.generated.ts'
import { isEqualJson } from '../../../json/value.ts'
import { readMilliseconds } from '../../../validation/callbacks.ts'
import { issuesOf } from '../../../validation/read.ts'
import {
  type GroupedMap,
  type GroupOf,
  groupedDelete,
  groupedEntries,
  groupedSet,
} from '../../engine/grouped-map.ts'
import { epochToTimestamp, MAX_EPOCH_MS } from '../../shared/epoch-time.ts'
import type { FromAgUiOptions } from './options.ts'
import { copyState, type FromAgUiState, type OpenTask, type OpenThought } from './state.ts'

/** The key of the task of the run. Subagents have their id with a prefix. */
export const ROOT = 'run'

/** At least this many open items of a type are kept, and at most twice as many. */
const MAX_ITEMS = 1024

/** The key of the task that an event belongs to. */
export function ownerOf({ subagentRunId }: { readonly subagentRunId?: string }): string {
  return subagentRunId === undefined ? ROOT : `sub:${subagentRunId}`
}

/** The maps of the state that hold open items. */
type ItemMap = 'tasks' | 'texts' | 'thoughts' | 'spans' | 'calls'

type Item<Name extends ItemMap> = FromAgUiState[Name] extends GroupedMap<infer V> ? V : never

const byOwner = ({ owner }: { readonly owner: string }): string => owner

/** The group of each item. */
const groupsOf = {
  tasks: ({ phase, parent }: OpenTask) => (phase === 'ended' ? null : parent),
  texts: byOwner,
  thoughts: ({ hasEnded, span, owner }: OpenThought) => thoughtGroup(hasEnded, span, owner),
  spans: byOwner,
  calls: byOwner,
}

/** The group of the reasoning messages of a span, or of those of a task that are in none. */
export function thoughtGroup(hasEnded: boolean, span: string | null, owner: string): string {
  return span === null ? `${hasEnded} of ${owner}` : `${hasEnded} in ${span}`
}

export class EventWriter extends StepBuilder<Mutable<FromAgUiState>, ContextAnyEvent> {
  readonly options: FromAgUiOptions
  #timestamp = ''

  constructor(state: FromAgUiState, options: FromAgUiOptions) {
    super(copyState(state))
    this.options = options
  }

  /** Sets the time of the events of this step. It never goes back. */
  setTime(given: number | undefined): void {
    const { time } = this.state
    const { now } = this.options
    const wanted = given ?? (now === undefined ? time : readMilliseconds(now))
    if (given === undefined && (now === undefined || wanted < time)) {
      const message = 'Expected a timestamp, got none; that of the event before, or 1970, was inferred.'
      this.inferredOnce('timestamp', message)
    }
    const used = Math.min(Math.max(Math.trunc(wanted), time), MAX_EPOCH_MS)
    if (given !== undefined && used !== given) {
      this.lossy('timestamp', `Expected an instant from ${time} to ${MAX_EPOCH_MS}, got ${given}.`, given)
    }
    this.state.time = used
    this.#timestamp = ''
  }

  /** The time of the events of this step, as events state it. */
  get timestamp(): string {
    if (this.#timestamp === '') this.#timestamp = epochToTimestamp(this.state.time)
    return this.#timestamp
  }

  /**
   * Emits an event of a task.
   *
   * @param draft - Becomes the event: a new object.
   * @param stated - Metadata of the AG-UI event. Keys whose values the event must not have are put under `agUi`.
   */
  emitEvent(task: OpenTask, draft: EventDraft & { index?: number }, stated: Metadata | null = null): void {
    const event = draft as unknown as Mutable<EventContext> & { timestamp: string; metadata?: Metadata }
    event.contextId = this.state.contextId
    event.taskId = task.taskId
    if (task.parentTaskId !== null) event.parentTaskId = task.parentTaskId
    event.timestamp = this.timestamp
    if (stated !== null) {
      const { metadata } = event
      const merged = { ...stated, ...metadata }
      const isWhole = isMetadata(draft.kind, merged)
      if (isWhole) this.mergedMetadata(stated, event)
      event.metadata = isWhole ? merged : { ...metadata, agUi: stated }
    }
    this.emit(event as ContextAnyEvent)
  }

  /** Emits an event whose content is the sender's, if it is valid. Returns whether it is. */
  emitIfValid(task: OpenTask, draft: EventDraft): boolean {
    this.emitEvent(task, draft)
    const decoded = decodeEvent(this.out.pop())
    if (decoded.status === 'known') this.emit(decoded.event)
    return decoded.status === 'known'
  }

  /** Reports that an event was dropped. */
  droppedEvent({ type }: { readonly type: string }, reason: string, message: string): void {
    this.dropped(type, reason, message)
  }

  /** Reports a message without text, with its metadata. */
  droppedEmpty(
    type: string,
    { messageId, metadata }: { readonly messageId: string; readonly metadata: Metadata | null },
  ): void {
    const message = `Expected a text in message ${describeValue(messageId)}, got none.`
    this.diagnostic(`dropped:${type}`, message, {
      detail: { reason: 'no-equivalent', messageId, ...(metadata !== null && { metadata }) },
    })
  }

  /** Merges the metadata of an event into that of its item; `null` if there is none. Reports values that are replaced. */
  mergedMetadata(known: Metadata | null, { metadata }: { readonly metadata?: Metadata }): Metadata | null {
    if (metadata === undefined || Object.keys(metadata).length === 0) return known
    if (known === null) return { ...metadata }
    for (const key of Object.keys(metadata)) {
      if (!Object.hasOwn(known, key) || isEqualJson(known[key], metadata[key])) continue
      const message = `Expected one value of the metadata ${describeValue(key)}, got another: the last one counts.`
      this.diagnostic('lossy:metadata', message, { detail: { [key]: known[key] } })
    }
    return { ...known, ...metadata }
  }

  /** Reports a guess once for the whole stream. */
  inferredOnce(what: string, message: string): void {
    if (this.state.notes.includes(what)) return
    this.state.notes = [...this.state.notes, what]
    this.inferred(what, message)
  }

  /** An open item. */
  item<Name extends ItemMap>(map: Name, key: string): Item<Name> | undefined {
    return boundedGet((this.state[map] as GroupedMap<Item<Name>>).values, key)
  }

  /** An open item that an event continues. Reports the subagent of the event if it is not that of the item. */
  continuedItem<Name extends 'texts' | 'thoughts' | 'spans' | 'calls'>(
    map: Name,
    key: string,
    event: { readonly subagentRunId?: string },
  ): Item<Name> | undefined {
    const item: Item<Name> | undefined = this.item(map, key)
    const { owner } = (item ?? {}) as { readonly owner?: string }
    if (owner !== undefined && event.subagentRunId !== undefined && owner !== ownerOf(event)) {
      const message = `Expected the subagent that started ${describeValue(key)}, got another one.`
      this.lossy('subagentRunId', message, event.subagentRunId)
    }
    return item
  }

  /** Adds or replaces an open item. */
  setItem<Name extends ItemMap>(map: Name, key: string, item: Item<Name>): void {
    const { map: next, hasEvicted } = groupedSet(
      this.state[map] as GroupedMap<Item<Name>>,
      key,
      item,
      groupsOf[map] as GroupOf<Item<Name>>,
      MAX_ITEMS,
    )
    this.state[map] = next as never
    if (hasEvicted) this.diagnostic('state-evicted', `Evicted open ${map}, of more than ${MAX_ITEMS}.`)
  }

  deleteItem<Name extends ItemMap>(map: Name, key: string): void {
    this.state[map] = groupedDelete(
      this.state[map] as GroupedMap<Item<Name>>,
      key,
      groupsOf[map] as GroupOf<Item<Name>>,
    ) as never
  }

  /** The items of a group in order: of a task, or as {@link thoughtGroup} names it. */
  itemsOf<Name extends ItemMap>(map: Name, group: string): readonly Item<Name>[] {
    return groupedEntries(this.state[map] as GroupedMap<Item<Name>>, group).map(([, item]) => item)
  }

  /** A task and those below it that have not ended, each before the ones below it. */
  tasksFrom(key: string): OpenTask[] {
    const root = this.item('tasks', key)
    const found = new Map(root === undefined ? [] : [[key, root]])
    // The iteration includes what is added on the way.
    for (const task of found.values()) {
      for (const subtask of this.itemsOf('tasks', task.key)) found.set(subtask.key, subtask)
    }
    return [...found.values()]
  }

  /** Whether an id was used before. */
  hasId(type: 'task', id: string): boolean {
    return boundedGet(this.state.ids, `${type}:${id}`) !== undefined
  }

  /** Lets an id be used again, whose item was discarded. */
  freeId(type: 'call' | 'thought', id: string): void {
    this.state.ids = boundedDelete(this.state.ids, `${type}:${id}`)
  }

  /** The id itself the first time, `<id>#2` the second time: ids are unique in the context. */
  uniqueId(type: 'task' | 'call' | 'thought' | 'input' | 'auth', id: string): string {
    const wanted = id === '' ? type : id
    const countOf = (id: string): number => boundedGet(this.state.ids, `${type}:${id}`) ?? 0
    let count = countOf(wanted) + 1
    let unique = count === 1 ? wanted : `${wanted}#${count}`
    while (count > 1 && countOf(unique) > 0) unique = `${wanted}#${++count}`
    this.state.ids = boundedSet(this.state.ids, `${type}:${unique}`, 1).map
    if (unique !== wanted) {
      this.state.ids = boundedSet(this.state.ids, `${type}:${wanted}`, count).map
      this.diagnostic(`lossy:${type}Id`, `${describeValue(wanted)} was used before, got it again.`, {
        detail: id,
      })
    }
    return unique
  }
}

/** Whether an event of a kind may have metadata. */
function isMetadata(kind: string, metadata: Metadata): boolean {
  const shape = eventShapes[kind]?.metadata
  return shape === undefined || issuesOf(shape, metadata, { nullIsAbsent: false }).length === 0
}
