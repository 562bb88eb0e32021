/** How a law compares what it got with what it expected. */

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [canonical(actual), canonical(expected)]
  if (got === wanted) return
  const start = Math.max(0, firstDifference(got, wanted) - CONTEXT)
  throw new Error(`Expected ${what} to be ${excerpt(wanted, start)}, got ${excerpt(got, start)}.`)
}

/** Length of a value in a message, and of what is shown of it before the first difference, in characters. */
const MAX_EXCERPT = 500
const CONTEXT = 200

/** A text that is too long for a message, from `start` on. */
function excerpt(text: string, start: number): string {
  if (text.length <= MAX_EXCERPT) return text
  const shown = text.slice(start, start + MAX_EXCERPT)
  return `${start > 0 ? '…' : ''}${shown}${start + MAX_EXCERPT < text.length ? '…' : ''}`
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** A value as JSON that does not depend on the order of keys. */
function canonical(value: unknown): string {
  const sorted = (_key: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  return String(JSON.stringify(value, sorted))
}
