/** What is remembered of a text in order to know it again, whatever pieces it comes in. */

/** A text's length and two sums over its UTF-16 code units. Plain JSON. */
export interface TextSum {
  readonly length: number
  readonly a: number
  readonly b: number
}

export const emptySum: TextSum = { length: 0, a: 0x811c9dc5, b: 0x1b873593 }

/** The sum of a text with more appended. */
export function summed(sum: TextSum, text: string): TextSum {
  let { a, b } = sum
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b) ^ (b >>> 13)
  }
  return { length: sum.length + text.length, a, b }
}

export function isSameSum(x: TextSum, y: TextSum): boolean {
  return x.length === y.length && x.a === y.a && x.b === y.b
}
