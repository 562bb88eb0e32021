/**
 * RFC 3339 timestamps, parsed by hand: the regular expression of zod is several times slower.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339
 */

/** `z.iso.datetime({ offset: true })`: an RFC 3339 date-time with time zone. */
export function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && isMinute(value) && isSecondsAndZone(value)
}

/** Whether a text starts with a date, an hour and a minute: `2026-01-31T10:30:`. */
function isMinute(text: string): boolean {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const day = twoDigits(text, 8)
  return (
    // 45 is '-', 58 ':', 84 'T'.
    year >= 0 &&
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(10) === 84 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58 &&
    day >= 1 &&
    day <= daysIn(year, twoDigits(text, 5)) &&
    isBelow(twoDigits(text, 11), 24) &&
    isBelow(twoDigits(text, 14), 60)
  )
}

/** Whether the minute is followed by seconds and a zone, and nothing else. */
function isSecondsAndZone(text: string): boolean {
  const tens = text.charCodeAt(17)
  // 48 to 57 are the digits, 53 is '5'.
  if (!(tens >= 48 && tens <= 53 && isDigit(text.charCodeAt(18)))) return false
  // Fast path for milliseconds in UTC, such as `.123Z`: 46 is '.', 90 'Z'.
  if (
    text.length === 24 &&
    text.charCodeAt(19) === 46 &&
    text.charCodeAt(23) === 90 &&
    isDigit(text.charCodeAt(20)) &&
    isDigit(text.charCodeAt(21)) &&
    isDigit(text.charCodeAt(22))
  ) {
    return true
  }
  return isZone(text, afterFraction(text, 19))
}

/** Parses two digits; a large negative number if they are not digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -100_000
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isBelow(number: number, bound: number): boolean {
  return number >= 0 && number < bound
}

function daysIn(year: number, month: number): number {
  switch (month) {
    case 2:
      return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
    case 4:
    case 6:
    case 9:
    case 11:
      return 30
    default:
      return month >= 1 && month <= 12 ? 31 : 0
  }
}

/** The end of the fraction of a second that starts at `at`; `at` itself if there is no fraction. */
function afterFraction(text: string, at: number): number {
  // 46 is '.', 48 to 57 are the digits.
  if (text.charCodeAt(at) !== 46) return at
  let end = at + 1
  while (isDigit(text.charCodeAt(end))) end++
  return end > at + 1 ? end : at
}

/** Whether the text from `at` to its end is `Z` or an offset such as `+02:00`. */
function isZone(text: string, at: number): boolean {
  const sign = text.charCodeAt(at)
  // 90 is 'Z', 43 '+', 45 '-', 58 ':'.
  if (sign === 90) return text.length === at + 1
  return (
    (sign === 43 || sign === 45) &&
    text.length === at + 6 &&
    isBelow(twoDigits(text, at + 1), 24) &&
    text.charCodeAt(at + 3) === 58 &&
    isBelow(twoDigits(text, at + 4), 60)
  )
}
