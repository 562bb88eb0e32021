/** A hash of a text that is still growing, for comparing texts that are not stored. */

/**
 * 128 bits over the UTF-16 code units so far. Texts of the same length with equal hashes are taken for equal: that two
 * differ happens by design only, and not with less work than searching for them. Not cryptographic.
 */
export interface TextHash {
  readonly length: number
  /** Four integers of 32 bits. */
  readonly lanes: readonly number[]
}

export const emptyTextHash: TextHash = { length: 0, lanes: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344] }

/** The hash of a text followed by another one. Takes time in proportion to the second, whatever the length of the first. */
export function extendTextHash({ length, lanes }: TextHash, text: string): TextHash {
  let [a = 0, b = 0, c = 0, d = 0] = lanes
  for (let i = 0; i < text.length; i++) {
    // Each lane is mixed with the one before it, so that no lane repeats unless all do.
    a = Math.imul(a ^ (d >>> 15) ^ text.charCodeAt(i), 0x9e3779b1)
    b = Math.imul(b ^ (a >>> 13), 0x85ebca77)
    c = Math.imul(c ^ (b >>> 16), 0xc2b2ae3d)
    d = Math.imul(d ^ (c >>> 14), 0x27d4eb2f)
  }
  return { length: length + text.length, lanes: [a, b, c, d] }
}

/** Whether two hashes are those of the same text. */
export function isSameText(a: TextHash, b: TextHash): boolean {
  return a.length === b.length && a.lanes.every((lane, i) => lane === b.lanes[i])
}

/** Longer texts are hashed. */
const MAX_LENGTH = 32

/** A text that stands for another one: short texts for themselves, others by their hash. */
export function fingerprintOf(text: string): string {
  if (text.length <= MAX_LENGTH) return `=${text}`
  const { length, lanes } = extendTextHash(emptyTextHash, text)
  return `${length}:${lanes.map((lane) => (lane >>> 0).toString(36)).join('.')}`
}
