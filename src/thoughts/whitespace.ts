/**
 * Whitespace around a removed tag: of the line breaks before and after it, the larger number remains.
 *
 *     'P1\n\n' <thinking>…</thinking> '\n\n\nP2'   →   'P1\n\n' '\nP2'
 *     two breaks                        ^^^^ skipped
 *
 * Nothing is held back for it: the text before the tag is emitted already, so the whitespace after the tag is
 * skipped as far as the whitespace before it makes up for it.
 */
import { CR, isLineEnding, isSpaceOrTab, LF } from './char-codes.ts'

/** How content ends. */
export interface ContentEnd {
  /** Its last character; `text` is any but spaces, tabs and line breaks. */
  readonly last: 'text' | 'blank' | 'lf' | 'cr'
  /** How many line breaks it ends with. */
  readonly breaks: number
}

/** More line breaks than any output starts with. */
const MAX_BREAKS = 1 << 24

/** The start of content makes up for any number of line breaks. */
export const contentStart: ContentEnd = { last: 'lf', breaks: MAX_BREAKS }

const endOfText: ContentEnd = { last: 'text', breaks: 0 }
const endOfBlanks: ContentEnd = { last: 'blank', breaks: 0 }

/** How content ends after `piece`, which is not empty. */
export function contentEndAfter(end: ContentEnd, piece: string): ContentEnd {
  let from = piece.length - 1
  const last = piece.charCodeAt(from)
  if (!isLineEnding(last)) return isSpaceOrTab(last) ? endOfBlanks : endOfText
  while (from > 0 && isLineEnding(piece.charCodeAt(from - 1))) from--
  let breaks = from > 0 ? 0 : end.breaks
  let isAfterCr = from === 0 && end.last === 'cr'
  for (let at = from; at < piece.length; at++) {
    const isCr = piece.charCodeAt(at) === CR
    // The LF of a CRLF is no second break.
    if (isCr || !isAfterCr) breaks++
    isAfterCr = isCr
  }
  return { last: isAfterCr ? 'cr' : 'lf', breaks: Math.min(breaks, MAX_BREAKS) }
}

/** Whitespace to skip. */
export interface WhitespaceSkip {
  /**
   * - `tag`: on the line of the tag; spaces and tabs are skipped too
   * - `lf`: after a skipped line break
   * - `cr`: after a skipped CR; an LF belongs to the same break
   */
  readonly after: 'tag' | 'lf' | 'cr'
  /** How many line breaks are left to skip. */
  readonly breaks: number
}

/** The whitespace to skip after a removed tag. `null`: none. */
export function skipAfter({ last, breaks }: ContentEnd): WhitespaceSkip | null {
  return last === 'text' ? null : { after: 'tag', breaks }
}

/** What is left to skip after one more character. `null`: this character is not skipped. */
export function skipOver(skip: WhitespaceSkip, unit: number): WhitespaceSkip | null {
  const { after, breaks } = skip
  if (isSpaceOrTab(unit)) return after === 'tag' ? skip : null
  if (unit === LF && after === 'cr') return { after: 'lf', breaks }
  if (!isLineEnding(unit) || breaks === 0) return null
  return { after: unit === CR ? 'cr' : 'lf', breaks: breaks - 1 }
}
