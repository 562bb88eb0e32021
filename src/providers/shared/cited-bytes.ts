/** Sources whose positions in the text are counted in UTF-8 bytes: they wait for the whole text. */

import { utf8Length } from '../../encoding/utf8-length.ts'
import type { CitedSource } from '../../events/source.ts'
import { hasSpace, sizeOf } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import { addSource, openTextOf } from './texts.ts'

/** A source, with the bytes of the text that cite it. */
export interface Citation {
  readonly source: CitedSource
  /** `null`: the whole text. */
  readonly range: readonly [start: number, end: number] | null
}

/** Adds sources to the open text with a key, which is whole. */
export function addCitations(writer: ModelWriter, key: string, citations: readonly Citation[]): void {
  if (citations.length === 0) return
  const bytes = citations.flatMap(({ range }) => range ?? [])
  const positions = positionsOf(openTextOf(writer, key), bytes)
  for (const { source, range } of citations) {
    const [start, end] = (range ?? []).map((byte) => positions.get(byte))
    // It is counted again as a source of the text.
    hasSpace(writer, -sizeOf(source))
    const isKnown = start !== undefined && end !== undefined && start <= end
    addSource(writer, key, isKnown ? { ...source, start, end } : { ...source })
  }
}

/** Where the characters at numbers of UTF-8 bytes are, in UTF-16 code units. */
function positionsOf(text: string, bytes: readonly number[]): ReadonlyMap<number, number> {
  const wanted = new Set(bytes)
  const positions = new Map([[0, 0]])
  let [size, at] = [0, 0]
  for (const character of text) {
    size += utf8Length(character)
    at += character.length
    if (wanted.has(size)) positions.set(size, at)
  }
  return positions
}
