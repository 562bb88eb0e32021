/** The words of issue messages. */

/** What a timestamp is to be. */
export const INSTANT = 'an RFC 3339 date-time with time zone, such as 2026-01-31T10:30:00Z'

/** A noun with its indefinite article: `a string`, `an object`. */
function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** The type of a value, without its content; a number with its value. */
export function typeOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return `the number ${value}`
  return withArticle(typeof value)
}

/** An allowed value, as it is written in code. */
export function quote(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}
