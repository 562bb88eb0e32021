/**
 * The grammar of a tag after its name, one character at a time.
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
} from './characters.ts'

/** The character cannot stand here: this is no tag. */
export const REFUSED = -1
/** The tag ends with this character. */
export const DONE = -2

/** Within the name. Reading it is not this file's business. */
export const HEAD = 0
/** `<thinking |`: between attributes. */
export const GAP = 1
/** `<thinking conf|idence="1">` */
const NAME = 2
/** `<thinking confidence |="1">` */
const AFTER_NAME = 3
/** `<thinking confidence=| "1">` */
const BEFORE_VALUE = 4
/** `<thinking confidence="|1">` */
const DOUBLE_QUOTED = 5
/** `<thinking thought="so-called \|"ducks\"">` */
const DOUBLE_ESCAPED = 6
/** `<thinking confidence='|1'>` */
const SINGLE_QUOTED = 7
/** `<thinking thought='don\|'t'>` */
const SINGLE_ESCAPED = 8
/** `<thinking confidence=1|>` */
const BARE = 9
/** `<thinking confidence=1/|>`: the slash closes the tag or belongs to the value. */
const BARE_SLASH = 10
/** `<thinking /|>` */
const SELF_CLOSING = 11
/** `</thinking |>` */
const CLOSE_GAP = 12

/** Reads the character that ends a start tag's name. */
export function afterStartName(unit: number): number {
  return isTagSpace(unit) || unit === SLASH || unit === GREATER_THAN ? tagStep(GAP, unit) : REFUSED
}

/** Reads the character that ends a close tag's name. */
export function afterCloseName(unit: number): number {
  return tagStep(CLOSE_GAP, unit)
}

/** Reads one character of a tag. Returns the next phase, {@link DONE} or {@link REFUSED}. */
export function tagStep(phase: number, unit: number): number {
  switch (phase) {
    case GAP:
      if (isTagSpace(unit)) return GAP
      if (unit === GREATER_THAN) return DONE
      if (unit === SLASH) return SELF_CLOSING
      return isNameStart(unit) ? NAME : REFUSED
    case NAME:
      if (isNamePart(unit)) return NAME
      return tagStep(AFTER_NAME, unit)
    case AFTER_NAME:
      if (isTagSpace(unit)) return AFTER_NAME
      return unit === EQUALS ? BEFORE_VALUE : REFUSED
    case BEFORE_VALUE:
      if (isTagSpace(unit)) return BEFORE_VALUE
      if (unit === DOUBLE_QUOTE) return DOUBLE_QUOTED
      if (unit === SINGLE_QUOTE) return SINGLE_QUOTED
      return unit !== SLASH && isBare(unit) ? BARE : REFUSED
    case DOUBLE_QUOTED:
      if (unit === DOUBLE_QUOTE) return GAP
      return unit === BACKSLASH ? DOUBLE_ESCAPED : DOUBLE_QUOTED
    case DOUBLE_ESCAPED:
      return DOUBLE_QUOTED
    case SINGLE_QUOTED:
      if (unit === SINGLE_QUOTE) return GAP
      return unit === BACKSLASH ? SINGLE_ESCAPED : SINGLE_QUOTED
    case SINGLE_ESCAPED:
      return SINGLE_QUOTED
    case BARE:
    case BARE_SLASH:
      if (isTagSpace(unit)) return GAP
      if (unit === GREATER_THAN) return DONE
      if (unit === SLASH) return BARE_SLASH
      return isBare(unit) ? BARE : REFUSED
    case SELF_CLOSING:
      return unit === GREATER_THAN ? DONE : REFUSED
    default:
      if (isTagSpace(unit)) return CLOSE_GAP
      return unit === GREATER_THAN ? DONE : REFUSED
  }
}

function isNameStart(unit: number): boolean {
  const lower = unit | 32
  return (lower >= 97 && lower <= 122) || unit === 95 || unit === 58
}

function isNamePart(unit: number): boolean {
  return isNameStart(unit) || (unit >= 48 && unit <= 57) || unit === 45 || unit === 46
}

function isBare(unit: number): boolean {
  return (
    unit !== LESS_THAN &&
    unit !== GREATER_THAN &&
    unit !== EQUALS &&
    unit !== DOUBLE_QUOTE &&
    unit !== SINGLE_QUOTE &&
    unit !== BACKTICK
  )
}
