/** The parts of output items: their text in pieces, and then as a whole. */

import { addArguments } from '../shared/calls.ts'
import { type Fields, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { addText } from '../shared/texts.ts'
import { addThought } from '../shared/thoughts.ts'
import { keepStart } from './content.ts'
import {
  type ItemState,
  isStartOf,
  itemOf,
  itemWith,
  partOf,
  putItem,
  type ResponsesState,
  withPart,
} from './state.ts'

/** What the text of a part is. */
export type PartKind = 'text' | 'refusal' | 'summary' | 'reasoning' | 'command'

/** How parts of an item are separated: those of a text follow each other. */
const separators: Readonly<Record<PartKind, string>> = {
  text: '',
  refusal: '',
  summary: '\n\n',
  reasoning: '\n\n',
  command: '\n',
}

/** The key of the items of a response: their texts, thoughts and calls. */
export function keyOf(index: number): string {
  return `item ${index}`
}

/** The key of the refusal in an item. */
export function refusalKeyOf(index: number): string {
  return `refusal ${index}`
}

type Writer = ModelWriter<ResponsesState>

/** Reads a piece of a part. */
export function readPiece(writer: Writer, chunk: Fields, kind: PartKind, at: unknown): void {
  addPiece(writer, itemOf(writer, chunk), kind, at, textOf(chunk.delta))
}

/** Reads the whole of a part: what the pieces lack is one more piece. */
export function readWhole(writer: Writer, chunk: Fields, kind: PartKind, at: unknown, text: unknown): void {
  addWhole(writer, itemOf(writer, chunk).index, kind, at, text)
}

/** Adds the whole of a part of an item. */
export function addWhole(writer: Writer, index: number, kind: PartKind, at: unknown, text: unknown): void {
  if (typeof text !== 'string') return
  const item = itemWith(writer, index)
  const part = partOf(item, idOf(kind, at))
  if (part.isDone) return
  if (isStartOf(part, text)) addPiece(writer, item, kind, at, text.slice(part.length))
  else {
    writer.diagnostic('done-differs', 'The text differs from the deltas, which are kept.', {
      detail: { outputIndex: index, done: text },
    })
  }
  const read = itemWith(writer, index)
  putItem(writer, withPart(read, partOf(read, part.id), '', true))
}

function addPiece(writer: Writer, item: ItemState, kind: PartKind, at: unknown, piece: string): void {
  if (piece === '') return
  const part = partOf(item, idOf(kind, at))
  const isNext = part.length === 0 && item.parts.some(({ id, length }) => id.startsWith(kind) && length > 0)
  if (kind === 'text' && item.type === '' && part.length === 0) {
    const { itemId: id } = item
    keepStart(writer, keyOf(item.index), { type: 'message', ...(id !== '' && { id }) })
  }
  putItem(writer, withPart(item, part, piece))
  write(writer, kind, item.index, (isNext ? separators[kind] : '') + piece)
}

function write(writer: Writer, kind: PartKind, index: number, text: string): void {
  if (kind === 'text') addText(writer, keyOf(index), text)
  else if (kind === 'refusal') addText(writer, refusalKeyOf(index), text)
  else if (kind === 'command') addArguments(writer, keyOf(index), text)
  else addThought(writer, keyOf(index), text)
}

function idOf(kind: PartKind, at: unknown): string {
  return `${kind} ${typeof at === 'number' ? at : 0}`
}
