/** Characters by name, as UTF-16 code units. */
export const TAB = 9
export const LF = 10
export const CR = 13
const SPACE = 32
export const DOUBLE_QUOTE = 34
export const SINGLE_QUOTE = 39
export const SLASH = 47
export const LESS_THAN = 60
export const EQUALS = 61
export const GREATER_THAN = 62
export const BACKSLASH = 92
export const BACKTICK = 96
export const TILDE = 126

/** Whether a code unit is a space or a tab. */
export function isSpaceOrTab(unit: number): boolean {
  return unit === SPACE || unit === TAB
}

/** Whether a code unit is an ASCII digit. */
export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

/** Whether a code unit is a line ending (LF or CR) or half of one (CRLF). */
export function isLineEnding(unit: number): boolean {
  return unit === LF || unit === CR
}

/** Whether a code unit may separate the parts of a tag. */
export function isTagWhitespace(unit: number): boolean {
  return isSpaceOrTab(unit) || isLineEnding(unit)
}
