/** A text that counts how much of it is read. */

export interface CountedText {
  /** Stands in for a string, for functions that only search, slice and read characters. */
  readonly text: string
  /** How many characters were read, searched or sliced so far. */
  readonly read: () => number
}

/** Stands in for a string; every search, slice and read of a character counts. */
export function counted(text: string): CountedText {
  let count = 0
  const searched = (from: number, found: number): number => {
    count += (found === -1 ? text.length : found + 1) - Math.min(from, text.length)
    return found
  }
  const stand = {
    length: text.length,
    charCodeAt(at: number) {
      count++
      return text.charCodeAt(at)
    },
    charAt(at: number) {
      count++
      return text.charAt(at)
    },
    indexOf: (part: string, from = 0) => searched(from, text.indexOf(part, from)),
    includes: (part: string) => searched(0, text.indexOf(part)) !== -1,
    lastIndexOf(part: string) {
      const found = text.lastIndexOf(part)
      count += text.length - Math.max(found, 0)
      return found
    },
    slice(from: number, to = text.length) {
      const part = text.slice(from, to)
      count += part.length
      return part
    },
  }
  return { text: stand as unknown as string, read: () => count }
}
