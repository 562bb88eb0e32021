/** A rolling hash that compares a text with its deltas without storing either. */

/** The length of a text and two hashes of its UTF-16 code units. Plain JSON. */
export interface TextHash {
  readonly length: number
  readonly a: number
  readonly b: number
}

export const emptyHash: TextHash = { length: 0, a: 0x811c9dc5 | 0, b: 0x1b873593 }

/** The hash of a text. */
export function hashText(text: string): TextHash {
  return hashAppend(emptyHash, text)
}

/** The hash of a text with more text appended. */
export function hashAppend(hash: TextHash, text: string): TextHash {
  let { a, b } = hash
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b) ^ (b >>> 13)
  }
  return { length: hash.length + text.length, a, b }
}

export function hashEquals(x: TextHash, y: TextHash): boolean {
  return x.length === y.length && x.a === y.a && x.b === y.b
}
