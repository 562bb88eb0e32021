/**
 * What generated checks are made of. Each says in the cheapest way what one zod schema says; that
 * both agree is property-tested.
 */

/** An object whose fields may be looked at. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `z.int()` from `least` to 2^53-1. */
export function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least
}

/** `z.iso.datetime({ offset: true })`: its pattern costs five times as much. */
export function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const year = twoDigits(value, 0) * 100 + twoDigits(value, 2)
  const month = twoDigits(value, 5)
  const day = twoDigits(value, 8)
  return (
    // 45 is '-', 58 ':', 84 'T'. Digits that are none are far below zero, whatever is made of them.
    year >= 0 &&
    value.charCodeAt(4) === 45 &&
    value.charCodeAt(7) === 45 &&
    value.charCodeAt(10) === 84 &&
    value.charCodeAt(13) === 58 &&
    value.charCodeAt(16) === 58 &&
    day >= 1 &&
    day <= (day <= 28 && month >= 1 && month <= 12 ? 28 : daysIn(year, month)) &&
    isBelow(twoDigits(value, 11), 24) &&
    isBelow(twoDigits(value, 14), 60) &&
    isBelow(twoDigits(value, 17), 60) &&
    isZone(value, afterFraction(value, 19))
  )
}

/** The number two digits make; far below zero when they are none. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -100_000
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

/** Where a fraction of a second that begins at `at` ends; `at` itself when there is none. */
function afterFraction(text: string, at: number): number {
  // 46 is '.', 48 to 57 are the digits.
  if (text.charCodeAt(at) !== 46) return at
  let end = at + 1
  while (text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++
  return end > at + 1 ? end : at
}

/** Whether the rest of the text from `at` is `Z` or an offset such as `+02:00`. */
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
