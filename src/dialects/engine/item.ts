/** The texts, thoughts and calls that a writer has open: how they are stored. Plain JSON. */

import {
  type BoundedMap,
  boundedDelete,
  boundedEntries,
  boundedGet,
  boundedSet,
  emptyBoundedMap,
} from '../../core/bounded-map/bounded-map.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import { noMark, type TextMark } from '../../encoding/text-mark.ts'
import type { ContextAnyEvent, ContextEvent, EventOf } from '../../events/event.ts'
import { contextKey } from '../../streams/context-key.ts'
import { MAX_ITEMS } from '../shared/limits.ts'
import { reportEvicted } from '../shared/stored.ts'
import {
  emptyGroupedMap,
  type GroupedMap,
  groupedDelete,
  groupedEntries,
  groupedSet,
  groupedSome,
} from './grouped-map.ts'

export type ItemType = 'text' | 'thought' | 'call'

/** A text or thought that is not complete, or a call that has no result, with the mark of what was written. */
export interface Item extends TextMark {
  readonly type: ItemType
  readonly taskId: string
  /** Its `contentId`, `thoughtId` or `toolCallId`; `''` for the text without one. */
  readonly key: string
  /** Its id in the format; `''` while it waits for its whole from the beginning. */
  readonly id: string
  /** The tool of a call, otherwise `''`. */
  readonly toolName: string
  /** The model response that it is part of; `null` if unknown. */
  readonly iteration: number | null
  /** `cut`: its format had to close it before its end; it opens again. `running`: a call that has started. */
  readonly phase: 'new' | 'open' | 'cut' | 'running'
  /** Whether it was closed before its end. */
  readonly wasCut: boolean
  /** The index of its next delta in the stream. */
  readonly next: number
  /** How many deltas were written: the index that readers give to the next one. */
  readonly written: number
  /** Whether deltas are missing, so that what follows waits for the whole. */
  readonly isWaiting: boolean
  /** How many characters of deltas wait for the whole. */
  readonly waiting: number
  /** The written arguments of a call; `null` if they are too long to be compared. */
  readonly text: string | null
}

/** The index after all deltas of an item: those that come repeat what was written. */
export const ALL_DELTAS: number = Number.MAX_SAFE_INTEGER

/** An item that is complete, or a call that has a result. */
export interface EndedItem extends TextMark {
  readonly taskId: string
  /** Its id in the format. */
  readonly id: string
  readonly iteration: number | null
  readonly timestamp: string
  /** The last one of another response with the same id, known again once this response is discarded. */
  readonly before: EndedItem | null
}

/** The part of a state that holds items. */
export interface Items {
  /** The item that was written last: most deltas follow one of the same item. Its entry in `open` may be older. */
  readonly latest: Item | null
  /** Those that have not ended. */
  readonly open: GroupedMap<Item>
  readonly ended: BoundedMap<EndedItem>
}

export const noItems: Items = { latest: null, open: emptyGroupedMap, ended: emptyBoundedMap }

/** What has items: a step of a writer. */
export type ItemHolder = Pick<StepBuilder<{ items: Items }, unknown>, 'state' | 'diagnostic'>

export type DeltaEvent = ContextEvent<EventOf<'content-delta' | 'thought-delta' | 'tool-arguments-delta'>>
export type WholeEvent = ContextEvent<EventOf<'content-complete' | 'thought-stream' | 'tool-start'>>
export type ReplaceEvent = ContextEvent<EventOf<'content-replace'>>
export type ItemEvent = DeltaEvent | WholeEvent | ReplaceEvent

/** The events of the items of a type. */
export type EventOfItem<Type extends ItemType> = {
  text: Extract<ItemEvent, { contentId?: string }>
  thought: Extract<ItemEvent, { thoughtId: string }>
  call: Extract<ItemEvent, { toolCallId: string }>
}[Type]

const groupOf = ({ taskId }: Item): string => taskId
const placeOf = ({ taskId }: { readonly taskId: string }, type: ItemType | 'replaced', key: string): string =>
  `${type} ${contextKey(taskId, key)}`

/** Whether an event is one of an item, other than the end of a call. */
export function isItemEvent(event: ContextAnyEvent): event is ItemEvent {
  return /^(content-|thought-|tool-(start|arguments))/.test(event.kind)
}

/** The type of the item of an event, and its id in the stream. */
export function nameOf(event: ItemEvent): readonly [type: ItemType, key: string] {
  switch (event.kind) {
    case 'content-delta':
    case 'content-complete':
    case 'content-replace':
      return ['text', event.contentId ?? '']
    case 'thought-delta':
    case 'thought-stream':
      return ['thought', event.thoughtId]
    default:
      return ['call', event.toolCallId]
  }
}

/** An item that has not ended. */
export function openItem(
  { state }: ItemHolder,
  task: { readonly taskId: string },
  type: ItemType,
  key: string,
): Item | undefined {
  const { latest, open } = state.items
  if (latest !== null && isItem(latest, task, type, key)) return latest
  return boundedGet(open.values, placeOf(task, type, key))
}

const isItem = (item: Item, { taskId }: { readonly taskId: string }, type: ItemType, key: string): boolean =>
  item.key === key && item.type === type && item.taskId === taskId

/** An item that has ended, or what a text was replaced by last. */
export function endedItem(
  { state }: ItemHolder,
  task: { readonly taskId: string },
  type: ItemType | 'replaced',
  key: string,
): EndedItem | undefined {
  return boundedGet(state.items.ended, placeOf(task, type, key))
}

/** An item of which nothing was written. */
export function newItem(event: ItemEvent, id: string): Item {
  const [type, key] = nameOf(event)
  return {
    type,
    taskId: event.taskId,
    key,
    id,
    toolName: 'toolName' in event ? event.toolName : '',
    iteration: event.iteration ?? null,
    phase: 'new',
    wasCut: false,
    next: 0,
    written: 0,
    isWaiting: false,
    waiting: 0,
    ...noMark,
    text: '',
  }
}

export function setItem(holder: ItemHolder, item: Item): void {
  const { latest, open, ended } = holder.state.items
  let all = open
  if (latest === null || !isItem(latest, item, item.type, item.key)) {
    if (latest !== null) all = stored(holder, all, latest)
    all = stored(holder, all, item)
  }
  holder.state.items = { latest: item, open: all, ended }
}

function stored(holder: ItemHolder, open: GroupedMap<Item>, item: Item): GroupedMap<Item> {
  const { map, hasEvicted } = groupedSet(open, placeOf(item, item.type, item.key), item, groupOf, MAX_ITEMS)
  if (hasEvicted) reportEvicted(holder, 'open items')
  return map
}

/** Ends an item. */
export function endItem(
  holder: ItemHolder,
  item: Item,
  written: Pick<EndedItem, 'length' | 'hash' | 'timestamp'>,
): void {
  forgetItem(holder, item)
  setEnded(holder, item, item.type, written)
}

/** Keeps what a text was replaced by, so that it is known when it comes again. */
export function setEnded(
  holder: ItemHolder,
  item: Item,
  type: ItemType | 'replaced',
  { length, hash, timestamp }: Pick<EndedItem, 'length' | 'hash' | 'timestamp'>,
): void {
  const { latest, open, ended } = holder.state.items
  const { taskId, key, id, iteration } = item
  const place = placeOf(item, type, key)
  const known = boundedGet(ended, place)
  const earlier = known?.iteration === iteration ? known.before : known
  const before = earlier ? { ...earlier, before: null } : null
  const record = { taskId, id, iteration, length, hash, timestamp, before }
  holder.state.items = { latest, open, ended: boundedSet(ended, place, record, MAX_ITEMS).map }
}

/** Forgets an item that has not ended. */
export function forgetItem(holder: ItemHolder, item: Item): void {
  const { latest, open, ended } = holder.state.items
  const { type, key } = item
  holder.state.items = {
    latest: latest !== null && isItem(latest, item, type, key) ? null : latest,
    open: groupedDelete(open, placeOf(item, type, key), groupOf),
    ended,
  }
}

/** Forgets the items of a model response that have ended: their ids may be used again. */
export function forgetEnded(holder: ItemHolder, taskId: string, iteration: number): void {
  const { latest, open } = holder.state.items
  let { ended } = holder.state.items
  for (const [place, item] of boundedEntries(ended)) {
    // A call that has a result has started, and stays.
    if (item.taskId !== taskId || item.iteration !== iteration || place.startsWith('call ')) continue
    const { before } = item
    ended = before ? boundedSet(ended, place, before, MAX_ITEMS).map : boundedDelete(ended, place)
  }
  holder.state.items = { latest, open, ended }
}

/**
 * The items of a task that have not ended, in the order in which they began.
 *
 * @param isOpen - Only those that are open in the format, or only the others. Omitted: all.
 */
export function itemsOf({ state }: ItemHolder, taskId: string, isOpen?: boolean): Item[] {
  return groupedEntries(state.items.open, taskId)
    .map(([, item]) => upToDate(state.items, item))
    .filter(({ phase }) => isOpen === undefined || (phase === 'open') === isOpen)
}

/** An item as it was written last. */
function upToDate({ latest }: Items, item: Item): Item {
  return latest !== null && isItem(latest, item, item.type, item.key) ? latest : item
}

/** Whether a task has an item of a kind that has not ended. */
export function someItem({ state }: ItemHolder, taskId: string, isWanted: (item: Item) => boolean): boolean {
  return groupedSome(state.items.open, taskId, (item) => isWanted(upToDate(state.items, item)))
}

/** Whether an event is older than the end of an item, so that it is a repeated one. */
export function isBefore({ timestamp }: ContextAnyEvent, ended: EndedItem): boolean {
  return Date.parse(timestamp) < Date.parse(ended.timestamp)
}
