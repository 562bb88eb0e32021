/** Text of a model, which arrives in pieces that may cut a surrogate pair. */

import { append, emptyText, type GrowingText, textOf } from '../../encoding/growing-text.ts'
import { splitHalf, toWellFormed } from '../../encoding/surrogates.ts'

/** A text so far. */
export interface ModelText {
  readonly text: GrowingText
  /** The first half of a surrogate pair, which waits for the second one. Empty if there is none. */
  readonly half: string
}

export const noText: ModelText = { text: emptyText, half: '' }

/** Appends a piece. Returns also what it adds: whole characters. */
export function grow({ text, half }: ModelText, piece: string): [next: ModelText, added: string] {
  const [whole, rest] = splitHalf(half + piece)
  const added = toWellFormed(whole)
  return [{ text: added === '' ? text : append(text, added), half: rest }, added]
}

/** Ends a text: the second half of a surrogate pair will not come. Returns also what it adds. */
export function settle({ text, half }: ModelText): [next: ModelText, added: string] {
  const added = half === '' ? '' : '\ufffd'
  return [{ text: added === '' ? text : append(text, added), half: '' }, added]
}

/** The text so far. */
export function contentOf({ text }: ModelText): string {
  return textOf(text)
}
