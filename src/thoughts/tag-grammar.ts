/**
 * The grammar of delimiters, matched one UTF-16 code unit at a time. A literal matches its own characters; of
 * tags:
 *
 *     opening tag   '<' name (whitespace | attribute)* '/'? '>'
 *     closing tag   '</' name whitespace* '>'
 *     attribute     name whitespace* '=' whitespace* ('"' … '"' | "'" … "'" | unquoted)
 *
 * The phases of an opening tag after its name, each a function below:
 *
 *     phase                    character → next phase
 *     before-attribute-name    letter → attribute-name, / → self-closing, > → complete
 *     attribute-name           = → before-attribute-value, whitespace → after-attribute-name
 *     after-attribute-name     = → before-attribute-value
 *     before-attribute-value   " → double-quoted, ' → single-quoted, other → unquoted
 *     double-quoted            " → before-attribute-name, \ → double-quoted-escape
 *     single-quoted            ' → before-attribute-name, \ → single-quoted-escape
 *     unquoted                 whitespace → before-attribute-name, > → complete
 *     self-closing             > → complete
 *
 * A character that does not fit makes the tag invalid at once, so that prose which starts like a tag, such as
 * `<thinking about it, …`, is released at the `i` of `it`: an attribute needs a value. `<` and `>` may occur
 * only within quotes. As there are two kinds of quotes, no character belongs to more than three tags that may
 * all still be completed, which bounds the work of matching them.
 */
import {
  BACKSLASH,
  BACKTICK,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  isTagWhitespace,
  LESS_THAN,
  SINGLE_QUOTE,
  SLASH,
} from './char-codes.ts'
import type { Delimiter } from './delimiters.ts'

/** How far a delimiter is matched. `|` marks the position in the examples. */
export type TagPhase =
  /** `<thin|king>`: within the fixed characters, a whole literal or `<name` of a tag. */
  | 'literal'
  /** `<thinking |` */
  | 'before-attribute-name'
  /** `<thinking conf|idence="1">` */
  | 'attribute-name'
  /** `<thinking confidence |="1">` */
  | 'after-attribute-name'
  /** `<thinking confidence=| "1">` */
  | 'before-attribute-value'
  /** `<thinking confidence="|1">` */
  | 'double-quoted'
  /** `<thinking thought="so-called \|"ducks\"">` */
  | 'double-quoted-escape'
  /** `<thinking confidence='|1'>` */
  | 'single-quoted'
  /** `<thinking thought='it\|'s'>` */
  | 'single-quoted-escape'
  /** `<thinking confidence=1|>` */
  | 'unquoted'
  /** `<thinking /|>` */
  | 'self-closing'
  /** `</thinking |>` */
  | 'closing-tag-end'

/**
 * The result of matching one character: the next phase; `complete` if it is the last of the delimiter; `invalid`
 * if it cannot occur there.
 */
export type Transition = TagPhase | 'complete' | 'invalid'

/** Matches the character at `offset` of a delimiter: of a literal, or of a tag up to one after its name. */
export function matchLiteral(
  { units, isTag, isOpening }: Delimiter,
  offset: number,
  unit: number,
): Transition {
  if (offset === units.length) {
    const phase = isOpening ? beforeAttributeName(unit) : closingTagEnd(unit)
    return phase === 'attribute-name' ? 'invalid' : phase
  }
  const expected = units[offset] ?? 0
  // Only ASCII letters match in either case.
  const isSame = unit === expected || (isTag && expected >= 97 && (unit | 32) === expected)
  if (!isSame) return 'invalid'
  return isTag || offset + 1 < units.length ? 'literal' : 'complete'
}

/** Whether a delimiter matches the first `length` characters of another. */
export function sharesPrefix(delimiter: Delimiter, { units }: Delimiter, length: number): boolean {
  for (let offset = 0; offset < length; offset++) {
    if (matchLiteral(delimiter, offset, units[offset] ?? 0) === 'invalid') return false
  }
  return true
}

/** Matches one character of a tag after its name. */
export function nextPhase(phase: TagPhase, unit: number): Transition {
  switch (phase) {
    case 'double-quoted':
      return doubleQuoted(unit)
    case 'single-quoted':
      return singleQuoted(unit)
    case 'before-attribute-name':
      return beforeAttributeName(unit)
    case 'attribute-name':
      return attributeName(unit)
    case 'after-attribute-name':
      return afterAttributeName(unit)
    case 'before-attribute-value':
      return beforeAttributeValue(unit)
    case 'unquoted':
      return unquoted(unit)
    case 'double-quoted-escape':
      return 'double-quoted'
    case 'single-quoted-escape':
      return 'single-quoted'
    case 'self-closing':
      return unit === GREATER_THAN ? 'complete' : 'invalid'
    case 'closing-tag-end':
      return closingTagEnd(unit)
    default:
      return 'invalid'
  }
}

function beforeAttributeName(unit: number): Transition {
  if (unit === SLASH) return 'self-closing'
  if (isNameStart(unit)) return 'attribute-name'
  if (unit === GREATER_THAN) return 'complete'
  return isTagWhitespace(unit) ? 'before-attribute-name' : 'invalid'
}

function attributeName(unit: number): Transition {
  return isNamePart(unit) ? 'attribute-name' : afterAttributeName(unit)
}

function afterAttributeName(unit: number): Transition {
  if (isTagWhitespace(unit)) return 'after-attribute-name'
  return unit === EQUALS ? 'before-attribute-value' : 'invalid'
}

function beforeAttributeValue(unit: number): Transition {
  if (isTagWhitespace(unit)) return 'before-attribute-value'
  if (unit === DOUBLE_QUOTE) return 'double-quoted'
  if (unit === SINGLE_QUOTE) return 'single-quoted'
  return unit !== SLASH && isUnquotedPart(unit) ? 'unquoted' : 'invalid'
}

function doubleQuoted(unit: number): Transition {
  if (unit === BACKSLASH) return 'double-quoted-escape'
  return unit === DOUBLE_QUOTE ? 'before-attribute-name' : 'double-quoted'
}

function singleQuoted(unit: number): Transition {
  if (unit === BACKSLASH) return 'single-quoted-escape'
  return unit === SINGLE_QUOTE ? 'before-attribute-name' : 'single-quoted'
}

function unquoted(unit: number): Transition {
  if (isUnquotedPart(unit)) return 'unquoted'
  if (unit === GREATER_THAN) return 'complete'
  return isTagWhitespace(unit) ? 'before-attribute-name' : 'invalid'
}

function closingTagEnd(unit: number): Transition {
  if (unit === GREATER_THAN) return 'complete'
  return isTagWhitespace(unit) ? 'closing-tag-end' : 'invalid'
}

function isNameStart(unit: number): boolean {
  const lower = unit | 32
  return (lower >= 97 && lower <= 122) || unit === 95 || unit === 58
}

function isNamePart(unit: number): boolean {
  return isNameStart(unit) || (unit >= 48 && unit <= 57) || unit === 45 || unit === 46
}

/** Whether an attribute value without quotes may contain a character. */
function isUnquotedPart(unit: number): boolean {
  return !(
    isTagWhitespace(unit) ||
    unit === DOUBLE_QUOTE ||
    unit === SINGLE_QUOTE ||
    unit === LESS_THAN ||
    unit === GREATER_THAN ||
    unit === EQUALS ||
    unit === BACKTICK
  )
}
