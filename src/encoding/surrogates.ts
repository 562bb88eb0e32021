/** Text that may be cut in the middle of a character: UTF-16 code units, not characters. */

/** With `u`, a pair matches as one character, so that only halves are left to match. */
const halves = /\p{Surrogate}/gu

/** The text with U+FFFD for each half of a character that has lost its other half. */
export function toWellFormed(text: string): string {
  return text.replace(halves, '\ufffd')
}

/**
 * Splits off the half of a character a text ends with, to be put before the text that follows.
 *
 *     'wor😀' ─▶ ['wor😀', '']        'wor\ud83d' ─▶ ['wor', '\ud83d']
 */
export function splitHalf(text: string): [whole: string, half: string] {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? [text.slice(0, -1), text.slice(-1)] : [text, '']
}

/** The first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

/** Cutting text may leave the first half of a surrogate pair at its end. */
export function withoutHalf(text: string): string {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text
}
