/**
 * The grammar of delimiters, one character at a time. A literal is its units; of tags:
 *
 *     start  '<' name (space | attribute)* '/'? '>'
 *     close  '</' name space* '>'
 *     attribute  name space* '=' space* ('"' … '"' | "'" … "'" | bare)
 *
 * A character that cannot go on refuses the tag at once, so that prose which merely begins like a
 * tag, `<thinking about it, …`, is let go at the `i` of `it`: attributes without a value are refused.
 * Only within quotes may `<` and `>` stand. As there are two kinds of quotes, no character lies in
 * more than three tags that all might still be completed, which bounds the work of trying them.
 */
import {
  BACKSLASH,
  BACKTICK,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  isTagSpace,
  LESS_THAN,
  SINGLE_QUOTE,
  SLASH,
} from './char-codes.ts'
import type { Delimiter } from './delimiters.ts'

/** The character cannot stand here: this is no tag. */
export const REFUSED = -1
/** The tag ends with this character. */
export const DONE = -2

/** Up to the end of the name, or within a literal. */
export const HEAD = 1
/** `<thinking |`: between attributes. */
const GAP = 2
/** `<thinking conf|idence="1">` */
const NAME = 3
/** `<thinking confidence |="1">` */
const AFTER_NAME = 4
/** `<thinking confidence=| "1">` */
const BEFORE_VALUE = 5
/** `<thinking confidence=1|>` */
const BARE = 6
/** `<thinking /|>` */
const SELF_CLOSING = 7
/** `</thinking |>` */
const CLOSE_GAP = 8
// Every other phase is the quote that began the value, `<thinking confidence="|1">`, or that and:
/** `<thinking thought="so-called \|"ducks\"">` */
const ESCAPED = 64

/** Reads a character of a literal, or of a tag up to the one that ends its name. */
export function headStep({ units, isTag, opens }: Delimiter, at: number, unit: number): number {
  if (at === units.length) {
    const phase = tagStep(opens ? GAP : CLOSE_GAP, unit)
    return phase === NAME ? REFUSED : phase
  }
  const expected = units[at] ?? 0
  // Only ASCII letters match in either case.
  const isSame = unit === expected || (isTag && expected >= 97 && (unit | 32) === expected)
  if (!isSame) return REFUSED
  return isTag || at + 1 < units.length ? HEAD : DONE
}

/** Whether a delimiter begins with the first `length` units of another. */
export function beginsLike(delimiter: Delimiter, { units }: Delimiter, length: number): boolean {
  for (let at = 0; at < length; at++) {
    if (headStep(delimiter, at, units[at] ?? 0) === REFUSED) return false
  }
  return true
}

/** Reads one character of a tag. Returns the next phase, {@link DONE} or {@link REFUSED}. */
export function tagStep(phase: number, unit: number): number {
  switch (phase) {
    case GAP:
      if (unit === SLASH) return SELF_CLOSING
      if (isNameStart(unit)) return NAME
      return endStep(GAP, unit)
    case NAME:
      return isNamePart(unit) ? NAME : tagStep(AFTER_NAME, unit)
    case AFTER_NAME:
      if (isTagSpace(unit)) return AFTER_NAME
      return unit === EQUALS ? BEFORE_VALUE : REFUSED
    case BEFORE_VALUE:
      if (isTagSpace(unit)) return BEFORE_VALUE
      if (isQuote(unit)) return unit
      return unit !== SLASH && isBare(unit) ? BARE : REFUSED
    case BARE:
      return isBare(unit) ? BARE : endStep(GAP, unit)
    case SELF_CLOSING:
      return unit === GREATER_THAN ? DONE : REFUSED
    case CLOSE_GAP:
      return endStep(CLOSE_GAP, unit)
    default:
      if (phase >= ESCAPED) return phase - ESCAPED
      if (unit === BACKSLASH) return phase + ESCAPED
      return unit === phase ? GAP : phase
  }
}

/** Where a tag may end: at a `>`, with white space before it. */
function endStep(phase: number, unit: number): number {
  if (unit === GREATER_THAN) return DONE
  return isTagSpace(unit) ? phase : REFUSED
}

function isNameStart(unit: number): boolean {
  const lower = unit | 32
  return (lower >= 97 && lower <= 122) || unit === 95 || unit === 58
}

function isNamePart(unit: number): boolean {
  return isNameStart(unit) || (unit >= 48 && unit <= 57) || unit === 45 || unit === 46
}

function isQuote(unit: number): boolean {
  return unit === DOUBLE_QUOTE || unit === SINGLE_QUOTE
}

/** What a value without quotes may hold. */
function isBare(unit: number): boolean {
  return !(
    isTagSpace(unit) ||
    isQuote(unit) ||
    unit === LESS_THAN ||
    unit === GREATER_THAN ||
    unit === EQUALS ||
    unit === BACKTICK
  )
}
