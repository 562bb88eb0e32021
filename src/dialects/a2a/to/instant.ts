/** Instants as A2A 1.0 writes them. */

/**
 * The same instant in UTC, with 3, 6 or 9 digits of a second as protocol buffers write it. `undefined` outside the years
 * 1 to 9999, which they do not have.
 */
export function toInstant(timestamp: string): string | undefined {
  if (timestamp.length === 24 && timestamp.endsWith('Z')) return inRange(timestamp)
  const fraction = (/\.(?:\d{0,8}[1-9])?/.exec(timestamp) ?? ['.'])[0]
  const milliseconds = Date.parse(timestamp.replace(/\.\d+/, ''))
  if (Number.isNaN(milliseconds)) return undefined
  const seconds = new Date(milliseconds).toISOString().slice(0, -5)
  return inRange(
    `${seconds}${fraction.padEnd(fraction.length <= 4 ? 4 : fraction.length <= 7 ? 7 : 10, '0')}Z`,
  )
}

function inRange(timestamp: string): string | undefined {
  return /^(?!0000)\d{4}-/.test(timestamp) ? timestamp : undefined
}
