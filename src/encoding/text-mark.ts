/** A rolling hash that compares a text with its deltas without storing either. */

import { FNV_OFFSET_BASIS, fnv1a } from '../../../encoding/fnv1a.ts'

/** The length of a text and the hash of its UTF-16 code units. Plain JSON. */
export interface TextHash {
  readonly length: number
  readonly hash: number
}

export const emptyHash: TextHash = { length: 0, hash: FNV_OFFSET_BASIS }

/** The hash of a text. */
export function hashText(text: string): TextHash {
  return hashAppend(emptyHash, text)
}

/** The hash of a text with more text appended. */
export function hashAppend({ length, hash }: TextHash, text: string): TextHash {
  return { length: length + text.length, hash: fnv1a(hash, text) }
}

export function hashEquals(x: TextHash, y: TextHash): boolean {
  return x.length === y.length && x.hash === y.hash
}
