/**
 * RFC 3339 timestamps.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339
 */

/** By the length of the month, so that only 29 February remains to be checked. */
const DATE_TIME =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Recent minutes, such as `2026-03-14T09:26:`, and the text after all that begin with them. Their place goes by the last digits
 * of hour and minute, so that those of tasks side by side do not displace each other. Comparing takes a third of the time of
 * the pattern.
 */
const minutes = ['', '', '', '', '', '', '', '']
const afters = ['', '', '', '', '', '', '', '']
/** How many timestamps had another minute. */
let misses = 0

/** `z.iso.datetime({ offset: true })`: an RFC 3339 date-time with time zone. */
export function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string') return false
  // What `toISOString` writes.
  if (value.length !== 24) return isDateTime(value)
  const place = (5 * value.charCodeAt(12) + value.charCodeAt(15)) & 7
  if (value >= (minutes[place] as string) && value < (afters[place] as string) && isSecondsInUtc(value))
    return true
  if (!isDateTime(value)) return false
  // Remembering takes longer than the pattern, and minutes in no order are not met again.
  if (misses++ % 8 === 0) {
    const minute = value.slice(0, 16)
    minutes[place] = flat(`${minute}:`)
    afters[place] = flat(`${minute};`)
  }
  return true
}

function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && (!text.startsWith('02-29', 5) || isLeapYear(Number(text.slice(0, 4))))
}

/** Whether a minute is followed by `05.589Z`, in a text of 24 characters. */
function isSecondsInUtc(text: string): boolean {
  return (
    isDigit(text.charCodeAt(17)) &&
    text.charCodeAt(17) < 54 &&
    isDigit(text.charCodeAt(18)) &&
    text.charCodeAt(19) === 46 &&
    isDigit(text.charCodeAt(20)) &&
    isDigit(text.charCodeAt(21)) &&
    isDigit(text.charCodeAt(22)) &&
    text.charCodeAt(23) === 90
  )
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57
}

/** A text that is no part of another, which would take twice as long to compare. */
function flat(text: string): string {
  return [...text].join('')
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
