/**
 * White space around a removed tag: of the line breaks on both sides the greater number stays.
 *
 *     'P1\n\n' <thinking>…</thinking> '\n\n\nP2'   →   'P1\n\n' '\nP2'
 *     tail: two breaks                  ^^^^ eaten
 *
 * Nothing is held back for it: what stands before the tag is out already, so it is the white space
 * after the tag that is eaten, as far as the white space before it makes up for it.
 */
import { CR, isBlank, isBreak, LF } from './char-codes.ts'

/** How content ends. From 2 on it is twice the number of line breaks, plus 1 after a CR. */
const TAIL_OTHER = 0
const TAIL_BLANK = 1
/** The start of content is worth more line breaks than there will ever be. */
export const TAIL_START: number = 1 << 25

/** What to eat. Beside nothing: one of these, plus `BREAK` for each line break that is left to eat. */
export const EAT_NOTHING = 0
/** `<thinking>…</thinking>|  \n`: the rest of the line that the tag stood on. */
const EAT_LINE = 1
/** `<thinking>…</thinking>\n|\n` */
const EAT_BREAKS = 2
/** `<thinking>…</thinking>\r|\n`: the LF belongs to the break that is eaten already. */
const EAT_LF = 3
const BREAK = 4

/** How content ends after `piece`, which is not empty. */
export function tailAfter(tail: number, piece: string): number {
  let from = piece.length - 1
  const last = piece.charCodeAt(from)
  if (!isBreak(last)) return isBlank(last) ? TAIL_BLANK : TAIL_OTHER
  while (from > 0 && isBreak(piece.charCodeAt(from - 1))) from--
  let count = from > 0 || tail === TAIL_BLANK ? 0 : tail
  for (let at = from; at < piece.length; at++) {
    if (piece.charCodeAt(at) === CR) count = (count | 1) + 2
    else count += (count & 1) === 1 ? -1 : 2
  }
  return Math.min(count, TAIL_START)
}

/** What to eat after a removed tag, when content ends in `tail`. */
export function eatAfter(tail: number): number {
  return tail === TAIL_OTHER ? EAT_NOTHING : EAT_LINE + (tail >> 1) * BREAK
}

/** Reads one character. Returns what to eat after it, or `EAT_NOTHING` when it is not eaten itself. */
export function eatStep(eat: number, unit: number): number {
  const mode = eat % BREAK
  if (isBlank(unit)) return mode === EAT_LINE ? eat : EAT_NOTHING
  if (unit === LF && mode === EAT_LF) return eat - EAT_LF + EAT_BREAKS
  if (!isBreak(unit) || eat < BREAK) return EAT_NOTHING
  return eat - mode - BREAK + (unit === CR ? EAT_LF : EAT_BREAKS)
}
