/** What is kept of a text that is not stored: enough to compare it with another one, and to go on. */

import { FNV_OFFSET_BASIS, fnv1a } from './fnv1a.ts'

/** The length of a text in UTF-16 units, and the hash of them. Plain JSON. */
export interface TextMark {
  readonly length: number
  readonly hash: number
}

/** The mark of the empty text. */
export const noMark: TextMark = { length: 0, hash: FNV_OFFSET_BASIS }

/**
 * The mark of a text.
 *
 * @param before - That of a text before it, with which it is one. Omitted: there is none.
 */
export function markOf(text: string, { length, hash }: TextMark = noMark): TextMark {
  return { length: length + text.length, hash: fnv1a(hash, text) }
}

export function isSameMark(x: TextMark, y: TextMark): boolean {
  return x.length === y.length && x.hash === y.hash
}

/** Whether a text begins with the one that has the mark. */
export function isStartOf({ length, hash }: TextMark, text: string): boolean {
  return text.length >= length && fnv1a(FNV_OFFSET_BASIS, text, 0, length) === hash
}
