/** Texts that arrive in pieces, and that the provider repeats as a whole: what the pieces lack is one more piece. */

import { isStartOf, markOf, noMark, type TextMark } from '../../encoding/text-mark.ts'

/** How much of a text was read, to compare it with the whole. */
export interface PartState extends TextMark {
  readonly id: string
  readonly isDone: boolean
}

/** The part with an id; a new one if there is none. */
export function partOf(parts: readonly PartState[], id: string): PartState {
  return parts.find((part) => part.id === id) ?? { id, ...noMark, isDone: false }
}

/** The part after another piece. */
export function grownPart(part: PartState, piece: string, isDone = false): PartState {
  return { id: part.id, ...markOf(piece, part), isDone }
}

/**
 * The part that each whole repeats: the one with its id if it begins the whole, else the first that is left if that does.
 * Servers may number wholes otherwise than their pieces. A whole that differs from its pieces is that of the part with its
 * id, or else of the first one that is left if there is one for each whole.
 *
 * @param parts - Those of which pieces were read, in order.
 * @param wholes - The id that each has by its position, and its text.
 * @param isAll - Whether there are no others.
 * @returns The id of the part of each whole: its own if no piece of it was read.
 */
export function matchParts(
  parts: readonly PartState[],
  wholes: readonly (readonly [id: string, text: string])[],
  isAll: boolean,
): string[] {
  let left = parts
  return wholes.map(([id, text], at) => {
    const [first] = left
    const own = left.find((part) => part.id === id)
    const begun = [own, first].find((part) => part !== undefined && isStartOf(part, text))
    const part = begun ?? own ?? (isAll && left.length >= wholes.length - at ? first : undefined)
    left = left.filter((other) => other !== part)
    return part?.id ?? id
  })
}
