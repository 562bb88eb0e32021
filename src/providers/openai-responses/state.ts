/** What the reader of Responses keeps between chunks. */

import { countOf, type Fields, fieldsOf, textOf } from '../shared/fields.ts'
import { keepName } from '../shared/limits.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { grownPart, type PartState } from '../shared/parts.ts'
import { MAX_ITEMS } from '../shared/state.ts'

/** An output item. */
export interface ItemState {
  /** Its `output_index`, or another number if it states none, or that of another item. */
  readonly index: number
  /** `null` if it states none. */
  readonly outputIndex: number | null
  readonly itemId: string
  /** The call that the item is, or whose output it has. Empty if there is none. */
  readonly callId: string
  /** Empty if only pieces of it were read. */
  readonly type: string
  readonly parts: readonly PartState[]
  readonly isDone: boolean
}

export interface ResponsesState {
  readonly items: readonly ItemState[]
  /** The ids of the questions that were asked, also in earlier responses. */
  readonly asked: readonly string[]
  /** The `sequence_number`s that were read, as ranges, those that grew last at the end. */
  readonly seen: readonly (readonly [first: number, last: number])[]
}

export const initialState: ResponsesState = { items: [], asked: [], seen: [] }

/** Ranges of `sequence_number`s that are kept: each gap starts another one. */
const MAX_RANGES = 64

/** Whether a chunk was read before, as when a stream is resumed too early. Some servers number nothing, or all the same. */
export function isRepeated(writer: ModelWriter<ResponsesState>, chunk: Fields): boolean {
  const { items, asked, seen } = writer.state.own
  const number = countOf(chunk.sequence_number)
  if (number === undefined) return false
  if (seen.some(([first, last]) => first <= number && number <= last)) {
    return seen.length > 1 || seen.some(([first, last]) => first < last)
  }
  const at = seen.findLastIndex(([, last]) => last === number - 1)
  const [first] = seen[at] ?? [number]
  const others = at === -1 ? seen.slice(1 - MAX_RANGES) : seen.toSpliced(at, 1)
  writer.state.own = { items, asked, seen: [...others, [first, number]] }
  return false
}

type Writer = ModelWriter<ResponsesState>

/** The item of a piece: by its `output_index` and its id, else by its `output_index`, which may be missing. */
export function itemOf(writer: Writer, chunk: Fields): ItemState {
  const { items } = writer.state.own
  const [index, itemId] = [countOf(chunk.output_index), textOf(chunk.item_id)]
  const isPlaced = ({ outputIndex }: ItemState): boolean => index === undefined || outputIndex === index
  const isNamed = (item: ItemState): boolean => itemId !== '' && item.itemId === itemId && isPlaced(item)
  return items.findLast(isNamed) ?? items.findLast(isPlaced) ?? addItem(writer, index, itemId)
}

/**
 * The item that a chunk has, if it is known. Ids of items change between chunks of some servers, those of calls do not;
 * others state one `output_index` for all items.
 *
 * @param isEnd - Whether the item ends: it may be one that began with another id.
 */
export function itemAt({ state }: Writer, chunk: Fields, isEnd: boolean): ItemState | undefined {
  const { items } = state.own
  const index = countOf(chunk.output_index)
  const { id, call_id: callId, type } = fieldsOf(chunk.item)
  const isUnnamed = textOf(id) === ''
  const isPlaced = (item: ItemState): boolean =>
    (index === undefined || item.outputIndex === index) && (item.type === '' || item.type === type)
  const known = items.findLast(
    (item) =>
      isPlaced(item) &&
      ((!isUnnamed && item.itemId === id) || (textOf(callId) !== '' && item.callId === callId)),
  )
  if (known !== undefined || (index === undefined && !(isEnd && isUnnamed))) return known
  return items.findLast(
    (item) =>
      isPlaced(item) && (isUnnamed || item.itemId === '' || item.type === '' || (isEnd && !item.isDone)),
  )
}

/** Stores an item that is not known. */
export function addItem(writer: Writer, outputIndex: number | undefined, itemId: string): ItemState {
  const { items } = writer.state.own
  const wanted = outputIndex ?? items.length
  const isTaken = items.some((item) => item.index === wanted)
  const index = isTaken ? Math.max(...items.map((item) => item.index)) + 1 : wanted
  const item: ItemState = {
    index,
    outputIndex: outputIndex ?? null,
    itemId: keepName(writer, itemId),
    callId: '',
    type: '',
    parts: [],
    isDone: false,
  }
  putItem(writer, item)
  return item
}

/** The item with a number. */
export function itemWith({ state }: Writer, index: number): ItemState {
  return state.own.items.find((item) => item.index === index) as ItemState
}

/** Stores an item. */
export function putItem(writer: Writer, item: ItemState): void {
  const { items, asked, seen } = writer.state.own
  writer.state.own = { items: withItem(items, item, ({ index }) => index === item.index), asked, seen }
}

/** The list with an item in the place of the same one, or at its end. */
function withItem<T>(list: readonly T[], item: T, isSame: (other: T) => boolean): readonly T[] {
  if (!list.some(isSame)) return [...list, item].slice(-MAX_ITEMS)
  return list.map((other) => (isSame(other) ? item : other))
}

/** The item with a part of which more was read. */
export function withPart(item: ItemState, part: PartState, piece: string, isDone = false): ItemState {
  const next = grownPart(part, piece, isDone)
  return { ...item, parts: withItem(item.parts, next, ({ id }) => id === part.id) }
}
