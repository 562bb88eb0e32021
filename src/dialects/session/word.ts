/** Reading single values of a peer, whatever they are. */

/**
 * A text, number or flag as text; `''` for anything else. An object of a peer cannot be turned into
 * text by force: its own `toString` may be no function.
 */
export function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** A number; not a number for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}
