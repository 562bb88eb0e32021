/** What the reader of Responses keeps between chunks. */

import { FNV_OFFSET_BASIS, fnv1a } from '../../encoding/fnv1a.ts'
import { countOf, type Fields, textOf } from '../shared/fields.ts'
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

/** Stores an item. */
export function putItem(writer: ModelWriter<ResponsesState>, item: ItemState): void {
  const { items } = writer.state.own
  const at = items.findIndex(({ index }) => index === item.index)
  if (at !== -1) writer.state.own = { items: withItem(items, at, item) }
  else writer.state.own = { items: [...items, item].slice(-MAX_ITEMS) }
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
