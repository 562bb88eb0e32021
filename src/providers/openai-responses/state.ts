/** What the reader of Responses keeps between chunks. */

import { FNV_OFFSET_BASIS, fnv1a } from '../../encoding/fnv1a.ts'
import { countOf, type Fields, fieldsOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { MAX_ITEMS, withItem } from '../shared/state.ts'

/** A part of an output item: how much of it was read, to compare it with the whole. */
export interface PartState {
  readonly id: string
  readonly length: number
  readonly hash: number
  readonly isDone: boolean
}

/** An output item. */
export interface ItemState {
  /** Its `output_index`: ids of items change between chunks of some servers. */
  readonly index: number
  readonly itemId: string
  /** The call whose output the item has. Empty if it has none. */
  readonly callId: string
  readonly parts: readonly PartState[]
  readonly isDone: boolean
}

export interface ResponsesState {
  readonly items: readonly ItemState[]
  /** The ids of the questions that were asked, also in earlier responses. */
  readonly asked: readonly string[]
  /** The `sequence_number`s that were read last without a gap. `null`: none. */
  readonly seen: readonly [first: number, last: number] | null
}

export const initialState: ResponsesState = { items: [], asked: [], seen: null }

/** Whether a chunk was read before, as when a stream is resumed too early. Some servers number nothing, or all the same. */
export function isRepeated(writer: ModelWriter<ResponsesState>, chunk: Fields): boolean {
  const { own } = writer.state
  const number = countOf(chunk.sequence_number)
  if (number === undefined) return false
  const [first, last] = own.seen ?? [number, number]
  if (first < last && first <= number && number <= last) return true
  writer.state.own = { ...own, seen: number === last + 1 ? [first, number] : [number, number] }
  return false
}

/** The item of a chunk, by its `output_index`; if it states none, by its id, else the last one. */
export function itemOf(writer: ModelWriter<ResponsesState>, chunk: Fields): ItemState {
  const { items } = writer.state.own
  const itemId = textOf(chunk.item_id)
  const index = countOf(chunk.output_index)
  const known =
    index === undefined
      ? (items.find((item) => itemId !== '' && item.itemId === itemId) ?? items.at(-1))
      : items.find((item) => item.index === index)
  return known ?? { index: index ?? 0, itemId, callId: '', parts: [], isDone: false }
}

/** The item that a chunk has, if it is known: by its `output_index`, or else by its id. */
export function itemAt({ state }: ModelWriter<ResponsesState>, chunk: Fields): ItemState | undefined {
  const index = countOf(chunk.output_index)
  const { id } = fieldsOf(chunk.item)
  return state.own.items.find((item) =>
    index === undefined ? item.itemId !== '' && item.itemId === id : item.index === index,
  )
}

/** Stores an item. */
export function putItem(writer: ModelWriter<ResponsesState>, item: ItemState): void {
  const { items } = writer.state.own
  const at = items.findIndex(({ index }) => index === item.index)
  const next = at === -1 ? [...items, item].slice(-MAX_ITEMS) : withItem(items, at, item)
  const { asked, seen } = writer.state.own
  writer.state.own = { items: next, asked, seen }
}

export function partOf({ parts }: ItemState, id: string): PartState {
  return parts.find((part) => part.id === id) ?? { id, length: 0, hash: FNV_OFFSET_BASIS, isDone: false }
}

/** The item with a part of which more was read. */
export function withPart(item: ItemState, part: PartState, piece: string, isDone = false): ItemState {
  const { id, length, hash } = part
  const next = { id, length: length + piece.length, hash: fnv1a(hash, piece), isDone }
  const at = item.parts.findIndex((other) => other.id === id)
  const { index, itemId, callId } = item
  const parts = withItem(item.parts, at === -1 ? item.parts.length : at, next)
  return { index, itemId, callId, parts: parts.slice(-MAX_ITEMS), isDone: item.isDone }
}

/** Whether a text begins with what was read of a part. */
export function isStartOf({ length, hash }: PartState, text: string): boolean {
  return text.length >= length && fnv1a(FNV_OFFSET_BASIS, text, 0, length) === hash
}
