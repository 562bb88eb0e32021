/**
 * What a response consists of, in the provider's format and order: what the next request sends back. Texts, thoughts and
 * arguments are kept once, and put in their places by `modelTurn`.
 */

import { append, emptyText } from '../../encoding/growing-text.ts'
import { type Fields, jsonTextOf } from './fields.ts'
import { hasRoom, hasSpace } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import { cleaned } from './report.ts'
import { edit, type Place } from './state.ts'

export const whole: Place = { of: 'whole', path: [], labelPath: [] }

/** Appends an item. */
export function addContent(writer: ModelWriter, key: string, place: Place, block: Fields | null): void {
  const { contents } = writer.state
  const { length } = jsonTextOf(block)
  if (!hasRoom(writer, contents, 'block', length) || !hasSpace(writer, length)) return
  writer.state.contents = [...contents, { ...place, key, text: emptyText, block: cleanFields(writer, block) }]
}

/** Replaces the item with a key, or appends one. */
export function setContent(
  writer: ModelWriter,
  key: string,
  block: Fields | null,
  place: Place = whole,
): void {
  const known = writer.state.contents.find((item) => item.key === key)
  if (known === undefined) addContent(writer, key, place, block)
  else if (hasSpace(writer, jsonTextOf(block).length - jsonTextOf(known.block).length))
    edit(writer.state, 'contents', known, { ...place, block: cleanFields(writer, block) })
}

/** Adds fields to the last item with a key. `join` returns its fields with those added. */
export function extendContent(
  writer: ModelWriter,
  key: string,
  added: Fields,
  join: (block: Fields, added: Fields) => Fields,
): void {
  const known = writer.state.contents.findLast((item) => item.key === key)
  if (known === undefined || !hasSpace(writer, jsonTextOf(added).length)) return
  edit(writer.state, 'contents', known).block = join(known.block ?? {}, cleanFields(writer, added) ?? {})
}

/** Appends to the text of the last item, which is a part. */
export function growContent(writer: ModelWriter, piece: string): void {
  const last = writer.state.contents.at(-1)
  if (last !== undefined && hasSpace(writer, piece.length))
    edit(writer.state, 'contents', last).text = append(last.text, piece)
}

/** A copy that shares nothing with the chunk, and that every reader takes. */
function cleanFields(writer: ModelWriter, fields: Fields | null): Fields | null {
  return fields === null ? null : (cleaned(writer, fields, 'content') as Fields)
}
