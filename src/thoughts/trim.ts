/**
 * White space around a removed tag: of the line breaks on both sides the greater number stays.
 *
 *     'P1\n\n' <thinking>…</thinking> '\n\n\nP2'   →   'P1\n\n' '\nP2'
 *     tail: two breaks                  ^^^^ eaten
 *
 * Nothing is held back for it: what stands before the tag is out already, so it is the white space
 * after the tag that is eaten, as far as the white space before it makes up for it.
 */
import { CR, isBlank, isBreak, LF } from './characters.ts'

/** How content ends. A positive number is twice the number of line breaks, plus 1 after a CR. */
export const TAIL_START = -2
const TAIL_BLANK = -1
const TAIL_OTHER = 0

/** What to eat. Beside nothing: one of these, plus a multiple of `BREAK` for the breaks left. */
export const EAT_NOTHING = 0
/** `a <thinking>…</thinking>| b` */
const EAT_BLANKS = 1
/** `<thinking>…</thinking>|  \n`: the rest of the line that the tag stood on. */
const EAT_LINE = 2
/** `<thinking>…</thinking>\n|\n` */
const EAT_BREAKS = 3
/** `<thinking>…</thinking>\r|\n`: the LF belongs to the break that is eaten already. */
const EAT_LF = 4
const MODE = 7
const BREAK = 8
const ENDLESS = BREAK << 22

/** How content ends after `piece`, which is not empty. */
export function tailAfter(tail: number, piece: string): number {
  const last = piece.charCodeAt(piece.length - 1)
  if (!isBreak(last)) return isBlank(last) ? TAIL_BLANK : TAIL_OTHER
  let from = piece.length - 1
  while (from > 0 && isBreak(piece.charCodeAt(from - 1))) from--
  // Line breaks at the very start count as the start: there is nothing to keep apart from.
  if (from === 0 && tail === TAIL_START) return TAIL_START
  let count = from === 0 && tail > 0 ? tail : 0
  for (let at = from; at < piece.length; at++) {
    const unit = piece.charCodeAt(at)
    if (unit === CR) count = (count | 1) + 2
    else if ((count & 1) === 1) count--
    else count += 2
  }
  return count
}

/** What to eat after a removed tag, when content ends in `tail`. */
export function eatAfter(tail: number): number {
  if (tail === TAIL_OTHER) return EAT_NOTHING
  if (tail === TAIL_BLANK) return EAT_BLANKS
  return EAT_LINE + (tail === TAIL_START ? ENDLESS : (tail >> 1) * BREAK)
}

/** Reads one character. Returns what to eat after it, or `EAT_NOTHING` when it is not eaten itself. */
export function eatStep(eat: number, unit: number): number {
  const mode = eat & MODE
  if (isBlank(unit)) return mode <= EAT_LINE ? eat : EAT_NOTHING
  if (!isBreak(unit)) return EAT_NOTHING
  if (mode === EAT_LF && unit === LF) return eat - EAT_LF + EAT_BREAKS
  if (eat < BREAK) return EAT_NOTHING
  return eat - mode - BREAK + (unit === CR ? EAT_LF : EAT_BREAKS)
}
