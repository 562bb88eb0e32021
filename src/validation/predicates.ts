/**
 * What generated checks are made of. Each says in the cheapest way what one zod schema says; that
 * both agree is property-tested.
 */

/** An object whose fields may be looked at. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `z.string()` */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** `z.string().check(z.minLength(1))` */
export function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** `z.int().check(z.minimum(0))` */
export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** `z.int().check(z.minimum(1))` */
export function isOrdinal(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1
}

/** `z.number().check(z.minimum(0))`: JSON has no infinity, but `1e999` parses to it. */
export function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value !== Infinity
}

/** `z.number().check(z.minimum(0), z.maximum(1))` */
export function isFraction(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** `z.array(…)`: by position, because `every` passes over holes. */
export function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false
  for (let i = 0; i < value.length; i++) if (!isItem(value[i])) return false
  return true
}

/**
 * The minute seen last, as the texts between which all its instants lie. A stream stays within a
 * minute for many events, and comparing costs a fraction of what looking at each digit does.
 */
let minuteFrom = ''
let minuteTo = ''

/** `z.iso.datetime({ offset: true })`. */
export function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string') return false
  // Whatever sorts from `2026-01-31T10:30:` to before `2026-01-31T10:30;` begins with the former.
  if (value >= minuteFrom && value < minuteTo) return isRestOfTime(value)
  if (!isMinute(value) || !isRestOfTime(value)) return false
  // Joined from characters: engines compare a slice or a concatenation many times slower.
  const minute = [...value.slice(0, 16)]
  minuteFrom = [...minute, ':'].join('')
  minuteTo = [...minute, ';'].join('')
  return true
}

/** Whether a text begins with a date, an hour and a minute: `2026-01-31T10:30:`. */
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

/** Whether seconds and zone follow the minute, and nothing after them. */
function isRestOfTime(text: string): boolean {
  const tens = text.charCodeAt(17)
  // 48 to 57 are the digits, 53 is '5'.
  if (!(tens >= 48 && tens <= 53 && isDigit(text.charCodeAt(18)))) return false
  // What most clocks write, `.123Z`, without a loop: 46 is '.', 90 'Z'.
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

/** The number two digits make; far below zero when they are none. */
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

/** Where a fraction of a second that begins at `at` ends; `at` itself when there is none. */
function afterFraction(text: string, at: number): number {
  // 46 is '.', 48 to 57 are the digits.
  if (text.charCodeAt(at) !== 46) return at
  let end = at + 1
  while (isDigit(text.charCodeAt(end))) end++
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
