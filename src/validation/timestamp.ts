/**
 * RFC 3339 timestamps.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339
 */

/**
 * No day after the end of its month, so that only 29 February remains to be checked. The digits of the year are written one by
 * one: counting them takes half as long again.
 */
const DATE_TIME =
  /^\d\d\d\d-(?!02-3|(?:0[469]|11)-31)(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** `z.iso.datetime({ offset: true })`: an RFC 3339 date-time with time zone. */
export function isTimestamp(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    DATE_TIME.test(value) &&
    (!value.startsWith('02-29', 5) || isLeapYear(+value.slice(0, 4)))
  )
}

function isLeapYear(year: number): boolean {
  return year % (year % 100 ? 4 : 400) === 0
}
