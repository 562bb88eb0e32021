/** Text that grows by a few characters at a time. */

/** A text in two parts: appending takes time in proportion to what is appended, whatever the length. */
export interface GrowingText {
  readonly long: string
  /** The end of the text, shorter than {@link CHUNK}. */
  readonly recent: string
}

export const emptyText: GrowingText = { long: '', recent: '' }

const CHUNK = 1024

export function append({ long, recent }: GrowingText, piece: string): GrowingText {
  const longer = recent + piece
  if (longer.length < CHUNK) return { long, recent: longer }
  // Reading a character copies the pieces into one string. Otherwise engines keep each of them as an object for
  // as long as the text lives, which takes several times the memory, and most of the time of an extraction.
  longer.charCodeAt(0)
  return { long: long + longer, recent: '' }
}

export function lengthOf({ long, recent }: GrowingText): number {
  return long.length + recent.length
}

export function textOf({ long, recent }: GrowingText): string {
  return long + recent
}
