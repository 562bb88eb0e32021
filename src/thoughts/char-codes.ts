/** Characters by name, as UTF-16 units. */
export const TAB = 9
export const LF = 10
export const CR = 13
export const SPACE = 32
export const DOUBLE_QUOTE = 34
export const SINGLE_QUOTE = 39
export const SLASH = 47
export const LESS_THAN = 60
export const EQUALS = 61
export const GREATER_THAN = 62
export const BACKSLASH = 92
export const BACKTICK = 96
export const TILDE = 126

/** A space or a tab. */
export function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB
}

/** Half of a line break, or a whole one. */
export function isBreak(unit: number): boolean {
  return unit === LF || unit === CR
}

/** What may stand between the parts of a tag. */
export function isTagSpace(unit: number): boolean {
  return isBlank(unit) || isBreak(unit)
}

/** The first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

/** Cutting text may leave the first half of a surrogate pair at its end. */
export function withoutHalf(text: string): string {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text
}
