/** How much of a response is kept. What is beyond a limit is dropped, counted, and reported at the end of the response. */

import type { CitedSource } from '../../events/source.ts'
import { type Fields, jsonTextOf, textOf } from './fields.ts'
import type { ModelWriter } from './model-writer.ts'
import { MAX_ITEMS, MAX_LENGTH } from './state.ts'

/** What has a limit. */
export type Limited = 'character' | 'text' | 'thought' | 'call' | 'block' | 'source'

/** As much of a piece as there is room for. The rest is dropped. */
export function keep(writer: ModelWriter, piece: string): string {
  const { state } = writer
  const room = MAX_LENGTH - state.length
  if (piece.length > room) drop(writer, 'character', piece.length - room)
  state.length = Math.min(MAX_LENGTH, state.length + piece.length)
  return piece.length > room ? piece.slice(0, room) : piece
}

/** Whether there is room for a number of characters, which are counted. They are dropped if not. */
export function hasSpace(writer: ModelWriter, length: number): boolean {
  const { state } = writer
  const isKept = state.length + length <= MAX_LENGTH
  if (isKept) state.length = Math.max(0, state.length + length)
  else drop(writer, 'character', length)
  return isKept
}

/** A name, an id or a signature if there is room for all of it; otherwise an empty text. */
export function keepName(writer: ModelWriter, text: string): string {
  return hasSpace(writer, text.length) ? text : ''
}

/** How many characters the texts of an object have. */
export function sizeOf(fields: Fields): number {
  let size = 0
  for (const name in fields) size += textOf(fields[name]).length
  return size
}

/** Whether there is room for another source. It is dropped if not. */
export function hasRoomFor(writer: ModelWriter, sources: readonly unknown[], source: CitedSource): boolean {
  return hasRoom(writer, sources, 'source', jsonTextOf(source).length) && hasSpace(writer, sizeOf(source))
}

/** Whether there is room for another item of a number of characters. It is dropped if not. */
export function hasRoom(writer: ModelWriter, items: readonly unknown[], what: Limited, length = 0): boolean {
  if (items.length < MAX_ITEMS) return true
  drop(writer, what, length)
  return false
}

/** Counts characters that are dropped. */
export function drop({ state }: ModelWriter, what: Limited, length: number): void {
  state.overflow = { ...state.overflow, [what]: (state.overflow[what] ?? 0) + length }
}

/** Reports what was dropped: each limit once. */
export function reportOverflow(writer: ModelWriter): void {
  for (const [what, dropped] of Object.entries(writer.state.overflow)) {
    const limit = what === 'character' ? MAX_LENGTH : MAX_ITEMS
    const message = `Expected at most ${limit} ${what}s in a response; dropped ${dropped} characters.`
    writer.diagnostic('too-large', message, { detail: { what, limit, dropped } })
  }
  writer.state.overflow = {}
}
