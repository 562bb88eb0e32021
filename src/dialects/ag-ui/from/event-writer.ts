/** One step of `fromAgUi`: the events it emits, its diagnostics, and its next state. */

import {
  type BoundedMap,
  boundedEntries,
  boundedGet,
  boundedSet,
} from '../../../core/bounded-map/bounded-map.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { EventDraft } from '../../../emitter/event-draft.ts'
import { isKnownEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent, EventContext } from '../../../events/event.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { readMilliseconds } from '../../../validation/callbacks.ts'
import { epochToTimestamp, MAX_EPOCH_MS } from '../../shared/epoch-time.ts'
import type { FromAgUiOptions } from './options.ts'
import { copyState, type FromAgUiState, type OpenTask } from './state.ts'

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

type Item<Name extends ItemMap> = FromAgUiState[Name] extends BoundedMap<infer V> ? V : never

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
      event.metadata = { ...stated, ...metadata }
      if (!isKnownEvent(event)) event.metadata = { ...metadata, agUi: stated }
    }
    this.emit(event as ContextAnyEvent)
  }

  /** Emits an event whose content is the sender's, if it is valid. Returns whether it is. */
  emitIfValid(task: OpenTask, draft: EventDraft): boolean {
    this.emitEvent(task, draft)
    if (isKnownEvent(this.out.at(-1))) return true
    this.out.pop()
    return false
  }

  /** Reports that an event was dropped. */
  droppedEvent({ type }: { readonly type: string }, reason: string, message: string): void {
    this.dropped(type, reason, message)
  }

  /** Reports a guess once for the whole stream. */
  inferredOnce(what: string, message: string): void {
    if (this.state.notes.includes(what)) return
    this.state.notes = [...this.state.notes, what]
    this.inferred(what, message)
  }

  /** An open item. */
  item<Name extends ItemMap>(map: Name, key: string): Item<Name> | undefined {
    return boundedGet(this.state[map] as BoundedMap<Item<Name>>, key)
  }

  /** Adds or replaces an open item. */
  setItem<Name extends ItemMap>(map: Name, key: string, item: Item<Name>): void {
    const { map: next, hasEvicted } = boundedSet(
      this.state[map] as BoundedMap<Item<Name>>,
      key,
      item,
      MAX_ITEMS,
    )
    this.state[map] = next as never
    if (hasEvicted) this.diagnostic('state-evicted', `Evicted open ${map}, of more than ${MAX_ITEMS}.`)
  }

  /** The open items of a task in order; those of all tasks if `owner` is omitted. */
  itemsOf<Name extends ItemMap>(map: Name, owner?: string): readonly Item<Name>[] {
    const { recent, recentSize } = this.state[map]
    if (recentSize === 0 && !('slots' in recent) && this.#isEmpty(map)) return []
    const items: { readonly seq: number; readonly owner?: string }[] = []
    for (const [, item] of boundedEntries(this.state[map] as BoundedMap<Item<'texts'>>)) {
      if (owner === undefined || item.owner === owner) items.push(item)
    }
    return items.sort((a, b) => a.seq - b.seq) as unknown as readonly Item<Name>[]
  }

  #isEmpty(map: ItemMap): boolean {
    const { older } = this.state[map]
    return !('slots' in older) && older.length === 0
  }

  nextSeq(): number {
    return this.state.seq++
  }

  /** Whether an id was used before. */
  hasId(type: 'task', id: string): boolean {
    return boundedGet(this.state.ids, `${type}:${id}`) !== undefined
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
