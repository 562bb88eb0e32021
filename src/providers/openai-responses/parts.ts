/** The parts of output items: their text in pieces, and then as a whole. */

import { isStartOf } from '../../encoding/text-mark.ts'
import { addArguments } from '../shared/calls.ts'
import { type Fields, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { matchParts, partOf } from '../shared/parts.ts'
import { addText } from '../shared/texts.ts'
import { addThought } from '../shared/thoughts.ts'
import { keepStart } from './content.ts'
import { type ItemState, itemOf, itemWith, putItem, type ResponsesState, withPart } from './state.ts'

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
  addPiece(writer, itemOf(writer, chunk), kind, idOf(kind, at), textOf(chunk.delta))
}

/** Reads the whole of a part: what the pieces lack is one more piece. */
export function readWhole(writer: Writer, chunk: Fields, kind: PartKind, at: unknown, text: unknown): void {
  if (typeof text === 'string') addWholes(writer, itemOf(writer, chunk).index, kind, [[at, text]], false)
}

/**
 * Adds wholes of parts of an item.
 *
 * @param isAll - Whether they are all that the item has of the kind. Otherwise a part that has ended takes no other whole.
 * @returns The ids of the parts.
 */
export function addWholes(
  writer: Writer,
  index: number,
  kind: PartKind,
  wholes: readonly (readonly [at: unknown, text: string])[],
  isAll: boolean,
): string[] {
  const own = wholes.map(([at, text]) => [idOf(kind, at), text] as const)
  const read = itemWith(writer, index).parts.filter(
    ({ id, isDone }) => id.startsWith(kind) && (isAll || !isDone || id === own[0]?.[0]),
  )
  const ids = matchParts(read, own, isAll)
  for (const [i, id] of ids.entries()) addWhole(writer, index, kind, id, own[i]?.[1] ?? '')
  return ids
}

function addWhole(writer: Writer, index: number, kind: PartKind, id: string, text: string): void {
  const item = itemWith(writer, index)
  const part = partOf(item.parts, id)
  if (part.isDone) return
  if (isStartOf(part, text)) addPiece(writer, item, kind, id, text.slice(part.length))
  else {
    writer.diagnostic('done-differs', 'The text differs from the deltas, which are kept.', {
      detail: { outputIndex: index, done: text },
    })
  }
  const read = itemWith(writer, index)
  putItem(writer, withPart(read, partOf(read.parts, id), '', true))
}

function addPiece(writer: Writer, item: ItemState, kind: PartKind, id: string, piece: string): void {
  if (piece === '') return
  const part = partOf(item.parts, id)
  const isNext =
    part.length === 0 && item.parts.some((other) => other.id.startsWith(kind) && other.length > 0)
  if (kind === 'text' && item.type === '' && part.length === 0) {
    const { itemId } = item
    keepStart(writer, keyOf(item.index), { type: 'message', ...(itemId !== '' && { id: itemId }) })
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

/** The id of a part. */
export function idOf(kind: PartKind, at: unknown): string {
  return `${kind} ${typeof at === 'number' ? at : 0}`
}
